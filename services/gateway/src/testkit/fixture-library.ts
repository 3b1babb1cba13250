import {
  foldName,
  sortKey,
  splitName,
  type AlbumDocument,
  type LyricsText,
  type NameRef,
  type ReadModel,
  type SongDocument,
  type TagRef,
} from '@continuo/contracts';
import type { Insertable, Kysely } from 'kysely';

/** A song as a test describes it; everything else is derived or fixed. */
export interface FixtureSong {
  readonly title: string;
  readonly album: string;
  readonly artists: readonly string[];
  readonly albumArtists?: readonly string[];
  readonly genres?: readonly string[];
  readonly moods?: readonly string[];
  readonly year?: number;
  readonly disk?: number;
  readonly track?: number;
  /** Folder below the catalog's root, `/` between segments; empty for the root itself. */
  readonly folder: string;
  readonly fileName: string;
  readonly catalogId?: number;
  readonly doc?: Partial<SongDocument>;
  readonly albumDoc?: Partial<AlbumDocument>;
  readonly lyrics?: readonly LyricsText[];
  readonly plays?: { readonly count: number; readonly lastPlayedAtMs: number };
}

/** 2024-05-01T10:20:30.000Z, when the first song was added; each one more came a minute later. */
export const FIRST_ADDED_MS = Date.UTC(2024, 4, 1, 10, 20, 30);
const MINUTE_MS = 60_000;

/** Gives out ids from 1 in the order in which names come up. */
class Names {
  private readonly ids = new Map<string, number>();
  idOf(name: string): number {
    const id = this.ids.get(name) ?? this.ids.size + 1;
    this.ids.set(name, id);
    return id;
  }
  get all(): readonly (readonly [string, number])[] {
    return [...this.ids];
  }
}

interface Rows {
  readonly songs: Insertable<ReadModel['library.song']>[];
  readonly albums: Map<string, Insertable<ReadModel['library.album']>>;
}

/** Turns descriptions into rows of the read model, as the library's projection would. */
class FixtureBuilder {
  private readonly artists = new Names();
  private readonly genres = new Names();
  private readonly moods = new Names();
  private readonly albums = new Names();
  private readonly folders = new Names();
  private readonly rows: Rows = { songs: [], albums: new Map() };

  constructor(
    private readonly db: Kysely<ReadModel>,
    private readonly songs: readonly FixtureSong[],
  ) {}

  private artist = (name: string): NameRef => ({ id: this.artists.idOf(name), name, ...splitName(name) });
  private genre = (name: string): TagRef => ({ id: this.genres.idOf(name), name });
  private mood = (name: string): TagRef => ({ id: this.moods.idOf(name), name });
  private albumArtists = (song: FixtureSong): readonly string[] => song.albumArtists ?? song.artists;
  private albumKey = (song: FixtureSong): string => `${this.albumArtists(song).join('/')}\n${song.album}`;
  private catalogOf = (song: FixtureSong): number => song.catalogId ?? 1;

  private folder(catalogId: number, path: string): number {
    const segments = path === '' ? [] : path.split('/');
    for (let depth = 0; depth < segments.length; depth += 1) this.folders.idOf(`${catalogId}:${segments.slice(0, depth).join('/')}`);
    return this.folders.idOf(`${catalogId}:${path}`);
  }

  private documentOf(song: FixtureSong, id: number): SongDocument {
    const { disk = 1, track = 1, year = 0, folder, fileName } = song;
    return {
      id,
      title: song.title,
      artists: song.artists.map(this.artist),
      album: { id: this.albums.idOf(this.albumKey(song)), name: song.album, ...splitName(song.album) },
      albumArtists: this.albumArtists(song).map(this.artist),
      disk,
      track,
      year,
      durationMs: 181_400,
      format: fileName.slice(fileName.lastIndexOf('.') + 1),
      mime: 'audio/flac',
      bitrateBps: 912_345,
      sampleRateHz: 44_100,
      channels: 2,
      sizeBytes: 20_000_000,
      path: folder === '' ? fileName : `${folder}/${fileName}`,
      catalogId: this.catalogOf(song),
      folderId: this.folder(this.catalogOf(song), folder),
      genres: (song.genres ?? []).map(this.genre),
      moods: (song.moods ?? []).map(this.mood),
      ...song.doc,
    };
  }

