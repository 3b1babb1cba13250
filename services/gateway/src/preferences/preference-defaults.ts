import type { GatewayConfig } from '../server/config.js';
import type { PreferenceDefaults } from './preference-snapshot.js';

/** Preference defaults that follow from the settings of this server. */
export const preferenceDefaults = (
  config: Pick<
    GatewayConfig,
    'STATS_THRESHOLD_DAYS' | 'POPULAR_THRESHOLD' | 'SHARE_EXPIRE_DAYS' | 'LOCALPLAY_CONTROLLER' | 'ALLOW_VIDEO' | 'SESSION_LENGTH_S'
  >,
): PreferenceDefaults => ({
  stats_threshold: String(config.STATS_THRESHOLD_DAYS),
  share_expire: String(config.SHARE_EXPIRE_DAYS),
  localplay_controller: config.LOCALPLAY_CONTROLLER === 'none' ? '' : config.LOCALPLAY_CONTROLLER,
  allow_video: config.ALLOW_VIDEO ? '1' : '0',
  perpetual_api_session: config.SESSION_LENGTH_S === 0 ? '1' : '0',
  popular_threshold: String(config.POPULAR_THRESHOLD),
});
