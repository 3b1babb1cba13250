import fc from 'fast-check';
import type { FuzzCase } from '../generate/cases.js';
import type { CampaignPlan } from './plan.js';
import { runCase, type Bench } from './run-case.js';
import type { Finding } from './tally.js';

const CASES_AT_ONCE = 250;
/** Runs after which a case is as small as it gets here. */
const MAX_SHRINKS = 60;

/** Search of one lane. */
interface Search {
  readonly cases: fc.Arbitrary<FuzzCase>;
  readonly seed: number;
  /** Kinds of fault that were found already. */
  readonly known: Set<string>;
  /** True when no more requests are wanted. */
  readonly until: () => boolean;
}

/** Looks for one new kind of fault among some cases, and makes the case that shows it small. */
const search = async (bench: Bench, { cases, seed, known, until }: Search): Promise<Finding | undefined> => {
  let found: Finding | undefined;
  let shrinks = 0;
  const shows = async (steps: FuzzCase): Promise<boolean> => {
    if (found ? shrinks >= MAX_SHRINKS : until()) return true;
    if (found) shrinks += 1;
    const finding = await runCase(bench, steps);
    if (!finding || (found ? finding.signature !== found.signature : known.has(finding.signature))) return true;
    known.add(finding.signature);
    found = finding;
    return false;
  };
  await fc.check(fc.asyncProperty(cases, shows), { seed, numRuns: CASES_AT_ONCE });
  return found;
};

/** Sends cases in several lanes at once until so many requests are done; every new kind of fault is made small and noted once. */
export const runLanes = async (
  bench: Bench,
  cases: fc.Arbitrary<FuzzCase>,
  plan: CampaignPlan,
  onProgress: () => void = () => undefined,
): Promise<void> => {
  const { tally, world } = bench;
  const known = new Set(tally.findings.map(({ signature }) => signature));
  const end = tally.requests + plan.requests;
  const until = (): boolean => tally.requests >= end || world.server.ended() !== undefined;
  const lane = async (number: number): Promise<void> => {
    for (let round = 0; !until(); round += 1) {
      const seed = plan.seed * 1_000_003 + number * 10_007 + round;
      const finding = await search(bench, { cases, seed, known, until });
      if (finding) tally.findings.push(finding);
      onProgress();
    }
  };
  await Promise.all(Array.from({ length: plan.lanes }, (_, number) => lane(number)));
};
