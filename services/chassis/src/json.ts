/** The value of a JSON text; undefined for any other text, which a schema then refuses like every value that it does not know. */
export const jsonOf = (text: string | Uint8Array): unknown => {
  try {
    return JSON.parse(typeof text === 'string' ? text : Buffer.from(text).toString());
  } catch {
    // No message is passed on: it would quote the text, which may hold secrets.
    return undefined;
  }
};
