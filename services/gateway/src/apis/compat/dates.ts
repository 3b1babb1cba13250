import { isoText } from '../../server/date-text.js';

/** Formats an instant as ISO 8601 in UTC with milliseconds; undefined stays undefined, so that the field is left out. */
export const isoDate = (epochMs: number | null | undefined): string | undefined =>
  epochMs === null || epochMs === undefined || epochMs <= 0 ? undefined : isoText(epochMs);

/** A date that may lack its last parts. */
export interface PartialDate {
  readonly year?: number;
  readonly month?: number;
  readonly day?: number;
}

const PARTIAL = /^(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?/;

/** Reads `2004`, `2004-05` or `2004-05-12`; `{}` when unknown. */
export const partialDate = (text: string | undefined): PartialDate => {
  const [, year, month, day] = PARTIAL.exec(text ?? '') ?? [];
  if (year === undefined || Number(year) === 0) return {};
  return {
    year: Number(year),
    ...(month !== undefined && Number(month) > 0 && { month: Number(month) }),
    ...(day !== undefined && Number(day) > 0 && { day: Number(day) }),
  };
};
