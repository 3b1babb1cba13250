import { randomUUID } from 'node:crypto';
import { decision, type AggregateRunner, type DecisionMeta } from '@continuo/chassis';
import { Rejection, type LogPosition, type SongId } from '@continuo/contracts';
import { democraticSong, democraticSongId, type Ballot } from './democratic-song.decider.js';

/** A ballot for a song, and what the command that brought it carries on. */
export interface CastBallot {
  readonly listId: number;
  readonly songId: SongId;
  readonly ballot: Ballot;
  readonly meta: DecisionMeta;
}

interface Waiting extends CastBallot {
  readonly resolve: (position: LogPosition | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Ballots that one append takes at most. */
const TOGETHER = 500;
/** Rounds of the runner's own tries against other replicas: ballots never exclude each other, so that trying again is always right. */
const ROUNDS = 3;

/**
 * Takes the ballots for songs. When a crowd wants the same song at the same moment, those that come while others are being appended go together into the
 * next append, so that thousands of them take seconds.
 */
export class BallotBox {
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(private readonly aggregates: AggregateRunner) {}

  /**
   * Casts a ballot and answers where it lies in the log; undefined when it was cast before.
   * @throws Rejection `democratic.cooling`, or `conflict` when other replicas write all the time
   */
  cast(given: CastBallot): Promise<LogPosition | undefined> {
    const song = democraticSongId(given.listId, given.songId);
    return new Promise((resolve, reject) => {
      const queue = this.#waiting.get(song);
      if (queue) {
        queue.push({ ...given, resolve, reject });
        return;
      }
      const first: Waiting[] = [{ ...given, resolve, reject }];
      this.#waiting.set(song, first);
      void this.#empty(song, first);
    });
  }

  async #empty(song: string, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) await this.#together(song, queue.splice(0, TOGETHER));
    this.#waiting.delete(song);
  }

  async #together(song: string, ballots: readonly Waiting[]): Promise<void> {
    try {
      const position = await this.#append(song, ballots);
      for (const { resolve } of ballots) resolve(position);
    } catch (error) {
      // One that is refused must not take the others with it.
      if (ballots.length === 1) ballots[0]?.reject(error);
      else for (const ballot of ballots) await this.#together(song, [ballot]);
    }
  }

  async #append(song: string, waiting: readonly Waiting[]): Promise<LogPosition | undefined> {
    const [first] = waiting;
    if (!first) return undefined;
    const { listId, songId, meta } = first;
    const ballots = waiting.map(({ ballot }) => ballot);
    // What comes again must not be taken for all that it went together with: the votes themselves tell what was done.
    const carried = waiting.length === 1 ? meta : { ...meta, actor: 'system', commandId: randomUUID() };
    for (let round = 1; ; round += 1) {
      try {
        return (await this.aggregates.run([decision(democraticSong, song, { type: 'cast', listId, songId, ballots })], carried)).position;
      } catch (error) {
        if (!(error instanceof Rejection && error.code === 'conflict') || round === ROUNDS) throw error;
      }
    }
  }
}
