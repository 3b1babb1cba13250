import { startPlayback, stopPlayback } from '@continuo/contracts';
import { runCommand } from '../../server/commands.js';
import { messageContext, type CallerContext } from '../../server/requests/request-context.js';
import { afterReport, isEnough, positionAt, type PlaybackReport, type PlayingSession } from './playing-session.js';
import type { HasPlaying } from './playing-session-store.js';
import type { HasClock, HasCommands, HasConfig } from '../../server/needs.js';

/** Services that handle playback reports. */
export type ReportServices = HasCommands & HasConfig & HasPlaying & HasClock;

/** Shortest time shown, for media of unknown length or near the end, ms. */
const SHORTEST_MS = 30_000;

const publishEnd = async (
  services: ReportServices,
  context: CallerContext,
  session: PlayingSession,
  isReplaced: boolean,
): Promise<void> => {
  const { userId, client, objectType, objectId, startedAtMs, durationMs, isUncounted } = session;
  const isCounted = !isUncounted && isEnough(session);
  // The next start ends it in the log; only a counted play is left to publish.
  if (isReplaced && !isCounted) return;
  const heard = isCounted ? { heard: { startedAtMs, durationMs } } : {};
  await runCommand(services, context, stopPlayback, { userId, client, objectType, objectId, ...heard });
};

const publishStart = async (services: ReportServices, context: CallerContext, session: PlayingSession): Promise<void> => {
  const { userId, client, objectType, objectId, startedAtMs, durationMs, rate } = session;
  const leftMs = Math.max(SHORTEST_MS, Math.ceil((durationMs - positionAt(session, startedAtMs)) / rate));
  const data = { userId, client, objectType, objectId, startedAtMs, durationMs: leftMs, isNow: true };
  // Not waited for: now playing is read from the store.
  await services.commands.send(startPlayback, data, messageContext(context));
};

/**
 * Handles a playback report: shows the present play and counts the ended one if enough was heard. Commands are sent before the session is
 * stored, so that a report that failed half-way can be repeated: plays are identified by their start.
 * @throws Rejection `unavailable`
 */
export const reportPlayback = (services: ReportServices, context: CallerContext, report: PlaybackReport): Promise<void> =>
  services.playing.change(report, async (known) => {
    const outcome = afterReport(known, report, services.now());
    if (outcome.ended) await publishEnd(services, context, outcome.ended, outcome.isNew);
    if (outcome.isNew && outcome.next) await publishStart(services, context, outcome.next);
    return outcome.next;
  });
