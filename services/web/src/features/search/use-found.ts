import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { Disc3, Film, Guitar, ListMusic, MicVocal, Play, Podcast, RadioTower, Tag, type LucideIcon } from 'lucide-react';
import { api, content, unlessRefused, type Album } from '../../lib/api.js';
import { client } from '../../lib/client.js';
import { songsQuery, type SongSource } from '../../lib/song-sources.js';
import { t } from '../../messages/index.js';
import { stationsQuery } from '../radio/index.js';
import { player } from '../player/index.js';
import { playEpisode, playStation } from '../programmes/index.js';

/** How songs are found: the first ones, which can be played, or as a list to be shown. */
type SongsAs = 'hits' | 'list';

/** Found of each kind, at most. */
const SHOWN = 12;
/** Songs that the server finds by words, at most. */
export const SONGS_FOUND = 200;
/** Events tell of changed stations, ms. */
const STATIONS_FRESH_MS = 600_000;
const KINDS = 'artist,album,genre,label,podcast,podcast_episode,video';

const sourceOf = (words: string): SongSource => ({ kind: 'search', words });

/** Plays all songs that the words find, from one of the first on. */
const playFound = async (words: string, id: string): Promise<void> => {
  const { items, total } = await client.fetchQuery(songsQuery(sourceOf(words), 0));
  const at = items.findIndex((song) => song.id === id);
  await player.playSource(sourceOf(words), { total, position: Math.max(0, at) });
};

/** Query for the best matches of each kind. The beginning of a list of songs comes along, so that nothing moves while somebody chooses. */
const foundQuery = (words: string, songsAs: SongsAs) => ({
  queryKey: ['search', words, songsAs],
  queryFn: async () => {
    const query = { types: songsAs === 'hits' ? `song,${KINDS}` : KINDS, words, limit: String(SHOWN) };
    const [{ search }, { playlist }, stations, list] = await Promise.all([
      content(api.GET('/search/{search_type}/groups', { params: { path: { search_type: 'all' }, query } })),
      content(api.GET('/playlists', { params: { query: { filter: words, limit: SHOWN, sort: 'name' } } })),
      // Stations may be switched off at the server.
      unlessRefused(client.fetchQuery({ ...stationsQuery, staleTime: STATIONS_FRESH_MS })),
      songsAs === 'list' ? client.fetchQuery(songsQuery(sourceOf(words), 0)) : undefined,
    ]);
    const folded = words.toLocaleLowerCase();
    return {
      words,
      ...search,
      playlist,
      stations: stations?.filter(({ name }) => name.toLocaleLowerCase().includes(folded)) ?? [],
      list: { source: sourceOf(words), total: list?.total ?? 0 },
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
  /** The list of songs; undefined until it is known. */
  readonly list: { readonly source: SongSource; readonly total: number } | undefined;
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

/** Finds while words are typed; nothing for no words. Songs are one of the kinds, or a list. */
export const useFound = (words: string, songsAs: SongsAs): Found => {
  const found = useQuery({ ...foundQuery(words, songsAs), placeholderData: keepPreviousData, enabled: words !== '' });
  // Results are made in slices: whoever types on is not held up.
  const shown = useDeferredValue(found.data);
  const {
    artist,
    album,
    playlist,
    genre,
    label,
    podcast,
    podcast_episode: episodes = [],
    video,
    stations = [],
    song = [],
    list,
  } = shown ?? {};
  const foundBy = shown?.words ?? words;
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
    {
      title: t.songs,
      icon: Play,
      hits: song.map(({ id, title, artist: by }) => ({ id, name: `${title} – ${by.name}`, play: () => playFound(foundBy, id) })),
    },
  ];
  return {
    words: foundBy,
    kinds: words === '' ? [] : kinds.filter(({ hits }) => hits.length > 0),
    list: words === '' ? undefined : list,
    isPending: found.isPending,
    error: found.error,
    retry: () => void found.refetch(),
  };
};
