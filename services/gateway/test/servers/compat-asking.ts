import type { CallParams, CompatServer, TestAccount } from './compat-server.js';

/** Calls of the compatibility API in JSON, without the envelope. */
export interface Asking {
  /** Content of the envelope, untyped for specs. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly ask: (operation: string, params?: CallParams, as?: TestAccount) => Promise<any>;
  /** The number of the refusal; undefined for none. */
  readonly codeOf: (operation: string, params?: CallParams, as?: TestAccount) => Promise<number | undefined>;
}

/** Asks a server as somebody, ada when nothing is said. */
export const asking = (server: () => CompatServer): Asking => {
  const ask: Asking['ask'] = async (operation, params = {}, as = 'ada') => {
    const { body } = await server().call(operation, { ...params, f: 'json' }, as);
    return (JSON.parse(body) as Record<string, unknown>)['subsonic-response'];
  };
  return { ask, codeOf: async (operation, params, as) => (await ask(operation, params, as)).error?.code };
};
