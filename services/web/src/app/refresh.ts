import type { QueryClient } from '@tanstack/react-query';
import { live } from '../lib/live.js';

/** Shown data is fetched again at most this often while events come, such as during a scan, ms. */
const AT_MOST_EVERY_MS = 2000;

const LIBRARY = ['albums', 'album', 'initials', 'artists', 'artist', 'songs', 'song', 'genres', 'search', 'videos', 'years'] as const;
const MANAGED = ['manage'] as const;
const LISTS = ['playlists', 'playlist', 'songs'] as const;
/** Queries, by the first part of their key, whose data may have changed after an event of a family. */
const CHANGED: Readonly<Record<string, readonly string[]>> = {
  catalog: [...LIBRARY, ...MANAGED],
  library: [...LIBRARY, ...MANAGED],
  rating: LIBRARY,
  favourite: LIBRARY,
  playlist: LISTS,
  smartlist: LISTS,
  live_stream: ['radio'],
  bookmark: ['positions', 'bookmarks'],
  play: ['home', 'statistics'],
  share: ['shares'],
  democratic: ['party'],
  follow: ['people'],
  shout: ['people'],
  scan: MANAGED,
  work: MANAGED,
  user: MANAGED,
  webhook: MANAGED,
};

/** Queries whose data may have changed after an event; `all` when events were missed. */
const changedBy = (type: string): readonly string[] | 'all' => (type === 'reset' ? 'all' : (CHANGED[type.split('.')[0] ?? ''] ?? []));

/** Fetches what is shown again when the server tells that it has changed. */
export const refreshByEvents = (client: QueryClient): void => {
  const changed = new Set<string>();
  let isAllChanged = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refresh = (): void => {
    timer = undefined;
    const isChanged = ({ queryKey: [first] }: { queryKey: readonly unknown[] }): boolean => isAllChanged || changed.has(String(first));
    void client.invalidateQueries({ predicate: isChanged });
    changed.clear();
    isAllChanged = false;
  };
  live.subscribe(({ type }) => {
    const keys = changedBy(type);
    if (keys.length === 0) return;
    if (keys === 'all') isAllChanged = true;
    else for (const key of keys) changed.add(key);
    timer ??= setTimeout(refresh, AT_MOST_EVERY_MS);
  });
};
