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
/** Events tell of changed stations, ms. */
const STATIONS_FRESH_MS = 600_000;
const KINDS = 'artist,album,genre,label,podcast,podcast_episode';
/** Operators of rules about texts, as the API numbers them. */
const [CONTAINS, SOUNDS_LIKE] = ['0', '6'];

/** Finds names of several kinds, and albums by their artists, by one request. */
const namesWith = async (operator: string, words: string) => {
  const name = { rule_1: 'title', rule_1_operator: operator, rule_1_input: words };
  const artist = { rule_2: 'album_artist', rule_2_operator: operator, rule_2_input: words };
  const query = { types: KINDS, operator: 'or', limit: String(SHOWN), ...name, ...artist } as const;
  return (await content(api.GET('/search/{search_type}/groups', { params: { path: { search_type: 'all' }, query } }))).search;
};

/** The list of songs that the words find: those with all words, else those with a title that sounds like them. Its beginning is kept for who shows it. */
const foundSongs = async (words: string): Promise<{ readonly source: FoundSongs; readonly total: number }> => {
  const source: FoundSongs = { kind: 'search', words };
  const { total } = await client.fetchQuery(songsQuery(source, 0));
  if (total > 0) return { source, total };
  const loose: FoundSongs = { ...source, isLoose: true };
  return { source: loose, total: (await client.fetchQuery(songsQuery(loose, 0))).total };
};

/** Objects whose name contains the words, or sounds like them when there is none, and songs: all at once, so that nothing moves while somebody chooses. */
const foundQuery = (words: string) => ({
  queryKey: ['search', words],
  queryFn: async () => {
    const list = { filter: words, limit: SHOWN };
    // Videos and stations may be switched off at the server.
    const [names, { playlist }, videos, stations, songs] = await Promise.all([
      namesWith(CONTAINS, words),
      content(api.GET('/playlists', { params: { query: { ...list, sort: 'name' } } })),
      unlessRefused(content(api.GET('/videos', { params: { query: { ...list, sort: 'title' } } }))),
      unlessRefused(client.fetchQuery({ ...stationsQuery, staleTime: STATIONS_FRESH_MS })),
      foundSongs(words),
    ]);
    const isNothing = Object.keys(names).length === 0;
    const folded = words.toLocaleLowerCase();
    return {
      words,
      ...(isNothing ? await namesWith(SOUNDS_LIKE, words) : names),
      playlist,
      video: videos?.video ?? [],
      stations: stations?.filter(({ name }) => name.toLocaleLowerCase().includes(folded)) ?? [],
      songs,
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
