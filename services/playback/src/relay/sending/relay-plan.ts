import type { PlayEvent, RecordedEvent } from '@continuo/contracts';

/** A play that may have to be scrobbled. */
export interface PlannedPlay {
  /** Place in the log. */
  readonly position: number;
  readonly songId: number;
  readonly playedAtMs: number;
  readonly client: string;
  /** When it was written down. */
  readonly recordedAtMs: number;
  /** Time from which it can be scrobbled: it is no skip any more, and was heard for long enough. */
  readonly readyAtMs: number;
  readonly event: RecordedEvent;
}

/** Song that a client began to play last. */
export interface PlannedStart {
  readonly position: number;
  readonly songId: number;
  readonly client: string;
  readonly startedAtMs: number;
  readonly recordedAtMs: number;
  readonly untilMs: number;
}

/** Plays to send for a part of the log. */
export interface RelayPlan {
  /** Plays in the order of the log, without those that turned out to be skips, or were forgotten. */
  readonly plays: readonly PlannedPlay[];
  /** The latest start that still stands; undefined when there is none. */
  readonly start: PlannedStart | undefined;
  /** Where the part ends. */
  readonly end: number;
}

/** Half of a song, or so much of it, is a listen for both services. */
const ENOUGH_MS = 240_000;
/** Word of a skip may be on its way. */
const GRACE_MS = 2000;

type Recorded = { [T in PlayEvent['type']]: RecordedEvent<Extract<PlayEvent, { type: T }>> }[PlayEvent['type']];
type Played = RecordedEvent<Extract<PlayEvent, { type: 'SongPlayed' }>>;

/**
 * Plays that a client says were heard are ready at once; only those under way have a skip window. One under way waits until it cannot become a skip any more and has run for as long as the services
 * ask for; a client with a clock that is ahead holds nothing up for longer.
 */
const readyAt = ({ data, at }: Played): number => {
  const { playedAtMs, durationMs = 0, skipWindowMs } = data;
  if (skipWindowMs === undefined) return at;
  return Math.min(playedAtMs, at) + Math.max(skipWindowMs, Math.min(durationMs / 2, ENOUGH_MS)) + GRACE_MS;
};

/** Reads events of one account in log order. */
class PlanReader {
  plays: PlannedPlay[] = [];
  start: PlannedStart | undefined;

  read(event: Recorded): void {
    switch (event.type) {
      case 'SongPlayed':
        return this.played(event);
      case 'SongSkipped':
        return this.skipped(event.data);
      case 'PlaysCleared':
        // What somebody wants forgotten is told to nobody.
        this.plays = [];
        return;
      case 'PlaybackStarted': {
        const { objectType, objectId, client, startedAtMs, playingUntilMs } = event.data;
        if (objectType === 'song') this.begun(event, { songId: objectId, client, startedAtMs, untilMs: playingUntilMs });
        else if (this.start?.client === client) this.start = undefined;
        return;
      }
      case 'PlaybackStopped':
        if (this.start?.client === event.data.client) this.start = undefined;
        return;
      default:
        // What is no song is told to nobody.
        return;
    }
  }

  private played(event: Played): void {
    const { songId, playedAtMs, client, playingUntilMs } = event.data;
    const { position, at } = event;
    this.plays.push({ position, songId, playedAtMs, client, recordedAtMs: at, readyAtMs: readyAt(event), event });
    if (playingUntilMs !== undefined) this.begun(event, { songId, client, startedAtMs: playedAtMs, untilMs: playingUntilMs });
  }

  private skipped({ songId, playedAtMs, client }: { songId: number; playedAtMs: number; client: string }): void {
    const index = this.plays.findLastIndex((play) => play.songId === songId && play.playedAtMs === playedAtMs && play.client === client);
    if (index >= 0) this.plays.splice(index, 1);
  }

  private begun({ position, at }: RecordedEvent, start: Omit<PlannedStart, 'position' | 'recordedAtMs'>): void {
    this.start = { ...start, position, recordedAtMs: at };
  }
}

/** Plans the plays to send for events of one account's plays; events of other kinds are skipped. */
export const relayPlan = (events: readonly RecordedEvent[]): RelayPlan => {
  const reader = new PlanReader();
  for (const event of events) reader.read(event as Recorded);
  return { plays: reader.plays, start: reader.start, end: events.at(-1)?.position ?? 0 };
};

/** Shortest song that the services want to hear of. */
const SHORTEST_MS = 30_000;
/** Clocks may differ by so much. */
const CLOCKS_MS = 300_000;

/** Rules that decide whether a service accepts a play. */
export interface PlayRules {
  readonly sinceMs: number;
  readonly nowMs: number;
  readonly maxAgeMs: number | undefined;
  /** True for what an operator sends once more: it was wanted then. */
  readonly isReplay: boolean;
}

/** Reason why a play is not scrobbled; undefined for one that is. Lengths are known once the song is. */
export const unwanted = (
  { playedAtMs }: Pick<PlannedPlay, 'playedAtMs'>,
  durationMs: number,
  { sinceMs, nowMs, maxAgeMs, isReplay }: PlayRules,
): string | undefined => {
  if (!isReplay && playedAtMs < sinceMs) return 'played before the account was linked';
  if (playedAtMs > nowMs + CLOCKS_MS) return 'played in the future';
  if (maxAgeMs !== undefined && playedAtMs < nowMs - maxAgeMs) return 'older than the service takes';
  return durationMs <= SHORTEST_MS ? 'not longer than 30 seconds' : undefined;
};
