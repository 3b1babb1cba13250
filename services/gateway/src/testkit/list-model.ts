import { foldName, sortKey, type AnnotatedKind } from '@continuo/contracts';
import type { ListKind } from '../reads/list-query.js';
import type { Viewer } from '../reads/viewer.js';
import type { AlbumFact, LibraryFacts, SongFact } from './random-facts.js';
import { diskNumber } from './seed-facts.js';

/** A row of a list as the model sees it: what filters keep and what orders ask for. */
export interface ModelRow {
  readonly id: number;
  /** The names that text filters ask, and the folded form of the only one where there is one. */
  readonly names: readonly string[];
  readonly key?: string;
  readonly keep: Readonly<Record<string, (value: number, text: string) => boolean | undefined>>;
  readonly order: Readonly<Record<string, () => readonly (number | string)[]>>;
  /** Rows of rank 0 come before those of rank 1 in every order. */
  readonly rank?: number;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const sharing = <T>(ids: readonly number[], rows: readonly (T & { readonly id: number })[]): T[] =>
  rows.filter(({ id }) => ids.includes(id));
const LEAST = -1;

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
    deleted: facts.deleted.filter(inside),
    // What is hidden and on no song is nobody's but of those who see everything.
    genres: facts.genres.filter(({ id }) => facts.songs.some((song) => inside(song) && song.genres.includes(id))),
  };
};

type Keep = ModelRow['keep'];
type Order = ModelRow['order'];

/** What everything has that accounts can rate. */
const annotated = (facts: LibraryFacts, viewer: Viewer, kind: AnnotatedKind, id: number): { keep: Keep; order: Order } => {
  const own = facts.annotations.find((fact) => fact.user === viewer.userId && fact.kind === kind && fact.id === id);
  const rating = own?.rating ?? null;
  const flaggedAt = own?.flaggedAtMs ?? null;
  const byFlag = () => [flaggedAt ?? LEAST];
  return {
    keep: {
      user_flag: (value) => (value === 1) === (flaggedAt !== null),
      user_rating: (value) => (rating ?? 0) === value,
    },
    order: {
      rating: () => (rating === null ? [LEAST, LEAST] : [rating, own?.ratedAtMs ?? 0]),
      user_flag: byFlag,
      userflag: byFlag,
      user_flag_rating: () => [flaggedAt ?? LEAST, rating ?? LEAST],
    },
  };
};

const played = (facts: LibraryFacts, songs: readonly SongFact[]): { keep: Keep; order: Order } => {
  const plays = facts.plays.filter(({ song }) => songs.some(({ id }) => id === song));
  const count = sum(plays.map((fact) => fact.plays));
  return {
    keep: { unplayed: (value) => (value === 1 ? count === 0 : undefined) },
    order: {
      total_count: () => [count],
      last_played: () => [Math.max(LEAST, ...plays.map(({ lastPlayedAtMs }) => lastPlayedAtMs ?? LEAST))],
    },
  };
};

/** Filters by id where 0 restricts nothing. */
const among = (ids: readonly (number | null)[]) => (value: number) => (value === 0 ? undefined : ids.includes(value));
const orNone = (ids: readonly number[]) => (value: number) => (value === 0 ? ids.length === 0 : ids.includes(value));
const dates = (added: number | undefined, updated: number | undefined): Keep => ({
  add_gt: (value) => (value === 0 ? undefined : added !== undefined && added >= value * 1000),
  add_lt: (value) => (value === 0 ? undefined : added !== undefined && added < (value + 1) * 1000),
  update_gt: (value) => (value === 0 ? undefined : updated !== undefined && updated >= value * 1000),
  update_lt: (value) => (value === 0 ? undefined : updated !== undefined && updated < (value + 1) * 1000),
});
const yes = (): boolean => true;
const placed = (facts: LibraryFacts, catalogs: readonly number[]): Keep => ({
  catalog: among(catalogs),
  catalog_enabled: () => facts.catalogs.some(({ id, enabled }) => enabled && catalogs.includes(id)),
  user_catalog: yes,
});
const tagged = (genres: readonly number[]): Keep => ({
  genre: among(genres),
  tag: among(genres),
  no_genre: () => genres.length === 0,
  no_tag: () => genres.length === 0,
});
const lower = (text: string | null): string => (text ?? '').toLowerCase();

