import { isLongForm } from '@continuo/local-servers/test-form';
import { expect, it } from 'vitest';
import { runCampaign } from './campaign/campaign.js';
import { reportOf } from './campaign/report.js';

/** A short campaign: the same requests each time. Longer ones are `pnpm test:fuzz --requests 20000 --seed <number>`. */
const PLAN = { requests: isLongForm ? 3000 : 1000, seed: 20_261_121, lanes: 6 };
/** Connections of services to their servers come and go by a few. */
const FEW = 25;
/** Allowed growth of a Node process between two measurements, MiB. */
const SLACK_MIB = 250;

it(
  'answers made-up requests in the envelopes of its surfaces, tells nothing that it must not, and goes on',
  { timeout: 600_000 },
  async () => {
    const result = await runCampaign(PLAN);
    const report = reportOf(PLAN, result);
    // The whole of it, with a line for a terminal for each fault, for whoever has to look into one.
    if (result.tally.findings.length > 0) process.stdout.write(`${report}\n`);
    expect(result.tally.findings.map(({ signature }) => signature)).toEqual([]);
    expect(result.tally.requests).toBeGreaterThanOrEqual(PLAN.requests);
    expect(result.tally.counts().length).toBeGreaterThan(10);
    const { warm, end } = result.footprint;
    expect(end.sockets - warm.sockets).toBeLessThan(FEW);
    expect(end.files - warm.files).toBeLessThan(FEW);
    expect(end.memoryMib - warm.memoryMib).toBeLessThan(SLACK_MIB);
  },
);
