import { idOf } from './params.js';

/** Song id in a play URL of this server, as query (`?oid=7`) or path (`/oid/7`); undefined without one. */
export const songIdOfUrl = (text: string): number | undefined => {
  const id = /[?&]oid=(\d+)(?:&|#|$)/.exec(text)?.[1] ?? /\/oid\/(\d+)(?:\/|\?|#|$)/.exec(text)?.[1];
  return id === undefined ? undefined : idOf(id);
};
