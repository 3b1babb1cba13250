import {
  decision,
  decisionMeta,
  done,
  HandlesCommand,
  positionsOf,
  AGGREGATES,
  DATABASE,
  type AggregateRunner,
  type DecisionOutcome,
  type CommandOf,
  type AnswerTo,
} from '@continuo/chassis';
import {
  addToCollection,
  changeCollection,
  collectionId,
  createCollection,
  deleteCollection,
  removeFromCollection,
  type CommandMessage,
} from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { userContentIds } from '../identity/user-content-ids.js';
import { ListRoom } from '../list-terms/list-room.js';
import { collection, type CollectionCommand } from './collection.decider.js';

/** Answers the commands about collections. */
@Controller()
export class CollectionController {
  constructor(
    @Inject(AGGREGATES) private readonly aggregates: AggregateRunner,
    @Inject(DATABASE) private readonly db: Kysely<unknown>,
    @Inject(ListRoom) private readonly room: Pick<ListRoom, 'require'>,
  ) {}

  /** Makes a collection. */
  @HandlesCommand(createCollection)
  async create(message: CommandOf<typeof createCollection>): AnswerTo<typeof createCollection> {
    await this.room.require('collection', message.data.ownerId);
    return userContentIds(this.db, 'collection').under(message.id, async (number) => {
      const id = collectionId.parse(number);
      const outcome = await this.decide(message, { type: 'create', collectionId: id, terms: message.data });
      return { result: { collectionId: id }, positions: positionsOf(outcome) };
    });
  }

  /** Changes the terms of a collection, and things at some of its entries. */
  @HandlesCommand(changeCollection)
  change(message: CommandOf<typeof changeCollection>): AnswerTo<typeof changeCollection> {
    const { collectionId: id, places, ...changes } = message.data;
    return done(this.decide(message, { type: 'change', collectionId: id, changes, places }));
  }

  /** Adds a thing. */
  @HandlesCommand(addToCollection)
  async add(message: CommandOf<typeof addToCollection>): AnswerTo<typeof addToCollection> {
    const { collectionId: id, isUnique, ...thing } = message.data;
    const outcome = await this.decide(message, { type: 'add', collectionId: id, thing, isUnique });
    return { result: { added: (outcome.events[0] ?? []).length > 0 }, positions: positionsOf(outcome) };
  }

  /** Removes members. */
  @HandlesCommand(removeFromCollection)
  remove(message: CommandOf<typeof removeFromCollection>): AnswerTo<typeof removeFromCollection> {
    return done(this.decide(message, { type: 'remove', ...message.data }));
  }

  /** Ends a collection. */
  @HandlesCommand(deleteCollection)
  delete(message: CommandOf<typeof deleteCollection>): AnswerTo<typeof deleteCollection> {
    return done(this.decide(message, { type: 'delete', ...message.data }));
  }

  private decide(message: CommandMessage, command: CollectionCommand): Promise<DecisionOutcome> {
    return this.aggregates.run([decision(collection, command.collectionId, command)], decisionMeta(message));
  }
}
