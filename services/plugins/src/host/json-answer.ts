import type { PluginResponse } from '../api/plugin.js';

const NOTHING: ReadonlySet<number> = new Set([204, 404, 410]);

/** Parses a JSON answer; undefined when the service has nothing. @throws Error for every other status than 2xx, and for what is no JSON */
export const jsonOf = ({ status, body }: PluginResponse): unknown => {
  if (NOTHING.has(status)) return undefined;
  if (status < 200 || status > 299) throw new Error(`the service answered ${status}`);
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch (error) {
    throw new Error('the service answered something that is no JSON', { cause: error });
  }
};