  private addSong(song: FixtureSong, index: number): void {
    const id = index + 1;
    const doc = this.documentOf(song, id);
    const addedAtMs = FIRST_ADDED_MS + index * MINUTE_MS;
    this.rows.songs.push({
      id,
      catalog_id: doc.catalogId,
      folder_id: doc.folderId,
      file_name: song.fileName,
      album_id: doc.album.id,
      artist_id: doc.artists[0]?.id ?? null,
      title: doc.title,
      title_sort: sortKey(doc.title),
      disk: doc.disk,
      track: doc.track,
      year: doc.year,
      duration_ms: doc.durationMs,
      bitrate_bps: doc.bitrateBps,
      size_bytes: doc.sizeBytes,
      mtime_ms: FIRST_ADDED_MS,
      added_at_ms: addedAtMs,
      updated_at_ms: addedAtMs,
      mbid: doc.mbid ?? null,
      art_hash: doc.artHash ?? null,
      random_key: ((id * 7919) % 1000) / 1000,
      doc: JSON.stringify(doc),
    });
    this.addToAlbum(song, doc, addedAtMs);
  }

  private addToAlbum(song: FixtureSong, doc: SongDocument, addedAtMs: number): void {
    const key = this.albumKey(song);
    const known = this.rows.albums.get(key);
    const [first] = doc.albumArtists;
    const albumDoc: AlbumDocument = {
      artists: doc.albumArtists,
      songArtists: doc.artists,
      genres: doc.genres,
      moods: doc.moods,
      recordLabels: [],
      releaseTypes: [],
      diskTitles: [],
      compilation: false,
      ...song.albumDoc,
    };
    this.rows.albums.set(key, {
      id: doc.album.id,
      catalog_id: doc.catalogId,
      name: song.album,
      ...splitName(song.album),
      name_sort: sortKey(song.album),
      album_artist_id: first?.id ?? null,
      artist_sort: first ? sortKey(first.name) : '',
      year: doc.year,
      original_year: null,
      disk_count: 1,
      size_bytes: 0,
      updated_at_ms: addedAtMs,
      release_type: null,
      mbid: null,
      mbid_group: null,
      art_hash: null,
      art_mime: null,
      random_key: ((doc.album.id * 7919) % 1000) / 1000,
      doc: JSON.stringify(albumDoc),
      ...known,
      added_at_ms: known?.added_at_ms ?? addedAtMs,
      song_count: (known?.song_count ?? 0) + 1,
      duration_ms: (known?.duration_ms ?? 0) + doc.durationMs,
    });
  }

  async write(): Promise<void> {
    this.songs.forEach((song, index) => this.addSong(song, index));
    await this.db.insertInto('library.song').values(this.rows.songs).execute();
    await this.db
      .insertInto('library.album')
      .values([...this.rows.albums.values()])
      .execute();
    await this.writeLinks();
    await this.writeNames();
    await this.writeCatalogs();
    await this.writeExtras();
  }

  private async writeLinks(): Promise<void> {
    const docs = this.rows.songs.map((row) => JSON.parse(row.doc) as SongDocument);
    const credits = docs.flatMap((doc) => doc.artists.map((ref, position) => ({ song_id: doc.id, artist_id: ref.id, position })));
    await this.db.insertInto('library.song_artist').values(credits).execute();
    const genres = docs.flatMap((doc) => doc.genres.map((ref, position) => ({ song_id: doc.id, genre_id: ref.id, position })));
    if (genres.length > 0) await this.db.insertInto('library.song_genre').values(genres).execute();
    const albums = [...this.rows.albums.values()].map((row) => ({ row, doc: JSON.parse(row.doc) as AlbumDocument }));
    const owners = albums.flatMap(({ row, doc }) =>
      doc.artists.map((ref, position) => ({ album_id: row.id, artist_id: ref.id, position })),
    );
    await this.db.insertInto('library.album_artist').values(owners).execute();
    const tagged = albums.flatMap(({ row, doc }) =>
      doc.genres.map((ref) => ({ album_id: row.id, genre_id: ref.id, song_count: row.song_count })),
    );
    if (tagged.length > 0) await this.db.insertInto('library.album_genre').values(tagged).execute();
    const inCatalogs = new Map(
      docs.flatMap((doc) =>
        [...doc.artists, ...doc.albumArtists].map((ref) => [
          `${ref.id}/${doc.catalogId}`,
          { artist_id: ref.id, catalog_id: doc.catalogId, song_count: 1, album_count: 0 },
        ]),
      ),
    );
    await this.db
      .insertInto('library.artist_catalog')
      .values([...inCatalogs.values()])
      .execute();
  }

