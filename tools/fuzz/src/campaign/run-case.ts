import { judge } from '../oracle/judge.js';
import type { Answer, Sender } from '../wire/send.js';
import type { Step } from '../wire/step.js';
import { toWire } from '../wire/to-wire.js';
import { curlLine, type WireRequest } from '../wire/wire-request.js';
import type { BrowserSession } from '../world/browsers.js';
import type { World } from '../world/world.js';
import type { FuzzCase } from '../generate/cases.js';
import type { Suspects } from './suspects.js';
import type { Finding, Tally } from './tally.js';

/** Dependencies of running cases. */
export interface Bench {
  readonly world: World;
  readonly sender: Sender;
  readonly browsers: ReadonlyMap<string, BrowserSession>;
  readonly tally: Tally;
  /** Requests by correlation id, for lines of the log that come later. */
  readonly sent: Map<string, string>;
  readonly suspects: Suspects;
}

const KEPT_REQUESTS = 5000;
const SHOWN = 600;

/** The first id that an answer names, in either format. */
const idIn = (body: string): string | undefined => {
  const [, inJson, inXml] = /"id"\s*:\s*"?([\w-]{1,40})"?|\sid="([\w-]{1,40})"/.exec(body) ?? [];
  return inJson ?? inXml;
};

const told = (url: string, step: Step, wire: WireRequest): string =>
  step.raw === undefined
    ? curlLine(url, wire)
    : `printf %s ${step.raw} | base64 -d | nc ${new URL(url).host.replace(':', ' ')}  # ${step.pace}`;

const remember = ({ sent }: Bench, wire: WireRequest, line: string): void => {
  sent.set(wire.headers['x-correlation-id'] ?? '', line);
  const [oldest] = sent.keys();
  if (sent.size > KEPT_REQUESTS && oldest !== undefined) sent.delete(oldest);
};

const shown = ({ status, headers, body }: Answer): string =>
  `${status} ${headers['content-type'] ?? ''} ${body.toString('utf8').slice(0, SHOWN)}`.replaceAll(/\s+/g, ' ');

/** Signature by which faults are grouped; numbers and long texts are left out. */
const signatureOf = (step: Step, fault: string): string => `${step.surface} ${step.what}: ${fault.replaceAll(/\d+/g, 'N').slice(0, 80)}`;

/** Runs the requests of a case one after the other and answers the first fault. */
export const runCase = async (bench: Bench, steps: FuzzCase): Promise<Finding | undefined> => {
  const { world, sender, browsers, tally, suspects } = bench;
  const { url } = world.server;
  const curl: string[] = [];
  let lastId = '1';
  for (const step of steps) {
    const wire = toWire(step, { accounts: world.accounts, browsers, lastId });
    const line = told(url, step, wire);
    curl.push(line);
    remember(bench, wire, line);
    const send = (): Promise<Answer> =>
      step.raw === undefined ? sender.send(wire) : sender.raw(Buffer.from(step.raw, 'base64'), step.pace ?? 'whole');
    const answer = await send();
    // Bytes of their own are answered when the connection is closed, however soon they were read.
    if (step.raw === undefined) await suspects.consider({ what: `${step.surface} ${step.what}`, curl: [...curl], send }, answer);
    const reading = judge(step, answer, world.secrets);
    tally.take(step, reading, answer.durationMs);
    if (reading.fault !== undefined)
      return { signature: signatureOf(step, reading.fault), fault: reading.fault, curl, answer: shown(answer) };
    lastId = idIn(answer.body.toString('utf8')) ?? lastId;
  }
  return undefined;
};
