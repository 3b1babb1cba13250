/** Text of a parameter of an address, which the router may have read as a number; undefined for none. */
export const textIn = (value: unknown): string | undefined =>
  typeof value === 'number' || (typeof value === 'string' && value !== '') ? String(value) : undefined;

/** Year in a parameter of an address; undefined for none. */
export const yearOf = (value: unknown): number | undefined => {
  const year = Number(value);
  return value !== undefined && value !== '' && Number.isInteger(year) ? year : undefined;
};
