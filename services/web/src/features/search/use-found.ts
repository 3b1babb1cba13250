import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Disc3, Film, Guitar, ListMusic, MicVocal, Podcast, RadioTower, Tag, type LucideIcon } from 'lucide-react';
import type { Album } from '../../lib/api.js';
import { t } from '../../messages/index.js';
import { playEpisode, playStation } from '../programmes/index.js';
import { foundQuery, type FoundSongs } from './queries.js';

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
  const { artist, album, playlist, genre, label, podcast, podcast_episode: episodes = [], video, stations = [], songs } = found.data ?? {};
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
    kinds: words === '' ? [] : kinds.filter(({ hits }) => hits.length > 0),
    songs: words === '' ? undefined : songs,
    isPending: found.isPending,
    error: found.error,
    retry: () => void found.refetch(),
  };
};
