import {
  decision,
  decisionMeta,
  done,
  HandlesCommand,
  positionsOf,
  AGGREGATES,
  type AggregateRunner,
  type DecisionOutcome,
  type CommandOf,
  type AnswerTo,
} from '@continuo/chassis';
import {
  addCatalogGroup,
  catalogGroupAdded,
  changeCatalogGroup,
  joinCatalogGroup,
  removeCatalogGroup,
  renameCatalogGroup,
  type CommandMessage,
} from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import { CATALOG_GROUPS_ID, catalogGroups, type CatalogGroupsCommand } from './catalog-groups.decider.js';

/** Answers the commands about groups of catalogs: who sees what. */
@Controller()
export class VisibilityController {
  constructor(@Inject(AGGREGATES) private readonly aggregates: AggregateRunner) {}

  /** Makes a group. */
  @HandlesCommand(addCatalogGroup)
  async add(message: CommandOf<typeof addCatalogGroup>): AnswerTo<typeof addCatalogGroup> {
    const outcome = await this.decide(message, { type: 'add', name: message.data.name });
    const { groupId } = catalogGroupAdded.schema.parse(outcome.events.flat()[0]?.data);
    return { result: { groupId }, positions: positionsOf(outcome) };
  }

  /** Renames a group. */
  @HandlesCommand(renameCatalogGroup)
  rename(message: CommandOf<typeof renameCatalogGroup>): AnswerTo<typeof renameCatalogGroup> {
    return done(this.decide(message, { type: 'rename', ...message.data }));
  }

  /** Puts catalogs into a group and takes others out. */
  @HandlesCommand(changeCatalogGroup)
  change(message: CommandOf<typeof changeCatalogGroup>): AnswerTo<typeof changeCatalogGroup> {
    return done(this.decide(message, { type: 'change', ...message.data }));
  }

  /** Removes a group and answers how many accounts it moved. */
  @HandlesCommand(removeCatalogGroup)
  async remove(message: CommandOf<typeof removeCatalogGroup>): AnswerTo<typeof removeCatalogGroup> {
    const { groupId, moveTo } = message.data;
    const outcome = await this.decide(message, { type: 'remove', groupId, ...(moveTo === undefined ? {} : { moveTo }) });
    const moved = outcome.events.flat().filter(({ type }) => type === 'CatalogGroupJoined').length;
    return { result: { moved }, positions: positionsOf(outcome) };
  }

  /** Lets an account belong to a group. */
  @HandlesCommand(joinCatalogGroup)
  join(message: CommandOf<typeof joinCatalogGroup>): AnswerTo<typeof joinCatalogGroup> {
    return done(this.decide(message, { type: 'join', ...message.data }));
  }

  private decide(message: CommandMessage, command: CatalogGroupsCommand): Promise<DecisionOutcome> {
    return this.aggregates.run([decision(catalogGroups, CATALOG_GROUPS_ID, command)], decisionMeta(message));
  }
}
