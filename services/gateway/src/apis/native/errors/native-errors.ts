/** HTTP status by code, for `NATIVE_HTTP_STATUS=mapped`. */
export const statusByCode: Readonly<Record<number, number>> = {
  4700: 403,
  4701: 401,
  4702: 500,
  4703: 403,
  4704: 404,
  4705: 400,
  4706: 410,
  4710: 400,
  4742: 403,
};

/** Not found, in versions 5 to 8 and in versions 3 and 4. */
const NOT_FOUND: readonly number[] = [4704, 404];

/**
 * HTTP status of a failed media request: 404 for a missing object, 400 for everything else; 416 is sent where ranges are read. The body
 * holds the error.
 */
export const bytesStatusOf = (code: number): number => (NOT_FOUND.includes(code) ? 404 : 400);
