import { DEMOCRATIC_LIST, Rejection, songId as toSongId, userId as toUserId, voteForSong, withdrawVote } from '@continuo/contracts';
import { runCommand } from '../../server/commands.js';
import type { CallerContext } from '../../server/requests/request-context.js';
import { SERVER_USER } from '../../preferences/index.js';
import type { Viewer } from '../../reads/visibility/viewer.js';
import type { HasPreferences } from '../../preferences/preferences.js';
import type { HasCommands, HasConfig } from '../../server/needs.js';

const MS_PER_MINUTE = 60_000;

/** Requires that the account may vote. @throws Rejection `feature.disabled` */
export const requireDemocratic = async ({ preferences }: HasPreferences, { userId }: Viewer): Promise<void> => {
  if (await preferences.isOn(userId, 'allow_democratic_playback')) return;
  throw new Rejection('feature.disabled', 'nobody votes here for what plays next', 'allow_democratic_playback');
};

/** Caller that votes. */
export interface Voter {
  readonly services: HasCommands & HasConfig & HasPreferences;
  readonly context: CallerContext;
}

const cooldownMs = async ({ preferences }: Voter['services']): Promise<number> =>
  Math.max(0, (await preferences.current()).numberOf(SERVER_USER, 'demo_cooldown_minutes')) * MS_PER_MINUTE;

/**
 * Votes for a song or withdraws the vote; idempotent. False for a song that was played recently and must rest. The caller has checked that the
 * song is visible.
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
