import {
  AGGREGATES,
  decision,
  decisionMeta,
  done,
  HandlesCommand,
  type AggregateRunner,
  type AnswerTo,
  type CommandOf,
} from '@continuo/chassis';
import { recordOperation } from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import { operation, operationIdOf } from './operation.decider.js';

/** Puts on record what operators do. */
@Controller()
export class OperationController {
  constructor(@Inject(AGGREGATES) private readonly aggregates: AggregateRunner) {}

  /** Records a start, an end, or what leaves no other event. */
  @HandlesCommand(recordOperation)
  async record(message: CommandOf<typeof recordOperation>): AnswerTo<typeof recordOperation> {
    const { data } = message;
    const outcome = await this.aggregates.run([decision(operation, operationIdOf(data), data)], decisionMeta(message));
    return done(outcome);
  }
}