  private async writeNames(): Promise<void> {
    const docs = this.rows.songs.map((row) => JSON.parse(row.doc) as SongDocument);
    const owned = [...this.rows.albums.values()].flatMap((row) => (JSON.parse(row.doc) as AlbumDocument).artists.map((ref) => ref.id));
    const artists = this.artists.all.map(([name, id]) => ({
      id,
      name,
      ...splitName(name),
      name_sort: sortKey(name),
      mbid: null,
      album_count: owned.filter((owner) => owner === id).length,
      song_count: docs.filter((doc) => doc.artists.some((ref) => ref.id === id)).length,
      duration_ms: 0,
      added_at_ms: FIRST_ADDED_MS,
      art_hash: null,
      random_key: 0.5,
      doc: '{"genres":[]}',
    }));
    await this.db.insertInto('library.artist').values(artists).execute();
    const genres = this.genres.all.map(([name, id]) => ({
      id,
      name,
      name_sort: foldName(name),
      song_count: docs.filter((doc) => doc.genres.some((ref) => ref.id === id)).length,
      album_count: [...this.rows.albums.values()].filter((row) =>
        (JSON.parse(row.doc) as AlbumDocument).genres.some((ref) => ref.id === id),
      ).length,
      artist_count: 0,
      hidden: false,
    }));
    if (genres.length > 0) await this.db.insertInto('library.genre').values(genres).execute();
  }

  private async writeCatalogs(): Promise<void> {
    const ids = [...new Set(this.songs.map(this.catalogOf))];
    const catalogs = ids.map((id) => ({
      id,
      name: `Music ${id}`,
      type: 'local',
      gather_types: 'music',
      path: `/music/${id}`,
      enabled: true,
      rename_pattern: null,
      sort_pattern: null,
      added_at_ms: FIRST_ADDED_MS,
      song_count: this.songs.filter((song) => this.catalogOf(song) === id).length,
    }));
    await this.db.insertInto('library.catalog').values(catalogs).execute();
    const folders = this.folders.all.map(([key, id]) => {
      const [catalog = '1', path = ''] = key.split(':');
      const parent = path === '' ? null : this.folders.idOf(`${catalog}:${path.split('/').slice(0, -1).join('/')}`);
      return {
        id,
        catalog_id: Number(catalog),
        parent_id: parent,
        path,
        name: path.split('/').at(-1) ?? '',
        name_sort: foldName(path.split('/').at(-1) ?? ''),
        art_hash: null,
        art_mime: null,
        present: true,
        song_count: 0,
        duration_ms: 0,
      };
    });
    await this.db.insertInto('library.folder').values(folders).execute();
    const totals = catalogs.map(({ id, song_count }) => ({
      kind: 'song' as const,
      catalog_id: id,
      total: song_count,
      max_id: song_count,
      version: 1,
    }));
    const songs = catalogs.reduce((sum, { song_count }) => sum + song_count, 0);
    const whole = { kind: 'song' as const, catalog_id: 0, total: songs, max_id: songs, version: 1 };
    await this.db
      .insertInto('library.counter')
      .values([whole, ...totals])
      .execute();
  }

  private async writeExtras(): Promise<void> {
    const indexed = this.songs.map((song, index) => ({ song, id: index + 1 }));
    const lyrics = indexed.flatMap(({ song, id }) => (song.lyrics ? [{ song_id: id, lyrics: JSON.stringify(song.lyrics) }] : []));
    if (lyrics.length > 0) await this.db.insertInto('library.song_lyrics').values(lyrics).execute();
    const plays = indexed.flatMap(({ song, id }) =>
      song.plays
        ? [
            {
              song_id: id,
              play_count: song.plays.count,
              skip_count: 0,
              last_played_at_ms: song.plays.lastPlayedAtMs,
              last_skipped_at_ms: null,
            },
          ]
        : [],
    );
    if (plays.length > 0) await this.db.insertInto('playback.song_plays').values(plays).execute();
    await this.db
      .insertInto('ingestion.scan')
      .values({
        id: 'first-scan',
        catalog_id: 1,
        state: 'finished',
        requested_at_ms: FIRST_ADDED_MS,
        started_at_ms: FIRST_ADDED_MS,
        updated_at_ms: FIRST_ADDED_MS + MINUTE_MS,
        finished_at_ms: FIRST_ADDED_MS + MINUTE_MS,
        folders_seen: 1,
        files_seen: this.songs.length,
        songs_added: this.songs.length,
        songs_changed: 0,
        songs_moved: 0,
        songs_removed: 0,
        files_skipped: 0,
        message: null,
      })
      .execute();
  }
}

/** Fills an empty read model with the given songs and everything that belongs to them; ids count from 1 in the order in which things come up. */
export const seedFixtureLibrary = (db: Kysely<ReadModel>, songs: readonly FixtureSong[]): Promise<void> =>
  new FixtureBuilder(db, songs).write();
