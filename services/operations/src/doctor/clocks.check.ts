import { eventStreams } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';
import type { Session } from '../connect/session.js';
import { ok, reasonOf, warning, type Finding } from './finding.js';

/** Clocks that differ by more make sessions end early and plays come in the wrong order. */
const MOST_MS = 2000;
/** An event is written in the moment of its decision; a command that was tried again may be older. */
const MOST_OF_EVENTS_MS = 30_000;
const HTTP_TIMEOUT_MS = 5000;
/** HTTP tells whole seconds. */
const SECOND_MS = 1000;

const REMEDY = 'let all machines take their time from the same servers (NTP, chrony, systemd-timesyncd)';

/** Offset of a clock from this machine's, ms; corrected by the duration of the request. */
export const skewOf = (askedAtMs: number, toldMs: number, answeredAtMs: number): number => {
  if (toldMs < askedAtMs) return toldMs - askedAtMs;
  return toldMs > answeredAtMs ? toldMs - answeredAtMs : 0;
};

const judge = (whose: string, skewMs: number, mostMs: number): Finding => {
  const subject = `Clock of ${whose}`;
  const seconds = `${(Math.abs(skewMs) / 1000).toFixed(1)} s`;
  if (Math.abs(skewMs) <= mostMs) return ok(subject, 'agrees with this machine');
  return warning(subject, `is ${seconds} ${skewMs > 0 ? 'ahead of' : 'behind'} this machine`, REMEDY);
};

/** The clock of Postgres. */
export const checkDatabaseClock = async (db: Kysely<never>): Promise<Finding> => {
  const askedAtMs = Date.now();
  const { rows } = await sql<{ ms: string }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms`.execute(db);
  return judge('Postgres', skewOf(askedAtMs, Number(rows[0]?.ms ?? 0), Date.now()), MOST_MS);
};

/** The clock of the NATS server that answers for a log, and those of the services, as their newest events have it. */
export const checkLogClocks = async ({ manager }: Pick<Session, 'manager'>): Promise<Finding[]> => {
  const findings: Finding[] = [];
  for (const [context, stream] of Object.entries(eventStreams)) {
    try {
      const askedAtMs = Date.now();
      const { ts, state } = await manager.streams.info(stream);
      if (findings.length === 0 && ts !== undefined) findings.push(judge('NATS', skewOf(askedAtMs, Date.parse(ts), Date.now()), MOST_MS));
      const newest = state.last_seq > 0 ? await manager.streams.getMessage(stream, { seq: state.last_seq }) : null;
      if (!newest) continue;
      const decidedAtMs = Number(newest.header.get('Continuo-At'));
      const skewMs = decidedAtMs - newest.time.getTime();
      if (Math.abs(skewMs) > MOST_OF_EVENTS_MS)
        findings.push(judge(`whoever wrote to the log of ${context} last`, skewMs, MOST_OF_EVENTS_MS));
    } catch {
      // A log that cannot be read has a finding of its own.
      continue;
    }
  }
  return findings;
};

/** The clock of the gateway, by its answers; undefined when its address is not known or it does not answer. */
export const checkGatewayClock = async (url: string | undefined): Promise<Finding | undefined> => {
  if (url === undefined) return undefined;
  const askedAtMs = Date.now();
  try {
    const answer = await fetch(new URL('/health/live', url), { signal: AbortSignal.timeout(HTTP_TIMEOUT_MS) });
    await answer.arrayBuffer();
    const told = Date.parse(answer.headers.get('date') ?? '');
    return Number.isNaN(told) ? undefined : judge('the gateway', skewOf(askedAtMs - SECOND_MS, told, Date.now()), MOST_MS);
  } catch (error) {
    return warning('Clock of the gateway', `cannot be told: ${reasonOf(error)}`, 'look at the log of the server');
  }
};
