import type { Query, QueryCache, QueryClient } from '@tanstack/react-query';
import type { live } from '../lib/live.js';

/** Shown data is fetched again at most this often while events come, such as during a scan, ms. */
const AT_MOST_EVERY_MS = 2000;
/** A query rests this many times as long as its last fetch took. */
const REST_TIMES = 10;

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

/** Queries whose data may have changed after an event; `all` when events were missed, or came before they could be read. */
const changedBy = (type: string): readonly string[] | 'all' =>
  type === 'reset' || type === 'current' ? 'all' : (CHANGED[type.split('.')[0] ?? ''] ?? []);

type Now = () => number;

/** Times of the fetches of queries: how long each is to rest, so that what the server takes long for is not asked for all the time. */
class Rests {
  readonly #startedMs = new WeakMap<Query, number>();
  readonly #untilMs = new WeakMap<Query, number>();

  constructor(
    cache: QueryCache,
    private readonly now: Now,
  ) {
    cache.subscribe((event) => {
      if (event.type !== 'updated') return;
      const { query, action } = event;
      const startMs = this.#startedMs.get(query);
      if (action.type === 'fetch') this.#startedMs.set(query, now());
      else if (startMs !== undefined && query.state.fetchStatus === 'idle') {
        this.#startedMs.delete(query);
        this.#untilMs.set(query, now() + REST_TIMES * (now() - startMs));
      }
    });
  }

  /** Whether a query is being fetched, or was fetched a short while ago for the time that it took. */
  holds(query: Query): boolean {
    return query.state.fetchStatus !== 'idle' || this.now() < (this.#untilMs.get(query) ?? 0);
  }
}

/** Fetches what is shown again when the server tells that it has changed: each query for itself, and none before it has rested. */
export const refreshByEvents = (client: QueryClient, events: Pick<typeof live, 'subscribe'>, now: Now = () => performance.now()): void => {
  const cache = client.getQueryCache();
  const rests = new Rests(cache, now);
  const due = new Set<Query>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refresh = (): void => {
    for (const query of due) {
      if (query.isActive() && rests.holds(query)) continue;
      due.delete(query);
      void client.invalidateQueries({ queryKey: query.queryKey, exact: true });
    }
    timer = due.size > 0 ? setTimeout(refresh, AT_MOST_EVERY_MS) : undefined;
  };
  events.subscribe(({ type }) => {
    const keys = changedBy(type);
    for (const query of cache.getAll()) if (keys === 'all' || keys.includes(String(query.queryKey[0]))) due.add(query);
    if (due.size > 0) timer ??= setTimeout(refresh, AT_MOST_EVERY_MS);
  });
};
