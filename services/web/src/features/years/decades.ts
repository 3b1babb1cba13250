/** A year and how many albums it has. */
export interface Year {
  readonly id: string;
  readonly albums: number;
  readonly songs: number;
}

/** The years of a decade, newest first. */
export interface Decade {
  /** Its first year. */
  readonly first: number;
  readonly albums: number;
  readonly years: readonly Year[];
}

const YEARS = 10;

/** Puts years into decades, newest first. */
export const decadesOf = (years: readonly Year[]): readonly Decade[] => {
  const decades = Map.groupBy(years, ({ id }) => Math.floor(Number(id) / YEARS) * YEARS);
  return [...decades]
    .map(([first, ofDecade]) => ({
      first,
      albums: ofDecade.reduce((sum, { albums }) => sum + albums, 0),
      years: ofDecade.toSorted((one, other) => Number(other.id) - Number(one.id)),
    }))
    .toSorted((one, other) => other.first - one.first);
};
