import { sortKey } from '@continuo/contracts';
import { nameColumns, type AlbumFact, type LibraryFacts, type SongFact } from './random-facts.js';

/** A row by column. */
export type Row = Readonly<Record<string, unknown>>;

/** Rows of what hangs in order off something. */
export const numbered = (ids: readonly number[], row: (id: number) => Row): Row[] => ids.map((id, position) => ({ ...row(id), position }));

/** Counts each key. */
export const countBy = (keys: readonly (readonly number[])[]): { key: readonly number[]; count: number }[] => {
  const counts = new Map<string, { key: readonly number[]; count: number }>();
  for (const key of keys) {
    const entry = counts.get(String(key)) ?? { key, count: 0 };
    entry.count += 1;
    counts.set(String(key), entry);
  }
  return [...counts.values()];
};

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Rows of songs. */
export const songRows = (facts: LibraryFacts): Row[] =>
  facts.songs.map((song) => ({
    id: song.id,
    catalog_id: song.catalog,
    folder_id: song.folder,
    file_name: song.fileName,
    album_id: song.album,
    artist_id: song.artists[0] ?? null,
    title: song.title,
    title_sort: sortKey(song.title),
    disk: song.disk,
    track: song.track,
    year: song.year,
    duration_ms: song.durationMs,
    bitrate_bps: 1,
    size_bytes: 1,
    mtime_ms: 1,
    added_at_ms: song.addedAtMs,
    updated_at_ms: song.updatedAtMs,
    composer: song.composer,
    license_id: song.license,
    random_key: 0.5,
    doc: '{}',
  }));

/** The row of an album. */
export const albumRow = (facts: LibraryFacts, album: AlbumFact): Row => {
  const songs = facts.songs.filter((song) => song.album === album.id);
  const artist = facts.artists.find(({ id }) => id === album.artists[0]);
  return {
    id: album.id,
    catalog_id: album.catalog,
    ...nameColumns(album.name),
    album_artist_id: artist?.id ?? null,
    artist_sort: artist ? sortKey(artist.name) : '',
    year: album.year,
    original_year: album.originalYear,
    song_count: songs.length,
    disk_count: new Set(songs.map(({ disk }) => disk)).size,
    duration_ms: sum(songs.map(({ durationMs }) => durationMs)),
    size_bytes: songs.length,
    added_at_ms: songs.length === 0 ? 0 : Math.min(...songs.map(({ addedAtMs }) => addedAtMs)),
    updated_at_ms: Math.max(0, ...songs.map(({ updatedAtMs }) => updatedAtMs)),
    release_type: album.releaseType,
    release_status: album.releaseStatus,
    version: album.version,
    barcode: album.barcode,
    catalog_number: album.catalogNumber,
    random_key: 0.5,
    tags: {},
    doc: '{}',
  };
};

/** The number by which a disk is known: those beyond 255 share one. */
export const diskNumber = (song: SongFact): number => Math.min(song.disk, 255);

/** Rows of the disks of all albums. */
export const diskRows = (facts: LibraryFacts): Row[] =>
  facts.albums.flatMap((album) => {
    const songs = facts.songs.filter((song) => song.album === album.id);
    return [...new Set(songs.map(diskNumber))].map((disk) => {
      const own = songs.filter((song) => diskNumber(song) === disk);
      return {
        id: album.id * 256 + disk,
        album_id: album.id,
        catalog_id: album.catalog,
        disk,
        subtitle: album.diskSubtitles[disk] ?? null,
        song_count: own.length,
        duration_ms: sum(own.map(({ durationMs }) => durationMs)),
        size_bytes: own.length,
        added_at_ms: Math.min(...own.map(({ addedAtMs }) => addedAtMs)),
        updated_at_ms: Math.max(...own.map(({ updatedAtMs }) => updatedAtMs)),
      };
    });
  });

/** Rows of artists. */
export const artistRows = (facts: LibraryFacts): Row[] =>
  facts.artists.map(({ id, name, addedAtMs }) => {
    const songs = facts.songs.filter(({ artists }) => artists.includes(id));
    return {
      id,
      ...nameColumns(name),
      album_count: withSongs(facts).filter(({ artists }) => artists.includes(id)).length,
      song_count: songs.length,
      duration_ms: sum(songs.map(({ durationMs }) => durationMs)),
      added_at_ms: addedAtMs,
      random_key: 0.5,
      doc: '{}',
    };
  });

/** Albums with songs. */
export const withSongs = ({ albums, songs }: LibraryFacts): AlbumFact[] =>
  albums.filter(({ id }) => songs.some(({ album }) => album === id));
