import { decision, decisionMeta, HandlesCommand, AGGREGATES, type AggregateRunner, type Handled } from '@continuo/chassis';
import {
  clearPlays,
  recordDownload,
  recordPlays,
  startPlayback,
  stopPlayback,
  type CommandMessage,
  type LogPosition,
  type PlayEvent,
} from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { plays, type PlaysCommand } from './play.decider.js';

const isPlay = ({ type }: PlayEvent): boolean => type === 'SongPlayed' || type === 'MediaPlayed';

/** Answers the commands about plays. */
@Controller()
export class PlayController {
  constructor(@Inject(AGGREGATES) private readonly aggregates: AggregateRunner) {}

  /** Records plays; `recorded` counts those that had not been known. */
  @HandlesCommand(recordPlays)
  async recordPlays(message: CommandMessage<z.output<typeof recordPlays.schema>>): Promise<Handled<z.input<typeof recordPlays.result>>> {
    const { events, positions } = await this.run(message, { type: 'record', ...message.data });
    return { result: { recorded: events.length }, positions };
  }

  /** Records that a client plays something; `recorded` is true when it counted as another play. */
  @HandlesCommand(startPlayback)
  async startPlayback(
    message: CommandMessage<z.output<typeof startPlayback.schema>>,
  ): Promise<Handled<z.input<typeof startPlayback.result>>> {
    const { events, positions } = await this.run(message, { type: 'start', ...message.data });
    return { result: { recorded: events.some(isPlay) }, positions };
  }

  /** Records that a client stopped playing something; `recorded` is true when that made a play of it. */
  @HandlesCommand(stopPlayback)
  async stopPlayback(message: CommandMessage<z.output<typeof stopPlayback.schema>>): Promise<Handled<z.input<typeof stopPlayback.result>>> {
    const { events, positions } = await this.run(message, { type: 'stop', ...message.data });
    return { result: { recorded: events.some(isPlay) }, positions };
  }

  /** Records a download; `recorded` is true when it was another one. */
  @HandlesCommand(recordDownload)
  async recordDownload(
    message: CommandMessage<z.output<typeof recordDownload.schema>>,
  ): Promise<Handled<z.input<typeof recordDownload.result>>> {
    const { events, positions } = await this.run(message, { type: 'download', ...message.data });
    return { result: { recorded: events.length > 0 }, positions };
  }

  /** Forgets what a user has played. */
  @HandlesCommand(clearPlays)
  async clearPlays(message: CommandMessage<z.output<typeof clearPlays.schema>>): Promise<Handled<z.input<typeof clearPlays.result>>> {
    const { positions } = await this.run(message, { type: 'clear', ...message.data });
    return { result: {}, positions };
  }

  private async run(
    message: CommandMessage<unknown>,
    command: PlaysCommand,
  ): Promise<{ events: readonly PlayEvent[]; positions: LogPosition[] }> {
    const meta = decisionMeta(message);
    const { position, events } = await this.aggregates.run([decision(plays, command.userId, command)], meta);
    return { events: (events[0] ?? []) as readonly PlayEvent[], positions: position ? [position] : [] };
  }
}
