/** Text of a parameter of an address, which the router may have read as a number; undefined for none. */
export const textIn = (value: unknown): string | undefined =>
  typeof value === 'number' || (typeof value === 'string' && value !== '') ? String(value) : undefined;
