/** Fields of an object that was kept. */
export type Fields = Readonly<Record<string, unknown>>;

/** True for an object. */
export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Reads JSON that was kept; undefined for what is none. */
export const parsed = (text: string | null): unknown => {
  try {
    return JSON.parse(text ?? 'null') as unknown;
  } catch {
    // Whatever wrote this was no version of this page.
    return undefined;
  }
};
