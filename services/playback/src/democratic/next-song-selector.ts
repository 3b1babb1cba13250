import { decision, decisionMeta, retryConflicts, type AggregateRunner, type Decision } from '@continuo/chassis';
import {
  democraticTurnTaken,
  Rejection,
  type CommandMessage,
  type DemocraticListenerEvent,
  type SongId,
  type takeDemocraticTurn,
} from '@continuo/contracts';
import type { LogPosition } from '@continuo/contracts';
import type { z } from 'zod';
import { democraticListener, democraticListenerId, isOver, turnOf, type Turn } from './democratic-listener.decider.js';
import { democraticSong, democraticSongId } from './democratic-song.decider.js';

type Message = CommandMessage<z.output<typeof takeDemocraticTurn.schema>>;
type Playable = Message['data']['candidates'][number];

/** The selected song, and the log positions to wait for. */
export interface SelectedSong {
  readonly songId: SongId | null;
  readonly positions: readonly LogPosition[];
}

/** Attempts after conflicts with other requests of the same client. */
const ROUNDS = 3;

const stays = (turn: Turn | undefined, { data: { request }, at }: Message): boolean =>
  request === 'later-part' || (request === 'first-part' && turn !== undefined && !isOver(turn, at));

const begin = ({ data, at }: Message, { songId, durationMs }: Playable, after: number): Decision => {
  const { listId, userId, client } = data;
  const command = { type: 'begin', listId, userId, client, songId, durationMs, nowMs: at, after } as const;
  return decision(democraticListener, democraticListenerId(listId, userId), command);
};

/** Uses up the votes of a song, if it still has any. */
const play = ({ data: { listId }, at }: Message, { songId }: Playable): Decision =>
  decision(democraticSong, democraticSongId(listId, songId), { type: 'play', listId, songId, nowMs: at });

/**
 * Selects the next song of a listener. Using up the votes of a song and taking the turn is one append: with concurrent requests on any replica,
 * each voted song goes to one listener.
 */
export class NextSongSelector {
  constructor(private readonly aggregates: AggregateRunner) {}

  /** Selects what the client plays after this request. */
  take(message: Message): Promise<SelectedSong> {
    return retryConflicts(ROUNDS, async () => {
      const turn = await this.turn(message);
      return stays(turn, message) ? { songId: turn?.songId ?? null, positions: [] } : this.next(message, turn?.number ?? 0);
    });
  }

  private async turn({ data: { listId, userId, client } }: Message): Promise<Turn | undefined> {
    const { state } = await this.aggregates.load(democraticListener, democraticListenerId(listId, userId));
    return turnOf(state, client);
  }

  private async next(message: Message, after: number): Promise<SelectedSong> {
    const { candidates, otherwise } = message.data;
    for (const candidate of candidates) {
      try {
        return await this.run(message, [begin(message, candidate, after), play(message, candidate)]);
      } catch (error) {
        // Another listener has it already.
        if (!(error instanceof Rejection && error.code === 'song.not-found')) throw error;
      }
    }
    return otherwise === null ? { songId: null, positions: [] } : this.run(message, [begin(message, otherwise, after)]);
  }

  /** Runs the decisions; the song is read from the event, so that a repeated command gets the same answer. */
  private async run(message: Message, decisions: readonly Decision[]): Promise<SelectedSong> {
    const { events, position } = await this.aggregates.run(decisions, decisionMeta(message));
    const taken = (events.flat() as DemocraticListenerEvent[]).find(({ type }) => type === democraticTurnTaken.type);
    return { songId: taken?.data.songId ?? null, positions: position ? [position] : [] };
  }
}
