import { HandlesCommand, type Handled } from '@continuo/chassis';
import { controlPlayer, readPlayer, type CommandMessage } from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import type { Players } from './player.js';

/** Injection token of the {@link Players}. */
export const PLAYERS = Symbol('Players');

/** Hands on what players are told and asked. Nothing of it is an event: what they play reaches the log as plays, when they fetch it. */
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

  /** What a player does and has queued. */
  @HandlesCommand(readPlayer)
  async read({
    data: { backEnd, ...page },
  }: CommandMessage<z.output<typeof readPlayer.schema>>): Promise<Handled<z.input<typeof readPlayer.result>>> {
    const { status, entries } = await this.players[backEnd].read(page);
    return { result: { status, entries: [...entries] }, positions: [] };
  }
}
