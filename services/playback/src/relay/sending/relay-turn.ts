import { retryPauseMs, type RetryPauses } from '@continuo/chassis';
import type { RecordedEvent, RelayedPlayTable, RelayLinkTable, RelayService } from '@continuo/contracts';
import type { Logger } from 'pino';
import type { RelayTarget, Scrobbler, Submission } from '../listen.js';
import type { RelayMetrics } from '../relay-metrics.js';
import type { RelayCursor, RelayCursors } from './relay-cursors.js';
import type { HeldLink, RelayJournal, Replay } from './relay-journal.js';
import { tellOpinions, type RelayOpinions } from './relay-opinions.js';
import { nameless, preparePlays, type PreparedPlays } from './relay-listens.js';
import { relayPlan, type PlannedPlay, type PlannedStart } from './relay-plan.js';
import type { RelayedSongs } from './relayed-songs.js';

/** Dependencies of a turn. */
export interface RelayTurnDependencies {
  readonly journal: RelayJournal;
  readonly cursors: RelayCursors;
  readonly opinions: RelayOpinions;
  /** Events of an account's plays behind a place in the log. */
  readonly playsAfter: (userId: number, position: number) => Promise<readonly RecordedEvent[]>;
  readonly songs: RelayedSongs;
  /** Client of each service; undefined for one that is off. */
  readonly scrobblers: Readonly<Partial<Record<RelayService, Scrobbler>>>;
  /** Opens what reaches an account; undefined when its key is not to be had. */
  readonly targetOf: (link: RelayLinkTable) => Promise<RelayTarget | undefined>;
  /** Ends a link whose credential the service does not take. */
  readonly refuse: (link: RelayLinkTable) => Promise<void>;
  /** Puts a play aside as a dead letter, for an operator to inspect. */
  readonly bury: (link: RelayLinkTable, play: PlannedPlay, death: { reason: string; attempts: number; turn: string }) => Promise<void>;
  readonly limits: RetryPauses & { readonly maxAttempts: number };
  readonly leaseMs: number;
  readonly metrics: RelayMetrics;
  readonly log: Logger;
  readonly now: () => number;
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Age beyond which a started song is not sent as "now playing", ms. */
const FRESH_MS = 60_000;
/** After so many failed tries plays go one by one, to find the one that a service stumbles over. */
const SINGLY_AFTER = 3;
const REPLAYS_AT_ONCE = 50;
const MAX_FAULT = 500;

/** Why a turn ends before everything is done, and when the next one may begin; null: when something happens. */
interface Stop {
  readonly untilMs: number | null;
}

/** One turn of one link: every play that is ready is scrobbled, in order, by the replica that holds the link. */
export class RelayTurn {
  #cursor: RelayCursor = { position: 0, revision: 0 };
  #attempts: number;
  #taken = 0;
  #isRefused = false;
  #freeAtMs = 0;
  #replays: readonly Replay[] = [];

  constructor(
    private readonly tools: RelayTurnDependencies,
    private readonly link: RelayLinkTable,
    private readonly held: HeldLink,
    private readonly signal: AbortSignal,
  ) {
    this.#attempts = held.progress.attempts;
  }

  /** True while something was not taken. */
  get isFailing(): boolean {
    return this.#attempts > 0;
  }

