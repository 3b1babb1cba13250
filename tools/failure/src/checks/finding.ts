/** The outcome of one check. */
export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  /** Figures when all is well, evidence when it is not. */
  readonly detail: string;
}

const SHOWN = 5;

/** A check that holds when the list of offenders is empty; shows the first few. */
export const noneOf = (check: string, offenders: readonly string[], figures = 'none'): Finding => ({
  check,
  ok: offenders.length === 0,
  detail: offenders.length === 0 ? figures : `${offenders.length}: ${offenders.slice(0, SHOWN).join(' | ')}`,
});

/** A check that two numbers are equal. */
export const equal = (check: string, found: number, wanted: number): Finding => ({
  check,
  ok: found === wanted,
  detail: found === wanted ? String(found) : `found ${found}, wanted ${wanted}`,
});
