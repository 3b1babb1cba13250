import { Rejection } from '@continuo/contracts';
import type { PreferenceSnapshot } from '../preferences/index.js';
import type { ShareRecord } from '../reads/shares.reads.js';
import type { GatewayServices } from '../services.js';

/** Who would share, as far as it matters. */
export interface ShareOwner {
  readonly id: number;
  readonly access: number;
}

const USER = 25;
const MAX_DAYS = 36_500;

/** True where shares are on: on this server, and for the account. */
export const isSharing = ({ config }: Pick<GatewayServices, 'config'>, preferences: PreferenceSnapshot, userId: number): boolean =>
  config.SHARE && preferences.isOn(userId, 'share');

/** @throws Rejection `feature.disabled` with the feature's name as subject where shares are off */
export const requireSharing = async (services: Pick<GatewayServices, 'config' | 'preferences'>, userId: number): Promise<void> => {
  if (!isSharing(services, await services.preferences.current(), userId))
    throw new Rejection('feature.disabled', 'Shares are switched off', 'share');
};

/** True for who may keep what they hear, and so may let others keep it. */
export const mayDownload = (preferences: PreferenceSnapshot, { id, access }: ShareOwner): boolean =>
  access >= USER && preferences.isOn(id, 'download');

/** True for a share of podcasts or of episodes. */
export const isEpisodes = ({ kind }: Pick<ShareRecord, 'kind'>): boolean => kind === 'podcast' || kind === 'podcast_episode';

/** False for a share of what is switched off on this server. */
export const isServed = (
  share: Pick<ShareRecord, 'kind'>,
  { ALLOW_VIDEO, PODCAST }: Pick<GatewayServices['config'], 'ALLOW_VIDEO' | 'PODCAST'>,
): boolean => (share.kind === 'video' ? ALLOW_VIDEO : PODCAST || !isEpisodes(share));

/** How many days an account's shares last when nothing is said; 0: for ever. */
export const usualDays = (preferences: PreferenceSnapshot, userId: number): number =>
  Math.min(Math.max(preferences.numberOf(userId, 'share_expire'), 0), MAX_DAYS);