const songRow = (facts: LibraryFacts, viewer: Viewer, song: SongFact): ModelRow => {
  const title = sortKey(song.title);
  const album = facts.albums.find(({ id }) => id === song.album);
  const artist = facts.artists.find(({ id }) => id === song.artists[0]);
  const marks = annotated(facts, viewer, 'song', song.id);
  const plays = played(facts, [song]);
  const inAlbum = () => [album ? sortKey(album.name) : '', song.album, song.disk, song.track];
  return {
    id: song.id,
    names: [song.title],
    key: title,
    keep: {
      ...dates(song.addedAtMs, song.updatedAtMs),
      ...placed(facts, [song.catalog]),
      ...tagged(song.genres),
      ...marks.keep,
      ...plays.keep,
      album: among([song.album]),
      album_disk: among([song.album * 256 + diskNumber(song)]),
      artist: among(song.artists),
      top50: among(song.artists),
      disk: among([song.disk]),
      enabled: (value) => value === 1,
      license: among([song.license]),
      mood: among(song.moods),
    },
    order: {
      ...marks.order,
      ...plays.order,
      title: () => [title],
      name: () => [title],
      addition_time: () => [song.addedAtMs],
      update_time: () => [song.updatedAtMs],
      album: inAlbum,
      album_disk: inAlbum,
      artist: () => [artist ? sortKey(artist.name) : '', title],
      catalog: () => [song.catalog, title],
      composer: () => [lower(song.composer)],
      object_count: plays.order['total_count'] ?? (() => []),
      time: () => [song.durationMs],
      total_skip: () => [facts.plays.find((fact) => fact.song === song.id)?.skips ?? 0],
      track: () => [song.track],
      year: () => [song.year, song.addedAtMs],
    },
  };
};

const albumOrders = (facts: LibraryFacts, album: AlbumFact, songs: readonly SongFact[]): Order => {
  const name = sortKey(album.name);
  const [first] = album.artists.map((id) => facts.artists.find((artist) => artist.id === id)?.name ?? '');
  const artist = first === undefined ? '' : sortKey(first);
  const songArtists = sharing(
    songs.flatMap((song) => song.artists),
    facts.artists,
  ).map((one) => sortKey(one.name));
  const generic = first === undefined ? (songArtists.toSorted(compareTexts)[0] ?? '') : artist;
  return {
    name: () => [name],
    title: () => [name],
    name_year: () => [name, album.year],
    name_original_year: () => [name, album.originalYear ?? album.year],
    album_artist: () => [artist, name],
    album_artist_title: () => [artist, name],
    artist: () => [artist, name],
    album_artist_album_sort: () => [artist, name, album.year],
    generic_artist: () => [generic, name],
    barcode: () => [album.barcode ?? ''],
    catalog_number: () => [album.catalogNumber ?? ''],
    disk_count: () => [new Set(songs.map(({ disk }) => disk)).size],
    original_year: () => [album.originalYear ?? album.year],
    release_status: () => [lower(album.releaseStatus)],
    release_type: () => [lower(album.releaseType)],
    version: () => [lower(album.version)],
    catalog: () => [album.catalog, name],
  };
};

const albumKeeps = (facts: LibraryFacts, album: AlbumFact, albumSongs: readonly SongFact[], songs: readonly SongFact[]): Keep => {
  const songArtists = songs.flatMap(({ artists }) => artists);
  return {
    ...placed(facts, [album.catalog]),
    ...tagged(albumSongs.flatMap(({ genres }) => genres)),
    album_artist: orNone(album.artists),
    song_artist: orNone(songArtists),
    artist: among([...album.artists, ...songArtists]),
  };
};

const times = (songs: readonly SongFact[]): [number, number] => [
  Math.min(...songs.map(({ addedAtMs }) => addedAtMs)),
  Math.max(...songs.map(({ updatedAtMs }) => updatedAtMs)),
];

const albumRow = (facts: LibraryFacts, viewer: Viewer, album: AlbumFact): ModelRow => {
  const songs = facts.songs.filter((song) => song.album === album.id);
  const [added, updated] = times(songs);
  const marks = annotated(facts, viewer, 'album', album.id);
  const plays = played(facts, songs);
  return {
    id: album.id,
    names: [album.name],
    key: sortKey(album.name),
    keep: {
      ...dates(added, updated),
      ...albumKeeps(facts, album, songs, songs),
      ...marks.keep,
      ...plays.keep,
      mood: among(songs.flatMap(({ moods }) => moods)),
    },
    order: {
      ...albumOrders(facts, album, songs),
      ...marks.order,
      ...plays.order,
      addition_time: () => [added],
      song_count: () => [songs.length],
      time: () => [sum(songs.map(({ durationMs }) => durationMs))],
      year: () => [album.year, added],
    },
  };
};

