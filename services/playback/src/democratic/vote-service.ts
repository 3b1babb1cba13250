import { randomUUID } from 'node:crypto';
import { decision, retryConflicts, type AggregateRunner, type DecisionMeta } from '@continuo/chassis';
import type { LogPosition, SongId } from '@continuo/contracts';
import { democraticSong, democraticSongId, type Vote } from './democratic-song.decider.js';

/** A vote for a song, with the metadata of its command. */
export interface CastVote {
  readonly listId: number;
  readonly songId: SongId;
  readonly vote: Vote;
  readonly meta: DecisionMeta;
}

interface Waiting extends CastVote {
  readonly resolve: (position: LogPosition | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Most votes in one append. */
const TOGETHER = 500;
/** Attempts after conflicts with other replicas; votes never exclude each other, so a retry is always right. */
const ROUNDS = 3;

/**
 * Appends votes for songs. Votes for the same song that arrive during an append go together into the next one, so that thousands of them take seconds.
 */
export class VoteService {
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(private readonly aggregates: AggregateRunner) {}

  /**
   * Casts a vote; resolves with its position in the log, or undefined when it was cast before.
   * @throws Rejection `democratic.cooling`, or `conflict` when other replicas write all the time
   */
  cast(given: CastVote): Promise<LogPosition | undefined> {
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

  async #together(song: string, votes: readonly Waiting[]): Promise<void> {
    try {
      const position = await this.#append(song, votes);
      for (const { resolve } of votes) resolve(position);
    } catch (error) {
      // A refused vote must not reject the others of its batch.
      if (votes.length === 1) votes[0]?.reject(error);
      else for (const vote of votes) await this.#together(song, [vote]);
    }
  }

  async #append(song: string, waiting: readonly Waiting[]): Promise<LogPosition | undefined> {
    const [first] = waiting;
    if (!first) return undefined;
    const { listId, songId, meta } = first;
    const votes = waiting.map(({ vote }) => vote);
    // A batch gets its own command id: a retried vote must not count as the whole batch. The votes in the state tell duplicates.
    const carried = waiting.length === 1 ? meta : { ...meta, actor: 'system', commandId: randomUUID() };
    const cast = decision(democraticSong, song, { type: 'cast', listId, songId, votes });
    const { position } = await retryConflicts(ROUNDS, () => this.aggregates.run([cast], carried));
    return position;
  }
}
