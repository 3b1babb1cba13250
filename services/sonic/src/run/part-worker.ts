import { decision, RetryLater, type AggregateRunner, type JobDelivery, type MediaStore } from '@continuo/chassis';
import { Rejection, soundBlockOf, type ReadModel, type SonicCounts, type SonicRunId } from '@continuo/contracts';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { AnalyserAway, SongTooHard, type Analyser } from '../plugin/analyser.js';
import { isKnown, soundsAggregate, type KnownSound, type SoundsCommand } from '../song/sounds.decider.js';
import { NoFfmpeg, NoSound, type Fingerprint } from '../sound/fingerprint.js';
import { packSound, signed, toEvent, type PackedSound } from '../sound/packed-vector.js';
import { partSongs, soundByFingerprint, type PartSong } from './part-songs.reads.js';
import { runAggregate, type RunState } from './run.decider.js';

/** What the worker of runs works with. */
export interface PartWorkerTools {
  readonly aggregates: AggregateRunner;
  readonly db: Kysely<ReadModel>;
  /** Undefined where nothing analyses. */
  readonly analyser: Analyser | undefined;
  readonly fingerprint: Fingerprint;
  readonly mediaStore: Pick<MediaStore, 'locate'>;
  readonly log: Logger;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Told of each song that is done with. */
  readonly ended: (outcome: keyof SonicCounts, durationMs: number) => void;
}

/** One part of a run. */
export interface PartJob {
  readonly runId: SonicRunId;
  readonly part: number;
}

/** Attempts after which a part is a dead letter. Workers that died are among them, so there are many. */
export const MAX_PART_ATTEMPTS = 20;
const SONGS_PER_PAGE = 64;
const LOOK_INTERVAL_MS = 1000;
const AWAY_RETRY_MS = 30_000;
const LONGEST_REASON = 300;

type Wanted = NonNullable<RunState['wanted']>;
type Outcome = keyof SonicCounts;

/** The run ended while one of its parts was worked on. */
class RunEnded extends Error {
  override readonly name = 'RunEnded';
}

/** What one visit to a part works with. */
interface Visit {
  readonly wanted: Wanted;
  readonly analyser: Analyser;
  readonly delivery: JobDelivery;
  readonly signal: AbortSignal;
}

/**
 * Works on parts of runs, one per job. Each song is written when it is known, so that a second delivery after a crash or a lost claim goes on where the first one
 * stopped; and what two workers find out at the same moment is written once.
 */
export class PartWorker {
  constructor(private readonly tools: PartWorkerTools) {}

  /** @throws RetryLater while the songs cannot be analysed here; any other error has the part tried again, here or elsewhere */
  async run({ runId, part }: PartJob, delivery: JobDelivery): Promise<void> {
    const { state } = await this.tools.aggregates.load(runAggregate, runId);
    if (state.status !== 'running' || state.ended.includes(part) || !state.wanted) return;
    const counts = await this.#workWhileOpen(state.wanted, part, delivery);
    if (counts) await this.tools.aggregates.run([decision(runAggregate, runId, { type: 'end-part', part, counts })], this.#meta(delivery));
  }

  /** Undefined when the run has ended meanwhile. */
  async #workWhileOpen(wanted: Wanted, part: number, delivery: JobDelivery): Promise<SonicCounts | undefined> {
    const { analyser } = this.tools;
    if (analyser?.model !== wanted.model) throw new RetryLater(AWAY_RETRY_MS, `nothing here analyses by ${wanted.model}`);
    const stop = new AbortController();
    const onHandBack = (): void => stop.abort(delivery.signal.reason);
    delivery.signal.addEventListener('abort', onHandBack, { once: true });
    if (delivery.signal.aborted) onHandBack();
    const looking = setInterval(() => void this.#look(wanted.runId, stop), LOOK_INTERVAL_MS);
    try {
      return await this.#work({ wanted, analyser, delivery, signal: stop.signal }, part);
    } catch (error) {
      if (stop.signal.reason instanceof RunEnded) return undefined;
      throw error;
    } finally {
      clearInterval(looking);
      delivery.signal.removeEventListener('abort', onHandBack);
    }
  }

  async #look(runId: SonicRunId, stop: AbortController): Promise<void> {
    try {
      const { state } = await this.tools.aggregates.load(runAggregate, runId);
      if (state.status !== 'running') stop.abort(new RunEnded());
    } catch (err) {
      this.tools.log.warn({ err, runId }, 'a run of the sonic analysis cannot be looked at');
    }
  }

