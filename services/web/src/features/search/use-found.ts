import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Album, Artist, Playlist, Song } from '../../lib/api.js';
import { songsOf, type SongSource } from '../../lib/song-sources.js';
import { foundAlbumsQuery, foundArtistsQuery, foundPlaylistsQuery, foundSongsQuery } from './queries.js';

/** The first of each kind that a search finds. */
export interface Found {
  readonly artists: readonly Artist[];
  readonly albums: readonly Album[];
  readonly playlists: readonly Playlist[];
  readonly songs: readonly Song[];
  /** The list that the songs are the first of. */
  readonly source: SongSource | undefined;
  readonly songCount: number;
  readonly error: unknown;
}

const SHOWN = 5;

/** Finds while words are typed; nothing for no words. */
export const useFound = (words: string): Found => {
  const options = { placeholderData: keepPreviousData, enabled: words !== '' };
  const artists = useQuery({ ...foundArtistsQuery(words), ...options });
  const albums = useQuery({ ...foundAlbumsQuery(words), ...options });
  const playlists = useQuery({ ...foundPlaylistsQuery(words), ...options });
  const list = useQuery({ ...foundSongsQuery(words), ...options });
  const source = list.data?.source;
  const songs = useQuery({
    queryKey: ['songs', source, 'first'],
    queryFn: async () => (source ? (await songsOf(source, 0, SHOWN)).items : []),
    ...options,
    enabled: source !== undefined,
  });
  const first = <T>(items: readonly T[] | undefined): readonly T[] => (words === '' ? [] : (items ?? []).slice(0, SHOWN));
  return {
    artists: first(artists.data?.items),
    albums: first(albums.data?.items),
    playlists: first(playlists.data?.items),
    songs: first(songs.data),
    source,
    songCount: list.data?.total ?? 0,
    error: [artists, albums, playlists, list, songs].find(({ error }) => error !== null)?.error ?? null,
  };
};
