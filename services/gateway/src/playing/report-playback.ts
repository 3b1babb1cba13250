import { startPlayback, stopPlayback } from '@continuo/contracts';
import { runCommand } from '../commands.js';
import { messageContext, type CallerContext } from '../http/request-context.js';
import type { GatewayServices } from '../services.js';
import { afterReport, isEnough, positionAt, type PlaybackReport, type PlayingSession } from './playing-session.js';

/** What reports are taken with. */
export type ReportServices = Pick<GatewayServices, 'commands' | 'watch' | 'config' | 'playing' | 'now'>;

/** What is of unknown length, or nearly over, is shown for this long. */
const SHORTEST_MS = 30_000;

const ended = async (services: ReportServices, context: CallerContext, session: PlayingSession, isReplaced: boolean): Promise<void> => {
  const { userId, client, objectType, objectId, startedAtMs, durationMs, isUncounted } = session;
  const counts = !isUncounted && isEnough(session);
  // What took its place in the log ends it there; only its play is left to be told.
  if (isReplaced && !counts) return;
  const heard = counts ? { heard: { startedAtMs, durationMs } } : {};
  await runCommand(services, context, stopPlayback, { userId, client, objectType, objectId, ...heard });
};

const began = async (services: ReportServices, context: CallerContext, session: PlayingSession): Promise<void> => {
  const { userId, client, objectType, objectId, startedAtMs, durationMs, rate } = session;
  const leftMs = Math.max(SHORTEST_MS, Math.ceil((durationMs - positionAt(session, startedAtMs)) / rate));
  const data = { userId, client, objectType, objectId, startedAtMs, durationMs: leftMs, isNow: true };
  // Shown from the board already, so that nobody has to wait for the tables.
  await services.commands.send(startPlayback, data, messageContext(context));
};

/**
 * Takes a report of a client: shows what it plays, and counts a play when something has ended of which enough was heard. What is told to the log comes first, so that a
 * report that fails half-way can be sent again: the log knows each play by its start.
 * @throws Rejection `unavailable`
 */
export const reportPlayback = (services: ReportServices, context: CallerContext, report: PlaybackReport): Promise<void> =>
  services.playing.change(report, async (known) => {
    const outcome = afterReport(known, report, services.now());
    if (outcome.ended) await ended(services, context, outcome.ended, outcome.isNew);
    if (outcome.isNew && outcome.next) await began(services, context, outcome.next);
    return outcome.next;
  });