  async #work(visit: Visit, part: number): Promise<SonicCounts> {
    const { idsPerPart, catalogId } = visit.wanted;
    const bounds = { firstId: part * idsPerPart, endId: (part + 1) * idsPerPart, catalogId };
    const counts = { analysed: 0, reused: 0, known: 0, failed: 0 };
    for (let afterId = bounds.firstId - 1; ;) {
      const songs = await partSongs(this.tools.db, bounds, { afterId, count: SONGS_PER_PAGE });
      for (const song of songs) {
        visit.signal.throwIfAborted();
        const startedAtMs = performance.now();
        const outcome = await this.#song(visit, song);
        counts[outcome] += 1;
        this.tools.ended(outcome, performance.now() - startedAtMs);
      }
      const last = songs.at(-1);
      if (!last || songs.length < SONGS_PER_PAGE) return counts;
      afterId = last.songId;
    }
  }

  async #song(visit: Visit, song: PartSong): Promise<Outcome> {
    const { wanted } = visit;
    const { state } = await this.tools.aggregates.load(soundsAggregate, soundBlockOf(song.songId));
    const known: KnownSound | undefined = state[song.songId];
    const isDone = isKnown(known, song.file, wanted.model) && (!wanted.again || known.runId === wanted.runId);
    if (isDone) return 'known';
    try {
      return await this.#hear(visit, song);
    } catch (error) {
      visit.signal.throwIfAborted();
      return this.#afterFailure(visit, song, error);
    }
  }

  async #hear(visit: Visit, song: PartSong): Promise<Outcome> {
    const { mediaStore, fingerprint: fingerprintOf, db } = this.tools;
    const { realPath } = await mediaStore.locate(song.catalogPath, song.path);
    const fingerprint = await fingerprintOf(realPath, visit.signal);
    const { model, again } = visit.wanted;
    const same = again ? undefined : await soundByFingerprint(db, fingerprint, model);
    const reused = same && soundOf(same);
    const sound = reused ?? (await this.#analyse(visit, song, realPath));
    if (!sound) throw new NoSound('there is not enough to hear in it');
    await this.#write(visit, song, {
      type: 'hear',
      heard: { songId: song.songId, model, fingerprint, file: song.file, vector: toEvent(sound), runId: visit.wanted.runId },
    });
    return reused ? 'reused' : 'analysed';
  }

  async #analyse(
    { analyser, signal }: Visit,
    { songId, title, durationMs, mime }: PartSong,
    path: string,
  ): Promise<PackedSound | undefined> {
    const vector = await unlessAborted(analyser.analyse({ songId, title, durationMs, mime, path }), signal);
    return vector && packSound(vector);
  }

  /** What is the song's own fault is written, so that nobody tries it again before its file changes; what is not, is left for the next run. */
  async #afterFailure(visit: Visit, song: PartSong, error: unknown): Promise<Outcome> {
    if (error instanceof AnalyserAway || error instanceof NoFfmpeg) throw new RetryLater(AWAY_RETRY_MS, error.message);
    if (error instanceof Rejection) {
      this.tools.log.info({ songId: song.songId, reason: error.message }, 'a song that should be analysed cannot be opened');
      return 'failed';
    }
    if (!(error instanceof NoSound || error instanceof SongTooHard)) throw error;
    const { songId, file } = song;
    const { model, runId } = visit.wanted;
    await this.#write(visit, song, {
      type: 'fail',
      failed: { songId, model, file, reason: error.message.slice(0, LONGEST_REASON), runId },
    });
    return 'failed';
  }

  async #write({ delivery }: Visit, { songId }: PartSong, command: SoundsCommand): Promise<void> {
    await this.tools.aggregates.run([decision(soundsAggregate, soundBlockOf(songId), command)], this.#meta(delivery));
  }

  #meta({ actor, correlationId, causationId, traceparent }: JobDelivery) {
    return { actor, correlationId, causationId, ...(traceparent ? { traceparent } : {}), at: this.tools.now() };
  }
}

/** Waits no longer than the signal allows; what a plug-in has begun it ends by itself. @throws the reason of the signal */
const unlessAborted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
};

const soundOf = ({ scale, vector }: { readonly scale: number | null; readonly vector: Uint8Array | null }): PackedSound | undefined =>
  scale === null || vector === null ? undefined : { scale, bytes: signed(vector) };
