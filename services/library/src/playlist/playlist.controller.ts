import {
  decision,
  decisionMeta,
  done,
  HandlesCommand,
  isOvertaken,
  KeyedMutex,
  positionsOf,
  retryConflicts,
  AGGREGATES,
  DATABASE,
  type AggregateRunner,
  type DecisionOutcome,
  type CommandOf,
  type AnswerTo,
} from '@continuo/chassis';
import {
  addPlaylistMembers,
  changePlaylist,
  clearPlaylist,
  createPlaylist,
  deletePlaylist,
  orderPlaylist,
  playlistId,
  removePlaylistMembers,
  replacePlaylistMembers,
  type CommandMessage,
  type DomainEvent,
} from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { userContentIds } from '../identity/user-content-ids.js';
import { ListRoom } from '../list-terms/list-room.js';
import { playlist, type PlaylistCommand } from './playlist.decider.js';

/** Rounds of the runner's tries: other replicas that write to the list at the same moment mean nothing that would have to be refused. */
const ROUNDS = 3;

/** Answers the commands about playlists. */
@Controller()
export class PlaylistController {
  /** Clients add the songs of an album by a call for each, dozens at once. */
  readonly #mutex = new KeyedMutex();

  constructor(
    @Inject(AGGREGATES) private readonly aggregates: AggregateRunner,
    @Inject(DATABASE) private readonly db: Kysely<unknown>,
    @Inject(ListRoom) private readonly room: Pick<ListRoom, 'require'>,
  ) {}

  /** Makes a list. */
  @HandlesCommand(createPlaylist)
  async create(message: CommandOf<typeof createPlaylist>): AnswerTo<typeof createPlaylist> {
    const { members, ...terms } = message.data;
    await this.room.require('playlist', terms.ownerId);
    return userContentIds(this.db, 'playlist').under(message.id, async (number) => {
      const id = playlistId.parse(number);
      const outcome = await this.decide(message, { type: 'create', playlistId: id, terms, members });
      return { result: { playlistId: id }, positions: positionsOf(outcome) };
    });
  }

  /** Changes the terms of a list, and things at some of its entries. */
  @HandlesCommand(changePlaylist)
  async change(message: CommandOf<typeof changePlaylist>): AnswerTo<typeof changePlaylist> {
    const { playlistId: id, places, ...changes } = message.data;
    const outcome = await this.decide(message, { type: 'change', playlistId: id, changes, places });
    return { result: { isChanged: eventsOf(outcome).length > 0 }, positions: positionsOf(outcome) };
  }

  /** Adds members. */
  @HandlesCommand(addPlaylistMembers)
  async add(message: CommandOf<typeof addPlaylistMembers>): AnswerTo<typeof addPlaylistMembers> {
    const outcome = await this.decide(message, { type: 'add', ...message.data });
    return { result: { added: namedIn(outcome, 'objectIds') }, positions: positionsOf(outcome) };
  }

  /** Removes members. */
  @HandlesCommand(removePlaylistMembers)
  async remove(message: CommandOf<typeof removePlaylistMembers>): AnswerTo<typeof removePlaylistMembers> {
    const outcome = await this.decide(message, { type: 'remove', ...message.data });
    return { result: { removed: namedIn(outcome, 'entries') }, positions: positionsOf(outcome) };
  }

  /** Empties a list. */
  @HandlesCommand(clearPlaylist)
  clear(message: CommandOf<typeof clearPlaylist>): AnswerTo<typeof clearPlaylist> {
    return done(this.decide(message, { type: 'clear', ...message.data }));
  }

  /** Orders a list. */
  @HandlesCommand(orderPlaylist)
  order(message: CommandOf<typeof orderPlaylist>): AnswerTo<typeof orderPlaylist> {
    return done(this.decide(message, { type: 'order', ...message.data }));
  }

  /** Gives a list other members. */
  @HandlesCommand(replacePlaylistMembers)
  replace(message: CommandOf<typeof replacePlaylistMembers>): AnswerTo<typeof replacePlaylistMembers> {
    const { playlistId: id, members, expectedRevision } = message.data;
    return done(this.decide(message, { type: 'replace', playlistId: id, members, expectedRevision }));
  }

  /** Ends a list. */
  @HandlesCommand(deletePlaylist)
  delete(message: CommandOf<typeof deletePlaylist>): AnswerTo<typeof deletePlaylist> {
    return done(this.decide(message, { type: 'delete', ...message.data }));
  }

  private decide(message: CommandMessage, command: PlaylistCommand): Promise<DecisionOutcome> {
    const work = (): Promise<DecisionOutcome> =>
      this.aggregates.run([decision(playlist, command.playlistId, command)], decisionMeta(message));
    return this.#mutex.run(command.playlistId, () => retryConflicts(ROUNDS, work, isOvertaken));
  }
}

const eventsOf = ({ events }: DecisionOutcome): readonly DomainEvent[] => events[0] ?? [];

/** Counts the members that the events of an outcome name. */
const namedIn = (outcome: DecisionOutcome, field: 'objectIds' | 'entries'): number =>
  eventsOf(outcome).reduce((sum, { data }) => sum + ((data as Partial<Record<typeof field, unknown[]>>)[field]?.length ?? 0), 0);
