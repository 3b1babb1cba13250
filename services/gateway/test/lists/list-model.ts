import { foldName } from '@continuo/contracts';
import type { ListKind } from '../../src/kinds/index.js';
import type { Viewer } from '../../src/reads/visibility/viewer.js';
import { albumRow, artistRow, diskRows, songRow, stationRow, videoRow } from './list-model-media.js';
import { type ModelRow, annotated, lower, listedAlbums, compareTexts } from './list-model-parts.js';
import { episodeRow, podcastRow } from './list-model-podcasts.js';
import { catalogRow, folderRows, followerRows, genreRow, named, userRow } from './list-model-small.js';
import { playlistRows, smartlistRows } from './list-model-playlists.js';
import { shareRows } from './list-model-shares.js';
import type { LibraryFacts } from '../library/random-facts.js';

/** The library as somebody sees it who sees some catalogs: as if the others did not exist. */
const visibleFacts = (facts: LibraryFacts, { catalogs }: Viewer): LibraryFacts => {
  if (catalogs === 'all') return facts;
  const inside = (row: { readonly catalog: number }): boolean => catalogs.includes(row.catalog);
  return {
    ...facts,
    catalogs: facts.catalogs.filter(({ id }) => catalogs.includes(id)),
    folders: facts.folders.filter(inside),
    songs: facts.songs.filter(inside),
    albums: facts.albums.filter(inside),
    videos: facts.videos.filter(inside),
    stations: facts.stations.filter(inside),
    podcasts: facts.podcasts.filter(inside),
    episodes: facts.episodes.filter(inside),
    deleted: facts.deleted.filter(inside),
    // What is hidden and on no song is nobody's but of those who see everything.
    genres: facts.genres.filter(({ id }) => facts.songs.some((song) => inside(song) && song.genres.includes(id))),
  };
};

/** All rows that a viewer may find in lists of a kind; `parent` is the folder whose children are listed. */
export const modelRows = (all: LibraryFacts, viewer: Viewer, kind: ListKind, parent: number): ModelRow[] => {
  const facts = visibleFacts(all, viewer);
  const rows: Record<ListKind, () => ModelRow[]> = {
    song: () => facts.songs.map((song) => songRow(facts, viewer, song)),
    album: () => listedAlbums(facts).map((album) => albumRow(facts, viewer, album)),
    album_disk: () => facts.albums.flatMap((album) => diskRows(facts, viewer, album)),
    artist: () => facts.artists.flatMap((artist) => artistRow(facts, viewer, artist)),
    genre: () => facts.genres.flatMap((genre) => genreRow(facts, viewer, genre)),
    label: () =>
      facts.labels
        .filter(({ id }) => listedAlbums(facts).some(({ labels }) => labels.includes(id)))
        .map(({ id, name }) => named(id, name, annotated(facts, viewer, 'label', id))),
    license: () =>
      facts.licenses
        .filter(({ id }) => facts.songs.some(({ license }) => license === id))
        .map(({ id, name, link }) => named(id, name, { keep: { hidden: (value) => value !== 1 }, order: { external_link: () => [link] } })),
    catalog: () => facts.catalogs.map((catalog) => catalogRow(facts, viewer, catalog)),
    folder: () => folderRows(facts, viewer, parent),
    user: () => facts.users.filter(({ disabled }) => viewer.isAdministrator || !disabled).map((user) => userRow(viewer, user)),
    follower: () => followerRows(facts),
    share: () => shareRows(facts, viewer),
    video: () => facts.videos.map((video) => videoRow(facts, viewer, video)),
    live_stream: () => facts.stations.map((station) => stationRow(facts, viewer, station)),
    podcast: () => facts.podcasts.map((podcast) => podcastRow(facts, viewer, podcast)),
    podcast_episode: () => facts.episodes.map((episode) => episodeRow(facts, viewer, episode)),
    playlist: () => playlistRows(facts, viewer),
    playlist_search: () => [...playlistRows(facts, viewer), ...smartlistRows(facts, viewer, -1)],
    smartlist: () => smartlistRows(facts, viewer, 1),
    deleted_podcast_episode: () =>
      facts.deleted.map(({ id, deletedAtMs }) => ({ id, names: [], keep: {}, order: { deletion: () => [deletedAtMs] } })),
    deleted_video: () =>
      facts.deleted.map(({ id, deletedAtMs }) => ({ id, names: [], keep: {}, order: { deletion: () => [deletedAtMs] } })),
    deleted_song: () => facts.deleted.map(({ id, deletedAtMs }) => ({ id, names: [], keep: {}, order: { deletion: () => [deletedAtMs] } })),
  };
  return rows[kind]();
};

const asRegex = (value: string): RegExp => new RegExp(value, 'i');

/** The text filters over one name. */
const textTests: Readonly<Record<string, (name: string, key: string | undefined, value: string) => boolean>> = {
  like: (name, key, value) =>
    lower(name).includes(lower(value)) ||
    (key !== undefined && foldName(value) !== '' && value.trim() === value && key.includes(foldName(value))),
  equal: (name, _key, value) => lower(name) === lower(value),
  starts_with: (name, _key, value) => lower(name).startsWith(lower(value)),
  regex_match: (name, _key, value) => asRegex(value).test(name),
};
const aliases: Readonly<Record<string, string>> = { alpha_match: 'like', exact_match: 'equal' };
const negations: Readonly<Record<string, string>> = {
  not_like: 'like',
  not_starts_with: 'starts_with',
  regex_not_match: 'regex_match',
};

/** Whether a row passes one condition; unknown names and what says nothing let everything pass. */
export const passes = (row: ModelRow, name: string, value: string): boolean => {
  if (name === 'id') return row.order['deletion'] !== undefined;
  const positive = negations[name] ?? aliases[name] ?? name;
  const test = row.names.length > 0 && Object.hasOwn(textTests, positive) ? textTests[positive] : undefined;
  if (test) {
    if (value === '') return true;
    const found = row.names.some((text) => test(text, row.key, value));
    return name in negations ? !found : found;
  }
  const number = /^-?\d+$/.test(value) ? Number(value) : 0;
  return (Object.hasOwn(row.keep, name) ? row.keep[name]?.(number, value) : undefined) ?? true;
};

const compareKeys = (a: readonly (number | string)[], b: readonly (number | string)[]): number => {
  for (const [index, left] of a.entries()) {
    const right = b[index];
    const order = typeof left === 'string' ? compareTexts(left, String(right)) : left - Number(right);
    if (order !== 0) return order;
  }
  return 0;
};

/** Orders rows; ties by id, in the direction of the order. */
export const ordered = (rows: readonly ModelRow[], sort: string, descending: boolean): number[] => {
  const sign = descending ? -1 : 1;
  const keyed = rows.map((row) => ({ row, key: row.order[sort]?.() ?? [] }));
  const inOrder = keyed.toSorted(
    (a, b) =>
      (a.row.rank ?? 0) - (b.row.rank ?? 0) ||
      sign * (compareKeys(a.key, b.key) || Math.abs(a.row.id) - Math.abs(b.row.id) || b.row.id - a.row.id),
  );
  return inOrder.map(({ row }) => row.id);
};