const diskRows = (facts: LibraryFacts, viewer: Viewer, album: AlbumFact): ModelRow[] => {
  const albumSongs = facts.songs.filter((song) => song.album === album.id);
  return [...new Set(albumSongs.map(diskNumber))].map((disk) => {
    const id = album.id * 256 + disk;
    const songs = albumSongs.filter((song) => diskNumber(song) === disk);
    const [added, updated] = times(songs);
    const marks = annotated(facts, viewer, 'album_disk', id);
    const plays = played(facts, songs);
    return {
      id,
      names: [album.name],
      key: sortKey(album.name),
      keep: {
        ...dates(added, updated),
        ...albumKeeps(facts, album, albumSongs, songs),
        ...marks.keep,
        ...plays.keep,
        album: among([album.id]),
      },
      order: {
        ...albumOrders(facts, album, albumSongs),
        ...marks.order,
        ...plays.order,
        addition_time: () => [added],
        album_id: () => [album.id],
        disk: () => [disk],
        disksubtitle: () => [lower(album.diskSubtitles[disk] ?? null)],
        song_count: () => [songs.length],
        time: () => [sum(songs.map(({ durationMs }) => durationMs))],
        year: () => [album.year, added],
      },
    };
  });
};

const artistRow = (facts: LibraryFacts, viewer: Viewer, artist: LibraryFacts['artists'][number]): ModelRow[] => {
  const songs = facts.songs.filter(({ artists }) => artists.includes(artist.id));
  const albums = listedAlbums(facts).filter(({ artists }) => artists.includes(artist.id));
  if (songs.length + albums.length === 0) return [];
  const marks = annotated(facts, viewer, 'artist', artist.id);
  const plays = played(facts, songs);
  const key = sortKey(artist.name);
  const updated = songs.length === 0 ? undefined : times(songs)[1];
  return [
    {
      id: artist.id,
      names: [artist.name],
      key,
      keep: {
        ...dates(artist.addedAtMs, updated),
        ...placed(
          facts,
          [...songs, ...albums].map(({ catalog }) => catalog),
        ),
        ...tagged(songs.flatMap(({ genres }) => genres)),
        ...marks.keep,
        ...plays.keep,
        album_artist: (value) => (value === 1) === albums.length > 0,
        song_artist: (value) => (value === 1) === songs.length > 0,
        label: among(albums.flatMap(({ labels }) => labels)),
        mood: among(songs.flatMap(({ moods }) => moods)),
      },
      order: {
        ...marks.order,
        ...plays.order,
        name: () => [key],
        title: () => [key],
        addition_time: () => [artist.addedAtMs],
        album_count: () => [albums.length],
        song_count: () => [songs.length],
        time: () => [sum(songs.map(({ durationMs }) => durationMs))],
      },
    },
  ];
};

const listedAlbums = ({ albums, songs }: LibraryFacts): AlbumFact[] => albums.filter(({ id }) => songs.some(({ album }) => album === id));

const genreRow = (facts: LibraryFacts, viewer: Viewer, { id, name, hidden }: LibraryFacts['genres'][number]): ModelRow[] => {
  const songs = facts.songs.filter(({ genres }) => genres.includes(id));
  if (songs.length === 0 && !hidden) return [];
  const albums = new Set(songs.map(({ album }) => album)).size;
  const artists = new Set(songs.flatMap((song) => song.artists)).size;
  const counts: Record<string, number> = { song: songs.length, album: albums, artist: artists };
  const marks = annotated(facts, viewer, 'genre', id);
  return [
    {
      id,
      names: [name],
      key: sortKey(name),
      keep: {
        ...marks.keep,
        genre: among([id]),
        tag: among([id]),
        hidden: (value) => hidden === (value === 1),
        object_type: (_value, text) => (text === '' ? undefined : (counts[text.toLowerCase()] ?? 0) > 0),
      },
      order: {
        ...marks.order,
        genre: () => [],
        tag: () => [],
        name: () => [sortKey(name)],
        title: () => [sortKey(name)],
        song: () => [songs.length],
        album: () => [albums],
        artist: () => [artists],
      },
    },
  ];
};

const named = (id: number, name: string, more: { keep: Keep; order: Order }): ModelRow => ({
  id,
  names: [name],
  key: sortKey(name),
  keep: more.keep,
  order: { name: () => [sortKey(name)], title: () => [sortKey(name)], ...more.order },
});

