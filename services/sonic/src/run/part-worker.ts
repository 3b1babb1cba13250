import {
  decision,
  RetryLater,
  unlessAborted,
  unlessUnwanted,
  whileWanted,
  type AggregateRunner,
  type JobDelivery,
} from '@continuo/chassis';
import { Rejection, soundBlockOf, type ReadModel, type SonicCounts, type SonicRunId } from '@continuo/contracts';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { MediaStore } from '@continuo/media-store';
import { AnalyserUnavailable, SongAnalysisFailed, type Analyser } from '../plugin/analyser.js';
import { isKnown, soundsAggregate, type KnownSound, type SoundsCommand } from '../song/sounds.decider.js';
import { FfmpegUnavailable, UndecodableAudio, type Fingerprint } from '../sound/fingerprint.js';
import { packSound, signed, toEvent, type PackedSound } from '../sound/packed-vector.js';
import { partSongs, soundByFingerprint, type PartSong } from './part-songs.reads.js';
import { runAggregate, type RunState } from './run.decider.js';

/** Dependencies of {@link PartWorker}. */
export interface PartWorkerDependencies {
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

/** Context of one part. */
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
  constructor(private readonly deps: PartWorkerDependencies) {}

  /** @throws RetryLater while the songs cannot be analysed here; any other error has the part tried again, here or elsewhere */
  async run({ runId, part }: PartJob, delivery: JobDelivery): Promise<void> {
    const { state } = await this.deps.aggregates.load(runAggregate, runId);
    if (state.status !== 'running' || state.ended.includes(part) || !state.wanted) return;
    const counts = await this.#workWhileOpen(state.wanted, part, delivery);
    if (counts) await this.deps.aggregates.run([decision(runAggregate, runId, { type: 'end-part', part, counts })], this.#meta(delivery));
  }

  /** Undefined when the run has ended meanwhile. */
  async #workWhileOpen(wanted: Wanted, part: number, delivery: JobDelivery): Promise<SonicCounts | undefined> {
    const { analyser } = this.deps;
    if (analyser?.model !== wanted.model) throw new RetryLater(AWAY_RETRY_MS, `nothing here analyses by ${wanted.model}`);
    return whileWanted({
      work: (signal) => this.#work({ wanted, analyser, delivery, signal }, part),
      isWanted: async () => (await this.deps.aggregates.load(runAggregate, wanted.runId)).state.status === 'running',
      everyMs: LOOK_INTERVAL_MS,
      signal: delivery.signal,
      onFault: (err) => this.deps.log.warn({ err, runId: wanted.runId }, 'failed to read sonic analysis run'),
    }).catch(unlessUnwanted);
  }

  async #work(visit: Visit, part: number): Promise<SonicCounts> {
    const { idsPerPart, catalogId } = visit.wanted;
    const bounds = { firstId: part * idsPerPart, endId: (part + 1) * idsPerPart, catalogId };
    const counts = { analysed: 0, reused: 0, known: 0, failed: 0 };
    for (let afterId = bounds.firstId - 1; ;) {
      const songs = await partSongs(this.deps.db, bounds, { afterId, count: SONGS_PER_PAGE });
      for (const song of songs) {
        visit.signal.throwIfAborted();
        const startedAtMs = performance.now();
        const outcome = await this.#song(visit, song);
        counts[outcome] += 1;
        this.deps.ended(outcome, performance.now() - startedAtMs);
      }
      const last = songs.at(-1);
      if (!last || songs.length < SONGS_PER_PAGE) return counts;
      afterId = last.songId;
    }
  }

  async #song(visit: Visit, song: PartSong): Promise<Outcome> {
    const { wanted } = visit;
    const { state } = await this.deps.aggregates.load(soundsAggregate, soundBlockOf(song.songId));
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
    const { mediaStore, fingerprint: fingerprintOf, db } = this.deps;
    const { realPath } = await mediaStore.locate(song.catalogPath, song.path);
    const fingerprint = await fingerprintOf(realPath, visit.signal);
    const { model, again } = visit.wanted;
    const same = again ? undefined : await soundByFingerprint(db, fingerprint, model);
    const reused = same && soundOf(same);
    const sound = reused ?? (await this.#analyse(visit, song, realPath));
    if (!sound) throw new UndecodableAudio('there is not enough to hear in it');
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

  /** Records a failure that is the song's own, so that it is not tried again before its file changes; leaves others to the next run. */
  async #afterFailure(visit: Visit, song: PartSong, error: unknown): Promise<Outcome> {
    if (error instanceof AnalyserUnavailable || error instanceof FfmpegUnavailable) throw new RetryLater(AWAY_RETRY_MS, error.message);
    if (error instanceof Rejection) {
      this.deps.log.info({ songId: song.songId, reason: error.message }, 'song to analyse cannot be opened');
      return 'failed';
    }
    if (!(error instanceof UndecodableAudio || error instanceof SongAnalysisFailed)) throw error;
    const { songId, file } = song;
    const { model, runId } = visit.wanted;
    await this.#write(visit, song, {
      type: 'fail',
      failed: { songId, model, file, reason: error.message.slice(0, LONGEST_REASON), runId },
    });
    return 'failed';
  }

  async #write({ delivery }: Visit, { songId }: PartSong, command: SoundsCommand): Promise<void> {
    await this.deps.aggregates.run([decision(soundsAggregate, soundBlockOf(songId), command)], this.#meta(delivery));
  }

  #meta({ actor, correlationId, causationId, traceparent }: JobDelivery) {
    return { actor, correlationId, causationId, ...(traceparent ? { traceparent } : {}), at: this.deps.now() };
  }
}

const soundOf = ({ scale, vector }: { readonly scale: number | null; readonly vector: Uint8Array | null }): PackedSound | undefined =>
  scale === null || vector === null ? undefined : { scale, bytes: signed(vector) };
