import { hash } from 'node:crypto';
import { sha256Hex } from '@continuo/chassis';
import { eventStreams, eventSubject, Rejection, type Precondition } from '@continuo/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendDownload, type Download } from '../../features/media/send-bytes.js';
import { viewerOf } from '../../reads/visibility/viewer.js';
import type { HasCommands, HasVersions } from '../../server/needs.js';
import type { CallerContext } from '../../server/requests/request-context.js';
import { etagOf, namesTag } from './etags.js';
import type { HasIdempotency, KeptAnswer } from './idempotency/idempotency.js';
import type { AggregateName, OperationRow } from './operation.js';
import { ManageProblem, statusOfProblem } from './problems.js';

/** Prefix of all addresses of the management API. */
export const MANAGE_PREFIX = '/manage/v1';

/** An operation with the one that reads the same resource, whose tag `If-Match` is compared with. */
export interface MountedOperation<S> {
  readonly row: OperationRow<S>;
  readonly reading: OperationRow<S> | undefined;
}

interface Incoming<S> {
  readonly request: FastifyRequest;
  readonly context: CallerContext;
  readonly services: S;
}

const header = ({ headers }: FastifyRequest, name: string): string | undefined => {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.join(',');
};

const rawOf = ({ request, context }: Incoming<never>) => ({
  params: request.params as Readonly<Record<string, string>>,
  query: context.params,
  body: request.body,
});

const callOf = <S>({ context, services }: Incoming<S>) => ({ request: context, viewer: viewerOf(context.caller.account), services });

/** Reads what `work` reads of a resource; undefined when it is not there. */
const unlessAbsent = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    if ((error instanceof Rejection || error instanceof ManageProblem) && statusOfProblem(error.code) === 404) return undefined;
    throw error;
  });

/** Time for the read model to show the latest version, ms. */
const SHOWN_WITHIN_MS = 2000;

const versionsOf = async ({ versions }: HasVersions, names: readonly AggregateName[]) =>
  Promise.all(
    names.map(async ([context, kind, id]) => {
      const position = await versions.lastOf(context, kind, id);
      return { subject: eventSubject(context, kind, id), stream: eventStreams[context], position };
    }),
  );

/**
 * Reads the versions of the aggregates that a resource shows, and waits until the read model shows them.
 * @throws Rejection `unavailable` when it does not in time
 */
const shownVersionsOf = async (services: HasVersions & HasCommands, names: readonly AggregateName[]) => {
  const last = await versionsOf(services, names);
  const isShown = await services.watch.waitFor(
    last.filter(({ position }) => position > 0),
    SHOWN_WITHIN_MS,
  );
  if (!isShown) throw new Rejection('unavailable', 'the read model is behind the last change of the resource');
  return last;
};

const changed = (): ManageProblem =>
  new ManageProblem('precondition.failed', 'The resource is not the one that If-Match names; read it again');

/**
 * Does the work of a request whose `If-Match` names the resource as it is; its commands are refused when that changes before they are decided.
 * @throws ManageProblem `precondition.failed` when the resource is another than the one that was read, or gone
 */
const whileMatching = async <S extends HasVersions & HasCommands, T>(
  incoming: Incoming<S>,
  { reading, wanted }: { readonly reading: OperationRow<S>; readonly wanted: string },
  work: (context: CallerContext) => Promise<T>,
): Promise<T> => {
  const raw = { ...rawOf(incoming as unknown as Incoming<never>), query: {}, body: undefined };
  const call = callOf(incoming);
  const names = (await unlessAbsent(reading.aggregates?.(raw)(call) ?? Promise.resolve([]))) ?? [];
  // Before the resource is read: what is written after this breaks the precondition.
  const last = await shownVersionsOf(incoming.services, names);
  const current = await unlessAbsent(reading.prepare(raw)(call));
  if (current === undefined || !namesTag(wanted, tagOf(reading, current), false)) throw changed();
  // An asterisk asks for any version.
  if (wanted.trim() === '*') return work(incoming.context);
  const positions = Object.fromEntries(last.map(({ subject, position }) => [subject, position]));
  const sent: string[] = [];
  const preconditionOf = (commandId: string): Precondition => {
    const ownCommandIds = [...sent];
    sent.push(commandId);
    return { positions, ownCommandIds };
  };
  const result = await work({ ...incoming.context, preconditionOf });
  // No command was needed, perhaps because somebody else has made the same change meanwhile.
  if (sent.length === 0 && (await versionsOf(incoming.services, names)).some((one) => one.position !== positions[one.subject]))
    throw changed();
  return result;
};

/** Tag of a representation, without what changes by itself. */
const tagOf = ({ volatile }: Pick<OperationRow<never>, 'volatile'>, result: unknown): string =>
  etagOf(JSON.stringify(result, (name, value: unknown) => (volatile.includes(name) ? undefined : value)));

