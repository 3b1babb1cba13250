import { Rejection } from '@continuo/contracts';
import { isRoleTaken, type PreferenceSnapshot } from '../../preferences/index.js';
import type { ShareRecord } from './shares.reads.js';
import type { HasPreferences } from '../../preferences/preferences.js';
import type { HasConfig } from '../../server/needs.js';

/** The account that shares. */
export interface ShareOwner {
  readonly id: number;
  readonly access: number;
}

const USER = 25;
const MAX_DAYS = 36_500;

/** True when shares are on for this server and the account. */
export const isSharingEnabled = ({ config }: HasConfig, preferences: PreferenceSnapshot, userId: number): boolean =>
  config.SHARE && !isRoleTaken(preferences, userId, 'share');

/** @throws Rejection `feature.disabled` with the feature's name as subject when shares are off */
export const requireSharing = async (services: HasConfig & HasPreferences, userId: number): Promise<void> => {
  if (!isSharingEnabled(services, await services.preferences.current(), userId))
    throw new Rejection('feature.disabled', 'Shares are switched off', 'share');
};

/** True for accounts that may download, and so may share downloads. */
export const mayDownload = (preferences: PreferenceSnapshot, { id, access }: ShareOwner): boolean =>
  access >= USER && preferences.isOn(id, 'download');

/** True for a share of podcasts or of episodes. */
export const isEpisodes = ({ kind }: Pick<ShareRecord, 'kind'>): boolean => kind === 'podcast' || kind === 'podcast_episode';

/** Default lifetime of an account's shares, days; 0: unlimited. */
export const defaultShareDays = (preferences: PreferenceSnapshot, userId: number): number =>
  Math.min(Math.max(preferences.numberOf(userId, 'share_expire'), 0), MAX_DAYS);
