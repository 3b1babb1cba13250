import { HandlesCommand, type Handled } from '@continuo/chassis';
import { controlPlayer, readPlayer, type CommandMessage } from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import type { Players } from './player.js';

/** Injection token of the {@link Players}. */
export const PLAYERS = Symbol('Players');

/** Passes actions and queries to players. None of them is an event: played songs reach the log as plays, when the player fetches them. */
@Controller()
export class LocalplayController {
  constructor(@Inject(PLAYERS) private readonly players: Players) {}

  /** Tells a player to do something. */
  @HandlesCommand(controlPlayer)
  async control({
    data: { backEnd, action },
  }: CommandMessage<z.output<typeof controlPlayer.schema>>): Promise<Handled<z.input<typeof controlPlayer.result>>> {
    return { result: await this.players[backEnd].control(action), positions: [] };
  }

  /** Reads the status and queue of a player. */
  @HandlesCommand(readPlayer)
  async read({
    data: { backEnd, ...page },
  }: CommandMessage<z.output<typeof readPlayer.schema>>): Promise<Handled<z.input<typeof readPlayer.result>>> {
    const { status, entries } = await this.players[backEnd].read(page);
    return { result: { status, entries: [...entries] }, positions: [] };
  }
}
