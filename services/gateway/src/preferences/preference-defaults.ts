import type { GatewayConfig } from '../config.js';
import type { PreferenceDefaults } from './preference-snapshot.js';

/** What holds until somebody sets it, where a setting of this server says so. */
export const preferenceDefaults = (
  config: Pick<GatewayConfig, 'STATS_THRESHOLD_DAYS' | 'POPULAR_THRESHOLD' | 'SHARE_EXPIRE_DAYS' | 'LOCALPLAY_CONTROLLER'>,
): PreferenceDefaults => ({
  stats_threshold: String(config.STATS_THRESHOLD_DAYS),
  share_expire: String(config.SHARE_EXPIRE_DAYS),
  localplay_controller: config.LOCALPLAY_CONTROLLER === 'none' ? '' : config.LOCALPLAY_CONTROLLER,
  popular_threshold: String(config.POPULAR_THRESHOLD),
});
