import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { Disc3, Film, Guitar, ListMusic, MicVocal, Podcast, RadioTower, Tag, type LucideIcon } from 'lucide-react';
import { api, content, unlessRefused, type Album } from '../../lib/api.js';
import { client } from '../../lib/client.js';
import { songsQuery, type SongSource } from '../../lib/song-sources.js';
import { t } from '../../messages/index.js';
import { stationsQuery } from '../radio/index.js';
import { playEpisode, playStation } from '../programmes/index.js';

/** Lists of songs that a search finds. */
type FoundSongs = Extract<SongSource, { readonly kind: 'search' }>;

/** Found of each kind, at most. */
const SHOWN = 12;
/** Songs that the server finds by words, at most. */
export const SONGS_FOUND = 200;
/** Events tell of changed stations, ms. */
const STATIONS_FRESH_MS = 600_000;
const KINDS = 'artist,album,genre,label,podcast,podcast_episode,video';

/** Objects that somebody who types the words may mean, and songs: all at once, so that nothing moves while somebody chooses. */
const foundQuery = (words: string) => ({
  queryKey: ['search', words],
  queryFn: async () => {
    const source: FoundSongs = { kind: 'search', words };
    const query = { types: KINDS, words, limit: String(SHOWN) };
    const [{ search }, { playlist }, stations, { total }] = await Promise.all([
      content(api.GET('/search/{search_type}/groups', { params: { path: { search_type: 'all' }, query } })),
      content(api.GET('/playlists', { params: { query: { filter: words, limit: SHOWN, sort: 'name' } } })),
      // Stations may be switched off at the server.
      unlessRefused(client.fetchQuery({ ...stationsQuery, staleTime: STATIONS_FRESH_MS })),
      client.fetchQuery(songsQuery(source, 0)),
    ]);
    const folded = words.toLocaleLowerCase();
    return {
      words,
      ...search,
      playlist,
      stations: stations?.filter(({ name }) => name.toLocaleLowerCase().includes(folded)) ?? [],
      songs: { source, total },
    };
  },
});

/** Something that a search finds: a view to open, or a programme to play. */
export type Hit = { readonly id: string; readonly name: string } & ({ readonly view: string } | { readonly play: () => Promise<void> });

/** Hits of a kind. */
export interface FoundKind {
  readonly title: string;
  readonly icon: LucideIcon;
  readonly hits: readonly Hit[];
  readonly albums?: readonly Album[];
}

/** Results of a search by kind; kinds without hits are left out. */
export interface Found {
  /** The words that found them: those before, while a search for others runs. */
  readonly words: string;
  readonly kinds: readonly FoundKind[];
  /** Undefined until it is known. */
  readonly songs: { readonly source: FoundSongs; readonly total: number } | undefined;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly retry: () => void;
}

interface Named {
  readonly id: string;
  readonly name: string;
}

const opening = (kind: string, found: readonly Named[] = []): readonly Hit[] =>
  found.map(({ id, name }) => ({ id, name, view: `/${kind}/${id}` }));

/** Finds while words are typed; nothing for no words. */
export const useFound = (words: string): Found => {
  const found = useQuery({ ...foundQuery(words), placeholderData: keepPreviousData, enabled: words !== '' });
  // Results are made in slices: whoever types on is not held up.
  const shown = useDeferredValue(found.data);
  const { artist, album, playlist, genre, label, podcast, podcast_episode: episodes = [], video, stations = [], songs } = shown ?? {};
  const kinds: readonly FoundKind[] = [
    { title: t.artists, icon: MicVocal, hits: opening('artists', artist) },
    { title: t.albums, icon: Disc3, hits: opening('albums', album), albums: album ?? [] },
    { title: t.playlists, icon: ListMusic, hits: opening('playlists', playlist) },
    { title: t.genres, icon: Guitar, hits: opening('genres', genre) },
    { title: t.labels, icon: Tag, hits: opening('labels', label) },
    { title: t.podcasts, icon: Podcast, hits: opening('podcasts', podcast) },
    {
      title: t.episodes,
      icon: Podcast,
      hits: episodes.map((one) => ({ id: one.id, name: `${one.title} – ${one.podcast.name}`, play: () => playEpisode(one) })),
    },
    {
      title: t.videos,
      icon: Film,
      hits: opening(
        'videos',
        video?.map(({ id, title }) => ({ id, name: title })),
      ),
    },
    { title: t.radio, icon: RadioTower, hits: stations.map((one) => ({ id: one.id, name: one.name, play: () => playStation(one) })) },
  ];
  return {
    words: shown?.words ?? words,
    kinds: words === '' ? [] : kinds.filter(({ hits }) => hits.length > 0),
    songs: words === '' ? undefined : songs,
    isPending: found.isPending,
    error: found.error,
    retry: () => void found.refetch(),
  };
};