  /** For how long the service wants no further request, also not for what is played meanwhile, ms. */
  get restMs(): number {
    return Math.max(0, this.#freeAtMs - this.tools.now());
  }

  /** Returns the time of the next turn, epoch ms; null when nothing waits. @throws LinkLost, CursorMoved, or the fault of an unavailable service */
  async run(): Promise<number | null> {
    const { now, journal, cursors, playsAfter, targetOf, scrobblers } = this.tools;
    const { next_at_ms: nextAtMs } = this.held.progress;
    if (this.#attempts > 0 && nextAtMs !== null && nextAtMs > now()) return nextAtMs;
    const scrobbler = scrobblers[this.link.service];
    if (!scrobbler) return null;
    const target = await targetOf(this.link);
    if (!target) {
      await journal.change(this.held, { fault: 'what proves the account cannot be opened with this CONTINUO_SECRET' });
      return now() + HOUR_MS;
    }
    this.#cursor = await cursors.load(this.link);
    const plan = relayPlan(await playsAfter(this.link.user_id, this.#cursor.position));
    const to = { scrobbler, target };
    const stop = (await this.#tellStart(to, plan.start)) ?? (await this.#replay(to)) ?? (await this.#tell(to, plan.plays, plan.end));
    return this.isFailing || this.#isRefused || this.#spent() ? (stop?.untilMs ?? null) : this.#tellOpinions(to, stop?.untilMs ?? null);
  }

  /** Favourites come last, and only while plays are taken: they are never what plays wait for. Answers when the next turn should be. */
  async #tellOpinions({ scrobbler, target }: To, untilMs: number | null): Promise<number | null> {
    const { opinions } = this.tools;
    const ended = await tellOpinions(this.tools, this.link, (song, loved) =>
      this.#ask('opinions', () => scrobbler.love(target, { ...song, loved }, this.signal)),
    );
    if (ended) return (await this.#unauthorized(ended.unauthorized)).untilMs;
    const nextAtMs = await opinions.nextAt(this.link);
    return nextAtMs === null ? untilMs : Math.min(nextAtMs, untilMs ?? Infinity);
  }

  async #tell(to: To, plays: readonly PlannedPlay[], end: number): Promise<Stop | undefined> {
    const firstLate = plays.findIndex((play) => play.readyAtMs > this.tools.now());
    const ready = firstLate < 0 ? plays : plays.slice(0, firstLate);
    const late = firstLate < 0 ? undefined : plays[firstLate];
    this.tools.metrics.waiting.note(this.link, plays.length);
    for (let from = 0; from < ready.length;) {
      const part = ready.slice(from, from + this.#partSize(to));
      const stop = (await this.#settle(to, part, false)) ?? this.#spent();
      if (stop) return stop;
      from += part.length;
      this.tools.metrics.waiting.note(this.link, plays.length - from);
    }
    // Whatever lies before the play that has to wait is nothing to tell.
    await this.#move(late ? late.position - 1 : end);
    return late && { untilMs: late.readyAtMs };
  }

  async #replay(to: To): Promise<Stop | undefined> {
    for (;;) {
      this.#replays = await this.tools.journal.replays(this.link, REPLAYS_AT_ONCE);
      if (this.#replays.length === 0) return undefined;
      const { plays } = relayPlan(this.#replays.map(({ event }) => event));
      for (let from = 0; from < plays.length;) {
        const part = plays.slice(from, from + this.#partSize(to));
        const stop = (await this.#settle(to, part, true)) ?? this.#spent();
        if (stop) return stop;
        from += part.length;
      }
      // Nothing but plays is put aside; whatever else lies there would be read for ever.
      await this.tools.journal.endReplays(this.link, this.#replays);
    }
  }

  /** The share of requests is used up, and the service has said until when. */
  #spent(): Stop | undefined {
    return this.#freeAtMs > this.tools.now() ? { untilMs: this.#freeAtMs } : undefined;
  }

  #partSize({ scrobbler }: To): number {
    return this.#attempts >= SINGLY_AFTER ? 1 : scrobbler.maxListens;
  }

  /** Scrobbles plays, or skips them, and records the outcome; returns why the turn has to end before all are done. */
  async #settle(to: To, plays: readonly PlannedPlay[], isReplay: boolean): Promise<Stop | undefined> {
    if (this.signal.aborted) return { untilMs: this.tools.now() };
    const { listens, told, dropped, unknown } = await this.#prepare(to, plays, isReplay);
    const rows = dropped.map(({ play, reason }) => this.#row(play, 'dropped', reason));
    const done = unknown ? plays.slice(0, plays.indexOf(unknown)) : plays;
    if (listens.length > 0) {
      const submission = await this.#ask('plays', () => to.scrobbler.submit(to.target, listens, this.signal));
      if (submission.kind === 'refused' && told.length > 1) {
        // One of them is the cause; the others are taken.
        for (const play of done) {
          const stop = await this.#settle(to, [play], isReplay);
          if (stop) return stop;
        }
        return unknown && this.#whenKnown();
      }
      const judged = await this.#judge(submission, told);
      if ('untilMs' in judged) return judged;
      await this.#done(done, [...rows, ...judged.rows], isReplay);
      await this.#noteTaken(judged.rows);
    } else await this.#done(done, rows, isReplay);
    return unknown && this.#whenKnown();
  }

  /** The library's tables may be on their way. */
  #whenKnown(): Stop {
    return { untilMs: this.tools.now() + MINUTE_MS };
  }

  async #prepare({ scrobbler }: To, plays: readonly PlannedPlay[], isReplay: boolean): Promise<PreparedPlays> {
    const { now, songs } = this.tools;
    const rules = { sinceMs: this.link.since_ms, nowMs: now(), maxAgeMs: scrobbler.maxAgeMs, isReplay };
    return preparePlays(plays, await songs.byIds(plays.map(({ songId }) => songId)), rules);
  }

  async #judge(submission: Submission, told: readonly PlannedPlay[]): Promise<Stop | { readonly rows: readonly RelayedPlayTable[] }> {
    switch (submission.kind) {
      case 'taken':
        return {
          rows: told.map((play, n) => {
            const outcome = submission.outcomes[n];
            return typeof outcome === 'object' ? this.#row(play, 'ignored', outcome.ignored) : this.#row(play, 'taken', null);
          }),
        };
      case 'refused':
        return { rows: await this.#putAside(told, submission.reason) };
      case 'unauthorized':
        return this.#unauthorized(submission.reason);
      case 'later': {
        const isLast = submission.isSuspect === true && told.length === 1 && this.#attempts + 1 >= this.tools.limits.maxAttempts;
        return isLast ? { rows: await this.#putAside(told, submission.reason) } : this.#later(submission);
      }
    }
  }

  async #putAside(told: readonly PlannedPlay[], reason: string): Promise<readonly RelayedPlayTable[]> {
    const attempts = this.#attempts + 1;
    for (const play of told) await this.tools.bury(this.link, play, { reason, attempts, turn: this.held.holder });
    this.#attempts = 0;
    await this.tools.journal.change(this.held, { attempts: 0, fault: `put aside: ${reason}`.slice(0, MAX_FAULT) });
    return told.map((play) => this.#row(play, 'dead', reason));
  }

  async #later({ reason, retryAfterMs }: Extract<Submission, { kind: 'later' }>): Promise<Stop> {
    const { limits, journal, now, log } = this.tools;
    this.#attempts += 1;
    const untilMs = now() + retryPauseMs(this.#attempts, limits, retryAfterMs, Math.random());
    await journal.change(this.held, { attempts: this.#attempts, fault: reason.slice(0, MAX_FAULT), next_at_ms: untilMs });
    log.warn(
      { ...this.#facts, attempts: this.#attempts, reason, untilMs },
      'a scrobble service did not accept plays; they will be sent again',
    );
    return { untilMs };
  }

  async #unauthorized(reason: string): Promise<Stop> {
    this.#isRefused = true;
    this.tools.log.warn(
      { ...this.#facts, reason },
      'a scrobble service refused an account; nothing is sent until the account is linked again',
    );
    await this.tools.journal.change(this.held, { fault: reason.slice(0, MAX_FAULT) });
    await this.tools.refuse(this.link);
    return { untilMs: null };
  }

  /** Says what is being played, at most once for each start: it is noted before. What comes of it matters only when the account is not known any more. */
  async #tellStart(to: To, start: PlannedStart | undefined): Promise<Stop | undefined> {
    const { now, journal, songs } = this.tools;
    if (!start || start.position <= this.held.progress.playing_position) return undefined;
    if (start.untilMs <= now() || start.recordedAtMs < now() - FRESH_MS) return undefined;
    await journal.change(this.held, { playing_position: start.position });
    const song = (await songs.byIds([start.songId])).songs.get(start.songId);
    if (!song || nameless(song) !== undefined) return undefined;
    const listen = { ...song, position: start.position, playedAtMs: start.startedAtMs, client: start.client };
    const submission = await this.#ask('playing', () => to.scrobbler.nowPlaying(to.target, listen, this.signal));
    return submission.kind === 'unauthorized' ? this.#unauthorized(submission.reason) : undefined;
  }

  async #ask(kind: 'plays' | 'playing' | 'opinions', send: () => Promise<Submission>): Promise<Submission> {
    const { journal, leaseMs, metrics } = this.tools;
    const { service } = this.link;
    await journal.keep(this.held, leaseMs);
    const end = metrics.requestSeconds.startTimer({ to: service });
    const submission = await send();
    end();
    if (submission.kind === 'taken' && submission.pauseMs !== undefined) this.#freeAtMs = this.tools.now() + submission.pauseMs;
    metrics.requests.inc({ to: service, kind, outcome: submission.kind });
    return submission;
  }

  async #done(plays: readonly PlannedPlay[], rows: readonly RelayedPlayTable[], isReplay: boolean): Promise<void> {
    const positions = plays.map(({ position }) => position);
    const ended = this.#replays.filter(({ event }) => positions.includes(event.position));
    if (isReplay) await this.tools.journal.endReplays(this.link, ended);
    else await this.#move(positions.at(-1) ?? 0);
    await this.tools.journal.note(rows);
    for (const { outcome } of rows) this.tools.metrics.plays.inc({ to: this.link.service, outcome });
  }

  async #noteTaken(rows: readonly RelayedPlayTable[]): Promise<void> {
    const count = rows.filter(({ outcome }) => outcome === 'taken' || outcome === 'ignored').length;
    if (count === 0) return;
    this.#attempts = 0;
    this.#taken += count;
    const taken = this.held.progress.taken + this.#taken;
    await this.tools.journal.change(this.held, { attempts: 0, fault: null, next_at_ms: null, taken, last_taken_at_ms: this.tools.now() });
  }

  async #move(position: number): Promise<void> {
    if (position > this.#cursor.position) this.#cursor = await this.tools.cursors.move(this.link, this.#cursor, position);
  }

  #row({ position, songId, playedAtMs }: PlannedPlay, outcome: RelayedPlayTable['outcome'], reason: string | null): RelayedPlayTable {
    const { user_id, service } = this.link;
    return { user_id, service, position, song_id: songId, played_at_ms: playedAtMs, outcome, reason, at_ms: this.tools.now() };
  }

  get #facts() {
    return { userId: this.link.user_id, service: this.link.service, host: this.link.host };
  }
}

interface To {
  readonly scrobbler: Scrobbler;
  readonly target: RelayTarget;
}
