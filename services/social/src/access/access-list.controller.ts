import {
  decision,
  decisionMeta,
  done,
  HandlesCommand,
  AGGREGATES,
  type AggregateRunner,
  type DecisionOutcome,
  type Handled,
} from '@continuo/chassis';
import { accessRuleAdded, addAccessRule, removeAccessRule, switchAccessRule, type CommandMessage } from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { ACCESS_LIST_ID, accessList, type AccessListCommand } from './access-list.decider.js';
import { addressRange } from './address-range.js';

/** Answers the commands about the access list. */
@Controller()
export class AccessListController {
  constructor(@Inject(AGGREGATES) private readonly aggregates: AggregateRunner) {}

  /** Adds a row. */
  @HandlesCommand(addAccessRule)
  async addAccessRule(
    message: CommandMessage<z.output<typeof addAccessRule.schema>>,
  ): Promise<Handled<z.input<typeof addAccessRule.result>>> {
    const rule = { ...message.data, ...addressRange(message.data) };
    const { position, events } = await this.decide(message, { type: 'add', rule });
    const { ruleId } = accessRuleAdded.schema.parse(events.flat()[0]?.data);
    return { result: { ruleId }, positions: position ? [position] : [] };
  }

  /** Lets a row count, or not. */
  @HandlesCommand(switchAccessRule)
  async switchAccessRule(message: CommandMessage<z.output<typeof switchAccessRule.schema>>): Promise<Handled<Record<string, never>>> {
    return done(this.decide(message, { type: 'switch', ...message.data }));
  }

  /** Removes a row. */
  @HandlesCommand(removeAccessRule)
  async removeAccessRule(message: CommandMessage<z.output<typeof removeAccessRule.schema>>): Promise<Handled<Record<string, never>>> {
    return done(this.decide(message, { type: 'remove', ruleId: message.data.ruleId }));
  }

  private decide(message: CommandMessage, command: AccessListCommand): Promise<DecisionOutcome> {
    return this.aggregates.run([decision(accessList, ACCESS_LIST_ID, command)], decisionMeta(message));
  }
}
