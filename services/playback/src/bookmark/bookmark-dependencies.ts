import type { ServiceDependencies } from '@continuo/chassis';
import type { PlaybackConfig } from '../config.js';
import { postgresBookmarkIds } from './bookmark-ids.js';
import { bookmarkLabels } from './bookmark-labels.js';
import type { BookmarkDependencies } from './bookmark.controller.js';

/** Dependencies of bookmarks on a running service. */
export const bookmarkDependencies = (deps: ServiceDependencies<PlaybackConfig>): BookmarkDependencies => ({
  aggregates: deps.aggregates,
  ids: postgresBookmarkIds(deps.db),
  most: deps.config.BOOKMARKS_PER_ACCOUNT,
  labels: bookmarkLabels({ secret: deps.secrets, keys: deps.userKeys }),
});
