import { setTimeout as delay } from 'node:timers/promises';
import { caseArbitrary, readingCase } from '../generate/cases.js';
import { Sender } from '../wire/send.js';
import { signInAll } from '../world/browsers.js';
import { makeWorld, type World } from '../world/world.js';
import { footprintOf, type Footprint } from './footprint.js';
import { runLanes } from './lanes.js';
import type { CampaignPlan } from './plan.js';
import { growth, logPositions } from './positions.js';
import type { Bench } from './run-case.js';
import { Suspects } from './suspects.js';
import { Tally } from './tally.js';

/** Outcome of a campaign. */
export interface CampaignResult {
  readonly tally: Tally;
  readonly durationMs: number;
  /** Before the first requests were warm, and after the last connection was closed. */
  readonly footprint: { readonly warm: Footprint; readonly end: Footprint };
  /** Requests that only read, and what they left in the logs. */
  readonly reading: { readonly requests: number; readonly grown: readonly string[] };
}

/** This share of the requests only reads, and is looked at for what it leaves. */
const READING_SHARE = 0.2;
/** After this share memory and files are as large as in long use. */
const WARM_SHARE = 0.3;
/** Wait for late log lines and the end of connections, ms. */
const SETTLE_MS = 2500;
/** Time without any event after which nothing is at work any more, ms: the end of a backup or of a verification comes seconds after its beginning. */
const QUIET_MS = 5000;
const QUIET_WITHIN_MS = 60_000;

/** Lines of the log that tell of a failure, each kind once. */
const noteLog = ({ tally, world, sent }: Bench): void => {
  const known = new Set(tally.findings.map(({ signature }) => signature));
  for (const { text, correlationId } of world.server.log.taken()) {
    const message = /"msg":"(?<message>[^"]*)"/.exec(text)?.groups?.['message'] ?? text;
    const cause = /"err":\{"type":"(?<type>\w+)","message":"(?<why>[^"]{0,60})/.exec(text)?.groups;
    const signature = `log: ${message.slice(0, 80)} ${cause?.['type'] ?? ''} ${(cause?.['why'] ?? '').replaceAll(/\d+/g, 'N')}`;
    if (known.has(signature)) continue;
    known.add(signature);
    const request = correlationId === undefined ? undefined : sent.get(correlationId);
    tally.findings.push({
      signature,
      fault: 'an error in the log',
      curl: request === undefined ? [] : [request],
      answer: text.slice(0, 1500),
    });
  }
};

/** Waits until no event comes any more: jobs and reactors may still be at work. */
const untilQuiet = async (world: World): Promise<Readonly<Record<string, number>>> => {
  let before = await logPositions(world);
  for (const until = Date.now() + QUIET_WITHIN_MS; Date.now() < until;) {
    await delay(QUIET_MS);
    const now = await logPositions(world);
    if (growth(before, now).length === 0) return now;
    before = now;
  }
  return before;
};

const noteEnd = ({ tally, world }: Bench): void => {
  const why = world.server.ended();
  if (why !== undefined) tally.findings.push({ signature: 'the server ended', fault: 'the server ended by itself', curl: [], answer: why });
};

const noteTrap = ({ tally, world }: Bench): void => {
  const { caught } = world.trap;
  if (caught.length > 0)
    tally.findings.push({
      signature: 'the server asked its own machine',
      fault: `${caught.length} requests came`,
      curl: [],
      answer: caught.slice(0, 5).join('; '),
    });
};

const readOnly = async (bench: Bench, plan: CampaignPlan): Promise<CampaignResult['reading']> => {
  const requests = Math.floor(plan.requests * READING_SHARE);
  const before = await untilQuiet(bench.world);
  await runLanes(bench, readingCase(bench.world.known), { ...plan, requests });
  const grown = growth(before, await untilQuiet(bench.world));
  if (grown.length > 0)
    bench.tally.findings.push({
      signature: 'reading changed something',
      fault: `reading left events: ${grown.join(', ')}`,
      curl: [],
      answer: '',
    });
  return { requests, grown };
};

const attack = async (bench: Bench, plan: CampaignPlan, say: (line: string) => void): Promise<CampaignResult> => {
  const begun = performance.now();
  const { tally, world } = bench;
  const cases = caseArbitrary(world.known);
  const rest = plan.requests - Math.floor(plan.requests * READING_SHARE);
  const note = (): void => {
    noteLog(bench);
    say(`${tally.requests} requests, ${tally.findings.length} findings`);
  };
  await runLanes(bench, cases, { ...plan, requests: Math.floor(rest * WARM_SHARE) }, note);
  const warm = await footprintOf(world.server.pid);
  const reading = await readOnly(bench, plan);
  await runLanes(bench, cases, { ...plan, seed: plan.seed + 1, requests: Math.ceil(rest * (1 - WARM_SHARE)) }, note);
  tally.findings.push(...(await bench.suspects.tryAgain()));
  bench.sender.close();
  await delay(SETTLE_MS);
  noteLog(bench);
  noteEnd(bench);
  noteTrap(bench);
  const end = await footprintOf(world.server.pid);
  return { tally, durationMs: performance.now() - begun, footprint: { warm, end }, reading };
};

/** Makes a world, sends a campaign's requests to it and takes it down again. */
export const runCampaign = async (plan: CampaignPlan, say: (line: string) => void = () => undefined): Promise<CampaignResult> => {
  const world = await makeWorld(say);
  try {
    const browsers = await signInAll(world.server.url, world.accounts.callers);
    const suspects = new Suspects(world.server.probed);
    const bench = { world, sender: new Sender(world.server.url), browsers, tally: new Tally(), sent: new Map<string, string>(), suspects };
    return await attack(bench, plan, say);
  } finally {
    await world.end();
  }
};
