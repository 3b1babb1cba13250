import { api, content } from '../../lib/api.js';
import { client } from '../../lib/client.js';
import { thing } from '../../lib/things.js';
import { announceFailure } from '../../ui/action.js';
import { markedIn, withMarks, type MarkedKind, type Marks } from './marked.js';

/** First parts of the keys of queries whose data has objects of a kind. */
const KEYS: Readonly<Record<MarkedKind, readonly string[]>> = {
  song: ['songs', 'song'],
  album: ['albums', 'album', 'home'],
  artist: ['artists', 'artist'],
  playlist: ['playlists', 'playlist'],
  podcast: ['podcasts'],
  podcast_episode: ['episodes'],
  video: ['videos'],
};

const send = (kind: MarkedKind, id: string, { flag, rating }: Marks): Promise<unknown> => {
  const [flagPath, params] = thing(kind, id, '/flag');
  const [ratePath] = thing(kind, id, '/rate');
  if (flag === undefined) return content(api.POST(ratePath, { params, body: { rating: String(rating ?? 0) } }));
  return content(api.POST(flagPath, { params, body: { flag: flag ? '1' : '0' } }));
};

const patch = (kind: MarkedKind, marks: ReadonlyMap<string, Marks>): void => {
  const predicate = ({ queryKey: [first] }: { queryKey: readonly unknown[] }): boolean => KEYS[kind].includes(String(first));
  client.setQueriesData({ predicate }, (data: unknown) => withMarks(data, marks));
};

/** Marks that objects have now, by id, as far as they are in fetched data. */
const marksNow = (kind: MarkedKind): ReadonlyMap<string, Marks> =>
  new Map(
    client
      .getQueriesData({ predicate: ({ queryKey: [first] }) => KEYS[kind].includes(String(first)) })
      .flatMap(([, data]) => markedIn(data).map(({ id, flag, rating }) => [id, { flag, rating }] as const)),
  );

/** Shows marks at once and sends them one by one; those that the server refuses are taken back, and it is said. */
const mark = async (kind: MarkedKind, ids: readonly string[], marks: Marks): Promise<void> => {
  const before = marksNow(kind);
  patch(kind, new Map(ids.map((id) => [id, marks])));
  for (const [at, id] of ids.entries())
    try {
      await send(kind, id, marks);
    } catch (error) {
      patch(kind, new Map(ids.slice(at).map((left) => [left, before.get(left) ?? {}])));
      announceFailure(error);
      return;
    }
};

/** Makes favourites, or takes that back. Failures are announced. */
export const setFavourite = (kind: MarkedKind, ids: readonly string[], isFavourite: boolean): Promise<void> =>
  mark(kind, ids, { flag: isFavourite });

/** Rates from 1 to 5; 0 takes the rating away. Failures are announced. */
export const rate = (kind: MarkedKind, ids: readonly string[], rating: number): Promise<void> =>
  mark(kind, ids, { rating: rating === 0 ? null : rating });
