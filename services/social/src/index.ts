export type { SocialConfig } from './config.js';
export type { FirstAdministrator } from './first-start.js';
export { createSocialService, socialService } from './social.service.js';
