import { DEMOCRATIC_LIST, Rejection, songId as toSongId, userId as toUserId, voteForSong, withdrawVote } from '@continuo/contracts';
import { runCommand } from '../commands.js';
import type { CallerContext } from '../http/request-context.js';
import { SERVER_USER } from '../preferences/index.js';
import type { Viewer } from '../reads/viewer.js';
import type { GatewayServices } from '../services.js';

const MS_PER_MINUTE = 60_000;

/** Whether an account may vote and hear what is voted for. @throws Rejection `feature.disabled` */
export const requireDemocratic = async ({ preferences }: Pick<GatewayServices, 'preferences'>, { userId }: Viewer): Promise<void> => {
  if (await preferences.isOn(userId, 'allow_democratic_playback')) return;
  throw new Rejection('feature.disabled', 'nobody votes here for what plays next', 'allow_democratic_playback');
};

/** Who votes. */
export interface Voter {
  readonly services: Pick<GatewayServices, 'commands' | 'watch' | 'config' | 'preferences'>;
  readonly context: CallerContext;
}

const cooldownMs = async ({ preferences }: Voter['services']): Promise<number> =>
  Math.max(0, (await preferences.current()).numberOf(SERVER_USER, 'demo_cooldown_minutes')) * MS_PER_MINUTE;

/**
 * Votes for a song, or takes the vote back; nothing when it is so already. False for a song that was played a short time ago and has to wait. That the caller
 * may see the song has been decided before.
 */
export const castVote = async ({ services, context }: Voter, songId: number, wants: boolean): Promise<boolean> => {
  const about = { listId: DEMOCRATIC_LIST, userId: toUserId.parse(context.caller.account.id), songId: toSongId.parse(songId) };
  try {
    if (wants) await runCommand(services, context, voteForSong, { ...about, cooldownMs: await cooldownMs(services) });
    else await runCommand(services, context, withdrawVote, about);
    return true;
  } catch (error) {
    if (error instanceof Rejection && error.code === 'democratic.cooling') return false;
    throw error;
  }
};
