import { decision, HandlesCommand, type AggregateRunner, type Handled } from '@continuo/chassis';
import { recordPlays, type CommandMessage } from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { plays } from './play.decider.js';

/** Injection token of the {@link AggregateRunner}. */
export const AGGREGATES = Symbol('AggregateRunner');

/** Answers the commands about plays. */
@Controller()
export class PlayController {
  constructor(@Inject(AGGREGATES) private readonly aggregates: AggregateRunner) {}

  /** Records plays; `recorded` counts those that had not been known. */
  @HandlesCommand(recordPlays)
  async recordPlays(message: CommandMessage<z.output<typeof recordPlays.schema>>): Promise<Handled<z.input<typeof recordPlays.result>>> {
    const { id, data, at, actor, correlationId, traceparent } = message;
    const meta = {
      commandId: id,
      causationId: id,
      at,
      actor,
      correlationId,
      ...(traceparent === undefined ? {} : { traceparent }),
    };
    const { position, events } = await this.aggregates.run([decision(plays, data.userId, data)], meta);
    return { result: { recorded: events[0]?.length ?? 0 }, positions: position ? [position] : [] };
  }
}
