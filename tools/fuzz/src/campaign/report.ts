import type { CampaignResult } from './campaign.js';
import type { CampaignPlan } from './plan.js';

const footprint = ({ memoryMib, files, sockets }: CampaignResult['footprint']['warm']): string =>
  `${memoryMib} MiB, ${files} files, ${sockets} sockets`;

/** A campaign's result, for people. */
export const reportOf = ({ seed }: CampaignPlan, { tally, durationMs, footprint: at, reading }: CampaignResult): string => {
  const { p50, p99, max } = tally.durations();
  const surfaces = tally.counts().map(
    ({ surface, requests, outcomes }) =>
      `  ${surface.padEnd(13)}${String(requests).padStart(7)}  ${outcomes
        .slice(0, 9)
        .map(([name, count]) => `${name}: ${count}`)
        .join(', ')}`,
  );
  const findings = tally.findings.flatMap(({ signature, fault, curl, answer }, index) => [
    `\n${index + 1}. ${signature}\n   ${fault}`,
    ...curl.map((line) => `   ${line}`),
    `   -> ${answer}`,
  ]);
  return [
    `seed ${seed}: ${tally.requests} requests in ${Math.round(durationMs / 1000)} s, ${tally.findings.length} kinds of fault`,
    ...surfaces,
    `  answers after ${p50} ms (median), ${p99} ms (99 of 100), ${max} ms (longest)`,
    `  ${reading.requests} requests that only read left ${reading.grown.length === 0 ? 'no event' : reading.grown.join(', ')}`,
    `  the server: ${footprint(at.warm)} once warm; ${footprint(at.end)} at the end`,
    ...findings,
  ].join('\n');
};
