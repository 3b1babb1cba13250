import type { components } from './manage.types.js';

/** A refusal or failure of the management API (RFC 9457). */
export type Problem = components['schemas']['Problem'];

const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' && value !== null && 'detail' in value && 'type' in value && 'correlationId' in value;

/** Says in words why a request failed: what the server says, else its status. */
export const requestFailure = (error: unknown, { status, statusText }: Pick<Response, 'status' | 'statusText'>): string => {
  if (!isProblem(error)) return `the server answered ${status} ${statusText}`.trim();
  const places = (error.errors ?? []).map(({ pointer, detail }) => `${pointer.replace(/^\//, '')}: ${detail}`);
  return places.length > 0 ? places.join('; ') : error.detail;
};
