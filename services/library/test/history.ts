import {
  catalogAdded,
  catalogRemoved,
  folderDiscovered,
  folderSidecarsChanged,
  folderVanished,
  genreHidden,
  genreMerged,
  genreShown,
  genreUnmerged,
  tracksAdded,
  tracksChanged,
  tracksMovedIn,
  tracksMovedOut,
  tracksRemoved,
  type AlbumId,
  type ArtistId,
  type CatalogId,
  type DomainEvent,
  type FolderId,
  type GenreId,
  type LabelId,
  type LicenseId,
  type NameTables,
  type RecordedEvent,
  type RecordedTrack,
  type SongId,
} from '@continuo/contracts';
import { track } from './tracks.js';

/** A small deterministic generator of pseudo-random whole numbers below a bound. */
export const dice = (seed: number) => {
  let state = seed;
  return (bound: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
};

interface Place {
  readonly folderId: FolderId;
  readonly catalogId: CatalogId;
  readonly parentId: FolderId | null;
  readonly path: string;
}

/** Two catalogs with their folders, parents before children. */
const places: readonly Place[] = (
  [
    [1, 1, null, ''],
    [2, 1, 1, 'a'],
    [3, 1, 2, 'a/b'],
    [4, 1, 1, 'c'],
    [5, 2, null, ''],
    [6, 2, 5, 'd'],
  ] as const
).map(([folderId, catalogId, parentId, path]) => ({ folderId, catalogId, parentId, path }) as unknown as Place);

const GENRES = 5;
/** The first four are artists of songs and albums. */
const ARTISTS = 6;
/** Titles that a careless writer of SQL would stumble over. */
const titles = ['plain', 'say "hi"', 'back\\slash\\', 'NULL', '{a,b}', "it's; --", 'line\nbreak\ttab', '🎵 ünï', ''];
const artist = (n: number) => ({ id: (n + 1) as ArtistId, name: `Artist ${n}` });
const genre = (n: number) => ({ id: (n + 1) as GenreId, name: `"Genre" ${n}` });
const label = (n: number) => ({ id: (n + 1) as LabelId, name: `Label ${n}` });
const license = (n: number, linked: number) => ({
  id: (n + 1) as LicenseId,
  name: `Licence ${n}`,
  externalLink: linked ? `https://license.example/${n}/${linked}` : '',
});

/** Makes up what happens next, one step at a time. */
class HistoryWriter {
  readonly events: DomainEvent[] = [];
  readonly #roll: (bound: number) => number;
  /** Song ids by folder that is there. */
  readonly #held = new Map<Place, Set<number>>();
  readonly #merges = new Map<number, number[]>();
  #places = places;
  #nextSong = 1;

  constructor(seed: number) {
    this.#roll = dice(seed);
    for (const id of [1, 2] as CatalogId[])
      this.events.push(
        catalogAdded({
          catalogId: id,
          name: `${id}`,
          type: 'local',
          gatherTypes: 'music',
          path: `/music/${id}`,
          renamePattern: null,
          sortPattern: null,
        }),
      );
  }

  step(): void {
    const place = this.#places[this.#roll(this.#places.length)] as Place;
    const held = this.#held.get(place);
    if (!held) return this.#discover(place);
    const some = [...held][this.#roll(Math.max(1, held.size))];
    const choice = this.#roll(40);
    if (choice === 0) return this.#genreDecision();
    if (choice === 1) return this.#vanish(place, held);
    if (choice < 5) return this.#sidecars(place);
    if (choice < 17 || some === undefined) return this.#add(place, held);
    if (choice < 25) return void this.events.push(tracksChanged(this.#content(place, [this.#track(place, some)])));
    if (choice < 33) return this.#remove(place, held, [some]);
    return this.#move(place, held, some);
  }

  /** The end of the first catalog, whatever is in it. */
  removeFirstCatalog(): void {
    this.#places = places.filter((place) => place.catalogId !== 1);
    this.events.push(catalogRemoved({ catalogId: 1 as CatalogId, path: '/music/1' }));
  }

  #discover(place: Place): void {
    const parent = places.find(({ folderId }) => folderId === place.parentId);
    if (parent && !this.#held.has(parent)) this.#discover(parent);
    this.#held.set(place, new Set());
    this.events.push(folderDiscovered({ ...place, name: place.path.slice(place.path.lastIndexOf('/') + 1) }));
  }

  /** Often the newest song goes again at once, as when a file is replaced while a scan runs. */
  #add(place: Place, held: Set<number>): void {
    const ids = Array.from({ length: 1 + this.#roll(3) }, () => this.#nextSong++);
    for (const id of ids) held.add(id);
    const tracks = ids.map((id) => this.#track(place, id));
    this.events.push(tracksAdded(this.#content(place, tracks)));
    const newest = ids.at(-1);
    if (newest === undefined || this.#roll(3) > 0) return;
    if (this.#roll(2)) this.events.push(tracksChanged(this.#content(place, [this.#track(place, newest)])));
    this.#remove(place, held, [newest]);
  }

  #remove({ folderId, catalogId }: Place, held: Set<number>, ids: readonly number[]): void {
    for (const id of ids) held.delete(id);
    const songs = ids.map((id) => ({ songId: id as SongId, fileName: `${id}.mp3` }));
    if (songs.length > 0) this.events.push(tracksRemoved({ folderId, catalogId, songs }));
  }

  #vanish(place: Place, held: Set<number>): void {
    this.#remove(place, held, [...held]);
    this.#held.delete(place);
    this.events.push(folderVanished({ folderId: place.folderId, catalogId: place.catalogId }));
  }

  #move(place: Place, held: Set<number>, id: number): void {
    const target = [...this.#held.keys()].find((other) => other !== place && other.catalogId === place.catalogId);
    if (!target || !this.#places.includes(target)) return;
    held.delete(id);
    this.#held.get(target)?.add(id);
    const origin = { songId: id as SongId, folderId: place.folderId, fileName: `${id}.mp3` };
    const { folderId, catalogId } = place;
    this.events.push(
      tracksMovedIn({ ...this.#content(target, [this.#track(target, id)]), from: [origin] }),
      tracksMovedOut({ folderId, catalogId, songs: [origin], toFolderId: target.folderId }),
    );
  }

  #sidecars({ folderId, catalogId }: Place): void {
    const art = this.#roll(2) ? { hash: String(this.#roll(9)).repeat(64), mime: 'image/png', sizeBytes: 1 } : null;
    const files = [{ fileName: 'cover.png', sizeBytes: 1, mtimeMs: this.events.length, kind: 'art' as const }];
    this.events.push(folderSidecarsChanged({ folderId, catalogId, files, art }));
  }

  #genreDecision(): void {
    const { id } = genre(this.#roll(GENRES));
    const choice = this.#roll(6);
    if (choice === 0) this.events.push(genreHidden({ genreId: id }));
    else if (choice === 1) this.events.push(genreShown({ genreId: id }));
    else if (choice === 2) {
      this.#merges.delete(id);
      this.events.push(genreUnmerged({ genreId: id }));
    } else {
      const intoIds = [...new Set([genre(this.#roll(GENRES)).id, genre(this.#roll(GENRES)).id])].filter((into) => !this.#leadsTo(into, id));
      if (intoIds.length === 0) return;
      this.#merges.set(id, intoIds);
      this.events.push(genreMerged({ genreId: id, intoIds }));
    }
  }

  #leadsTo(from: number, to: number): boolean {
    return from === to || (this.#merges.get(from) ?? []).some((next) => this.#leadsTo(next, to));
  }

  #track(place: Place, id: number): RecordedTrack {
    const roll = this.#roll;
    const {
      artists: _artists,
      albumArtists: _albumArtists,
      album: _album,
      genres: _genres,
      moods: _moods,
      ...plain
    } = track(`${id}.mp3`, {
      title: titles[roll(titles.length)] ?? '',
      year: 1990 + roll(20),
      durationMs: 1000 * roll(300),
      disk: [1, 2, 300, 301][roll(4)],
      track: roll(12),
    });
    return {
      ...plain,
      songId: id as SongId,
      artistIds: [...new Set([roll(4), roll(4)])].map((n) => artist(n).id),
      albumId: (10 * place.catalogId + roll(4)) as AlbumId,
      genreIds: [...new Set([roll(GENRES), roll(GENRES)])].map((n) => genre(n).id),
      moodIds: [],
      ...this.#credits(),
      ...(roll(2) ? { licenseId: license(roll(3), 0).id } : {}),
    };
  }

  /** Some of those who take part in songs are on none as its artist. */
  #credits(): Pick<RecordedTrack, 'contributors'> & Partial<Pick<RecordedTrack, 'composerIds' | 'explicit'>> {
    const roll = this.#roll;
    const role = ['mixer', 'composer', 'performer'][roll(3)] as string;
    return {
      contributors: roll(3) ? [] : [{ role, name: 'Somebody', ...(roll(4) ? { artistId: artist(roll(ARTISTS)).id } : {}) }],
      ...(roll(3) ? {} : { composerIds: [artist(roll(ARTISTS)).id, artist(roll(ARTISTS)).id] }),
      ...(roll(3) ? {} : { explicit: roll(2) ? 'explicit' : 'clean' }),
    };
  }

  #content({ folderId, catalogId, path }: Place, tracks: RecordedTrack[]) {
    if (this.#roll(4) > 0) return { folderId, catalogId, path, tracks, names: this.#names(tracks, true) };
    // Events from before labels and licences had ids.
    const bare = tracks.map(({ licenseId: _licenseId, ...rest }) => rest);
    return { folderId, catalogId, path, tracks: bare, names: this.#names(bare, false) };
  }

  #names(tracks: readonly RecordedTrack[], labelled: boolean): NameTables {
    const roll = this.#roll;
    const albums = [...new Set(tracks.map((t) => t.albumId))].map((id) => ({
      id,
      name: `Album ${id}`,
      artistIds: [...new Set([roll(4), roll(4)])].map((n) => artist(n).id),
      releaseTypes: [],
      recordLabels: [],
      ...(labelled && roll(2) ? { labelIds: [...new Set([roll(3), roll(3)])].map((n) => label(n).id) } : {}),
      compilation: roll(2) === 0,
      ...(roll(2) ? { year: 1980 + roll(9) } : {}),
    }));
    return {
      artists: Array.from({ length: ARTISTS }, (_, n) => artist(n)),
      genres: Array.from({ length: GENRES }, (_, n) => genre(n)),
      moods: [],
      albums,
      ...(labelled ? { labels: [0, 1, 2].map(label), licenses: [0, 1, 2].map((n) => license(n, roll(3))) } : {}),
    };
  }
}

/**
 * A random but possible history: songs come, change, move and go in two catalogs, folders vanish and come back, genres are hidden and merged; with every
 * third seed the first catalog is removed half-way.
 */
export const history = (seed: number, length: number): RecordedEvent[] => {
  const writer = new HistoryWriter(seed);
  let removed = seed % 3 !== 0;
  while (writer.events.length < length) {
    writer.step();
    if (removed || writer.events.length < length / 2) continue;
    writer.removeFirstCatalog();
    removed = true;
  }
  return writer.events.map((event, index) => ({
    ...event,
    id: String(index),
    at: 1000 + index,
    actor: 'system',
    correlationId: 'c',
    causationId: 'c',
    stream: 'EV_LIBRARY',
    subject: 's',
    position: index + 1,
  }));
};
