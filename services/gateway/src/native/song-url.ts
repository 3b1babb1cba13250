import { idOf } from './params.js';

/** The song id in a play URL of this server, in query form (`?oid=7`) or path form (`/oid/7`); undefined when it holds none. */
export const songIdOfUrl = (text: string): number | undefined => {
  const id = /[?&]oid=(\d+)(?:&|#|$)/.exec(text)?.[1] ?? /\/oid\/(\d+)(?:\/|\?|#|$)/.exec(text)?.[1];
  return id === undefined ? undefined : idOf(id);
};