const answerOf = (row: OperationRow<never>, result: unknown): KeptAnswer => {
  if (row.answer === undefined) return { status: row.status, headers: {}, body: '' };
  const body = JSON.stringify(result);
  return {
    status: row.status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(row.tagged ? { etag: tagOf(row, result) } : {}),
      ...(row.locate ? { location: `${MANAGE_PREFIX}${row.locate(result as never)}` } : {}),
    },
    body,
  };
};

const run = async <S extends HasVersions & HasCommands>(
  incoming: Incoming<S>,
  { row, reading }: MountedOperation<S>,
): Promise<KeptAnswer> => {
  const work = row.prepare(rawOf(incoming as unknown as Incoming<never>));
  const wanted = header(incoming.request, 'if-match');
  const isConditional = wanted !== undefined && reading && row.method !== 'GET';
  const workAs = (context: CallerContext) => work(callOf({ ...incoming, context }));
  const result = isConditional ? whileMatching(incoming, { reading, wanted }, workAs) : workAs(incoming.context);
  return notModified(incoming.request, answerOf(row, await result));
};

const notModified = (request: FastifyRequest, answer: KeptAnswer): KeptAnswer => {
  const known = header(request, 'if-none-match');
  const { etag } = answer.headers;
  const isKnown = request.method !== 'POST' && known !== undefined && etag !== undefined && namesTag(known, etag, true);
  return isKnown && (request.method === 'GET' || request.method === 'HEAD') ? { status: 304, headers: { etag }, body: '' } : answer;
};

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;
/** Seconds after which a request that is running is likely to be done. */
const RUNNING_RETRY_SECONDS = 1;

/** @throws ManageProblem `input.invalid` */
const idempotencyKeyOf = (request: FastifyRequest): string | undefined => {
  const key = header(request, 'idempotency-key');
  if (key === undefined || IDEMPOTENCY_KEY.test(key)) return key;
  const detail = 'must be 1 to 255 visible ASCII characters';
  throw new ManageProblem('input.invalid', `Idempotency-Key ${detail}`, [{ in: 'header', pointer: '/idempotency-key', detail }]);
};

/** Derives the ids of a request's commands from its key (UUID version 8), so that a repetition after a crash does nothing twice. */
const commandIds = (digest: string): (() => string) => {
  let count = 0;
  return () => {
    const hex = sha256Hex(`${digest} ${count++}`);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  };
};

const runOnce = async <S extends HasIdempotency & HasVersions & HasCommands>(
  incoming: Incoming<S>,
  mounted: MountedOperation<S>,
  key: string,
): Promise<KeptAnswer> => {
  const { request, context, services } = incoming;
  const digest = sha256Hex(`${context.caller.account.id} ${key}`);
  const fingerprint = hash('sha256', `${request.method} ${request.url}\n${JSON.stringify(request.body ?? null)}`, 'hex');
  // What is not usable takes no key.
  mounted.row.prepare(rawOf(incoming as unknown as Incoming<never>));
  const claim = await services.idempotency.claim(digest, fingerprint);
  if (claim.kind === 'answered') return { ...claim.answer, headers: { ...claim.answer.headers, 'idempotency-replayed': 'true' } };
  if (claim.kind === 'reused') throw new ManageProblem('idempotency.reused', 'This Idempotency-Key was used for another request');
  if (claim.kind === 'running')
    throw new ManageProblem('idempotency.running', 'The request with this Idempotency-Key is running', [], RUNNING_RETRY_SECONDS);
  try {
    const answer = await run({ ...incoming, context: { ...context, nextCommandId: commandIds(digest) } }, mounted);
    await claim.finish(answer);
    return answer;
  } catch (error) {
    await claim.release();
    throw error;
  }
};

/** Runs an operation for an authenticated caller and sends its answer. */
export const handle = async <S extends HasIdempotency & HasVersions & HasCommands>(
  incoming: Incoming<S>,
  reply: FastifyReply,
  mounted: MountedOperation<S>,
): Promise<FastifyReply> => {
  const { row } = mounted;
  if (row.bytes !== undefined) {
    const download = await row.prepare(rawOf(incoming as unknown as Incoming<never>))(callOf(incoming));
    return sendDownload({ request: incoming.request, reply }, row.bytes, download as Download);
  }
  const key = row.method === 'POST' ? idempotencyKeyOf(incoming.request) : undefined;
  const { status, headers, body } = await (key === undefined ? run(incoming, mounted) : runOnce(incoming, mounted, key));
  return reply
    .code(status)
    .headers(headers)
    .send(body === '' ? undefined : body);
};