const catalogRow = (facts: LibraryFacts, viewer: Viewer, catalog: LibraryFacts['catalogs'][number]): ModelRow => {
  const marks = annotated(facts, viewer, 'catalog', catalog.id);
  const scanned = () => [catalog.scannedAtMs ?? 0];
  return {
    id: catalog.id,
    names: [catalog.name],
    keep: {
      ...marks.keep,
      enabled: (value) => catalog.enabled === (value === 1),
      gather_type: (_value, text) => (text === '' ? undefined : catalog.gatherTypes === text.toLowerCase()),
      user: yes,
    },
    order: {
      ...marks.order,
      name: () => [lower(catalog.name)],
      title: () => [lower(catalog.name)],
      catalog_type: () => [catalog.type],
      enabled: () => [Number(catalog.enabled)],
      gather_types: () => [catalog.gatherTypes],
      last_add: scanned,
      last_clean: scanned,
      last_update: scanned,
      rename_pattern: () => [catalog.renamePattern ?? ''],
      sort_pattern: () => [catalog.sortPattern ?? ''],
    },
  };
};

const folderRows = (facts: LibraryFacts, viewer: Viewer, parent: number): ModelRow[] => {
  const folders = facts.folders.filter((folder) => folder.present && (parent === -1 ? folder.parent === null : folder.parent === parent));
  const row = (kind: 'folder' | 'song', id: number, [name, key]: readonly [string, string], more: Order): ModelRow => {
    const marks = annotated(facts, viewer, kind, id);
    return {
      id: kind === 'folder' ? -id : id,
      rank: kind === 'folder' ? 0 : 1,
      names: [name],
      keep: { ...marks.keep, int_id: among([id]) },
      order: { ...marks.order, name: () => [key], title: () => [key], object_type: () => [], type: () => [], int_id: () => [], ...more },
    };
  };
  const items = (count: number): Order => ({ last_count: () => [count], object_count: () => [count] });
  return [
    ...folders.map(({ id, name, catalog }) => {
      const own = facts.catalogs.find((one) => one.id === catalog)?.name ?? '';
      const count = facts.songs.filter(({ folder }) => folder === id).length;
      const shown = parent === -1 ? ([own, lower(own)] as const) : ([name, sortKey(name)] as const);
      return row('folder', id, shown, { ...items(count), date: () => [0], last_update: () => [0], total_count: () => [0] });
    }),
    ...facts.songs
      .filter(({ folder }) => folder === parent)
      .map((song) =>
        row('song', song.id, [song.fileName, lower(song.fileName)], {
          ...items(0),
          date: () => [song.addedAtMs],
          last_update: () => [song.updatedAtMs],
          total_count: () => [facts.plays.find((fact) => fact.song === song.id)?.plays ?? 0],
        }),
      ),
  ];
};

const userRow = (viewer: Viewer, user: LibraryFacts['users'][number]): ModelRow => {
  const open = viewer.isAdministrator === true || viewer.userId === user.id;
  const fullName = open || user.fullNamePublic ? (user.fullName ?? '') : '';
  const email = open ? (user.email ?? '') : '';
  const holds = (text: string) => (_value: number, value: string) => (value === '' ? undefined : lower(text).includes(lower(value)));
  return {
    id: user.id,
    names: [user.username, fullName, email],
    keep: {
      name: (_value, value) =>
        value === '' ? undefined : [user.username, fullName, email].some((text) => lower(text).includes(lower(value))),
      username: holds(user.username),
      fullname: holds(fullName),
      email: holds(email),
      access: among([user.access]),
      disabled: (value) => user.disabled === (value === 1),
    },
    order: {
      username: () => [lower(user.username)],
      access: () => [user.access],
      create_date: () => [user.createdAtMs],
      disabled: () => [Number(user.disabled)],
      email: () => [lower(email)],
      fullname: () => [lower(fullName)],
      fullname_public: () => [Number(user.fullNamePublic)],
      city: () => [lower(user.city)],
      state: () => [''],
      website: () => [''],
    },
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
    deleted_song: () => facts.deleted.map(({ id, deletedAtMs }) => ({ id, names: [], keep: {}, order: { deletion: () => [deletedAtMs] } })),
  };
  return rows[kind]();
};

/** Compares texts as Postgres' collation "C" does. */
export const compareTexts = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

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
    (a, b) => (a.row.rank ?? 0) - (b.row.rank ?? 0) || sign * (compareKeys(a.key, b.key) || Math.abs(a.row.id) - Math.abs(b.row.id)),
  );
  return inOrder.map(({ row }) => row.id);
};
