import type { Answer } from '../wire/send.js';
import type { Step } from '../wire/step.js';
import { HIDDEN_CANARY } from '../world/canaries.js';
import { readAnswer, type Reading } from './envelopes.js';
import { faultOfHeads } from './heads.js';
import { shownSecrets } from './leaks.js';

/** Longest time that an answer may take, on a machine on which others work too, ms. */
const LONGEST_MS = 20_000;

const TEXT = /^(?:text\/|application\/(?:json|problem\+json|xml|vnd\.apple))/;

const judgeRaw = ({ status, body }: Answer, secrets: readonly string[]): Reading => {
  const outcome = status === 0 ? 'closed' : String(status);
  // 505 is what HTTP itself says to another version of HTTP, 501 to a coding that nobody knows.
  if (status >= 500 && status !== 501 && status !== 505) return { outcome, fault: `status ${status}` };
  const shown = shownSecrets(body.toString('utf8'), 'nobody', secrets);
  return shown === undefined ? { outcome } : { outcome, fault: shown };
};

/** An answer of the web server itself, which has no more to say than a status. */
const isRefusedByParser = ({ status, headers, body }: Answer): boolean =>
  [400, 417, 431].includes(status) &&
  headers['x-correlation-id'] === undefined &&
  (body.length === 0 || /"statusCode":4\d\d\}$/.test(body.toString()));

/** Judges an answer: its outcome, and its fault if any. */
export const judge = (step: Step, answer: Answer, all: readonly string[]): Reading => {
  // Administrators are told of settings and folders of the server.
  const secrets = step.surface === 'manage' && step.caller === 'admin' ? all.filter((one) => !one.startsWith('/')) : all;
  if (step.raw !== undefined) return judgeRaw(answer, secrets);
  if (answer.broken !== undefined) return { outcome: 'broken', fault: answer.broken };
  if (answer.durationMs > LONGEST_MS) return { outcome: String(answer.status), fault: 'it took too long' };
  const headers = JSON.stringify(answer.headers);
  // A request that the HTTP parser refuses never reaches the program and gets none of its headers.
  if (isRefusedByParser(answer)) return { outcome: 'no HTTP' };
  const reading = readAnswer(step, answer);
  if (reading.fault !== undefined) return reading;
  const heads = faultOfHeads(step, answer);
  if (heads !== undefined) return { ...reading, fault: heads };
  const type = answer.headers['content-type'] ?? '';
  const whole = TEXT.test(type) ? answer.body.toString('utf8') : '';
  // The doctor looks at the folders of all catalogs, whoever asks it.
  const text = step.what === 'listChecks' && step.caller === 'admin' ? whole.replaceAll(HIDDEN_CANARY, '') : whole;
  const shown = shownSecrets(text, step.caller, secrets) ?? shownSecrets(headers, step.caller, secrets);
  return shown === undefined ? reading : { ...reading, fault: shown };
};
