import type { ServiceDefinition } from '@continuo/chassis';
import { accessListProjection } from './access/access-list.projection.js';
import { activityProjection } from './activity/activity.projection.js';
import { annotationsProjection } from './annotation/annotations.projection.js';
import { socialConfig, type SocialConfig } from './config.js';
import type { SocialServiceOptions } from './first-start.js';
import { shareIdMigration } from './share/share-ids.js';
import { sharesProjection } from './share/shares.projection.js';
import { commentsProjection } from './shout/comments.projection.js';
import { preferencesProjection } from './preference/preferences.projection.js';
import { SocialModule } from './social.module.js';
import { accountsProjection } from './user/accounts.projection.js';
import { userIdMigration } from './user/user-ids.js';
import { catalogGroupsProjection } from './visibility/catalog-groups.projection.js';
import { deliveryContentMigration, deliveryJournalMigration } from './webhook/delivery/delivery-journal.js';
import { webhookIdMigration } from './webhook/webhook-ids.js';
import { webhooksProjection } from './webhook/webhooks.projection.js';

/** The social service: accounts, credentials, the access list, ratings and favourites. Owns `EV_IDENTITY`, `EV_SOCIAL` and the schema `social`. */
export const createSocialService = (options: SocialServiceOptions = {}): ServiceDefinition<SocialConfig> => ({
  name: 'social',
  config: socialConfig,
  contexts: ['identity', 'social'],
  schema: 'social',
  migrations: [userIdMigration, shareIdMigration, webhookIdMigration, deliveryJournalMigration, deliveryContentMigration],
  projections: ({ userKeys, log }) => [
    accountsProjection(userKeys, log),
    accessListProjection,
    catalogGroupsProjection,
    annotationsProjection,
    preferencesProjection,
    activityProjection,
    commentsProjection(userKeys, log),
    sharesProjection(userKeys, log),
    webhooksProjection,
  ],
  module: SocialModule.with(options),
});

/** The social service for programs that need no word about the first administrator. */
export const socialService = createSocialService();
