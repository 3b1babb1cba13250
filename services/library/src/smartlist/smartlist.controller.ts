import {
  decision,
  decisionMeta,
  done,
  HandlesCommand,
  AGGREGATES,
  DATABASE,
  type AggregateRunner,
  type DecisionOutcome,
  type CommandOf,
  type AnswerTo,
} from '@continuo/chassis';
import {
  changeSmartlist,
  countSmartlist,
  createSmartlist,
  deleteSmartlist,
  given,
  smartlistId,
  type CommandMessage,
  type SmartlistId,
  type SmartlistTerms,
} from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import { sql, type Kysely } from 'kysely';
import { userContentIds } from '../identity/user-content-ids.js';
import { ListRoom } from '../list-terms/list-room.js';
import { freeName } from './smartlist-name.js';
import { smartlist, type SmartlistCommand } from './smartlist.decider.js';

/** Owner and type of a list: names are unique within both. */
type Place = Pick<SmartlistTerms, 'ownerId' | 'isPublic'>;

/** Answers the commands about smartlists. */
@Controller()
export class SmartlistController {
  constructor(
    @Inject(AGGREGATES) private readonly aggregates: AggregateRunner,
    @Inject(DATABASE) private readonly db: Kysely<unknown>,
    @Inject(ListRoom) private readonly room: Pick<ListRoom, 'require'>,
  ) {}

  /** Keeps a search. */
  @HandlesCommand(createSmartlist)
  async create(message: CommandOf<typeof createSmartlist>): AnswerTo<typeof createSmartlist> {
    await this.room.require('smartlist', message.data.ownerId);
    const name = await this.nameFor(message.data.name, message.data);
    return userContentIds(this.db, 'smartlist').under(message.id, async (number) => {
      const id = smartlistId.parse(number);
      const { position, events } = await this.decide(message, { type: 'create', smartlistId: id, terms: { ...message.data, name } });
      // A command that comes again is answered with what its first try recorded.
      const made = events[0]?.[0]?.data as { readonly name: string } | undefined;
      return { result: { smartlistId: id, name: made?.name ?? name }, positions: position ? [position] : [] };
    });
  }

  /** Changes its terms. */
  @HandlesCommand(changeSmartlist)
  async change(message: CommandOf<typeof changeSmartlist>): AnswerTo<typeof changeSmartlist> {
    const { smartlistId: id, ...wanted } = message.data;
    const changes = await this.withFreeName(id, wanted);
    const { position, events } = await this.decide(message, { type: 'change', smartlistId: id, changes });
    return { result: { isChanged: (events[0]?.length ?? 0) > 0 }, positions: position ? [position] : [] };
  }

  /** Notes how much is in it. */
  @HandlesCommand(countSmartlist)
  count(message: CommandOf<typeof countSmartlist>): AnswerTo<typeof countSmartlist> {
    return done(this.decide(message, { type: 'count', ...message.data, nowMs: message.at }));
  }

  /** Ends it. */
  @HandlesCommand(deleteSmartlist)
  delete(message: CommandOf<typeof deleteSmartlist>): AnswerTo<typeof deleteSmartlist> {
    return done(this.decide(message, { type: 'delete', ...message.data }));
  }

  /** The changes with a name that is free where the list will be; a list that moves among others of its name gets another one. */
  private async withFreeName(id: SmartlistId, changes: Partial<SmartlistTerms>): Promise<Partial<SmartlistTerms>> {
    const moves = changes.name !== undefined || changes.ownerId !== undefined || changes.isPublic !== undefined;
    if (!moves) return changes;
    const { terms, status } = (await this.aggregates.load(smartlist, id)).state;
    if (status !== 'present') return changes;
    const wanted = changes.name ?? terms.name;
    const name = await this.nameFor(wanted, { ...terms, ...given(changes) }, id);
    return name === wanted ? changes : { ...changes, name };
  }

  /** Two that come at the same moment may still get one name, which harms nobody. */
  private async nameFor(wanted: string, { ownerId, isPublic }: Place, own?: SmartlistId): Promise<string> {
    const { rows } = await sql<{ name: string }>`
      select name from library.smartlist where owner_id is not distinct from ${ownerId}::bigint and is_public = ${isPublic} and id is distinct from ${own ?? null}::bigint`.execute(
      this.db,
    );
    return freeName(wanted, new Set(rows.map(({ name }) => name)));
  }

  private decide(message: CommandMessage, command: SmartlistCommand): Promise<DecisionOutcome> {
    return this.aggregates.run([decision(smartlist, command.smartlistId, command)], decisionMeta(message));
  }
}
