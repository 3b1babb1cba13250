import { foldName, sortKey, type ReadModel } from '@continuo/contracts';
import type { Kysely } from 'kysely';
import type { PlaylistFileEntry } from '../format/playlist-file.js';
import type { Found } from './match-by-path.js';
import { songsByRecording, songsByTitleAndArtist, songsByTitleAndLength, type TaggedSong } from './song-candidates.reads.js';

/** Where songs are looked for. */
export interface TagMatching {
  readonly db: Kysely<ReadModel>;
  readonly catalogIds: readonly number[];
}

/** An entry that may be found by what it says of the music. */
export interface TagQuestion {
  readonly at: number;
  readonly entry: PlaylistFileEntry;
}

const RECORDING = /(?:recording\/|^mbid:|^)([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** Finds entries by links to recordings at MusicBrainz, as ListenBrainz writes them. */
export const matchByRecording = async ({ db, catalogIds }: TagMatching, questions: readonly TagQuestion[]): Promise<Found> => {
  const wanted = questions.flatMap(({ at, entry }) =>
    (entry.identifiers ?? []).flatMap((text) => RECORDING.exec(text)?.[1]?.toLowerCase() ?? []).map((mbid) => ({ at, mbid })),
  );
  if (wanted.length === 0) return new Map();
  const songs = await songsByRecording(db, [...new Set(wanted.map(({ mbid }) => mbid))], catalogIds);
  const byMbid = new Map(songs.toReversed().map(({ mbid, songId }) => [mbid, songId]));
  const found: Found = new Map();
  for (const { at, mbid } of wanted) {
    const songId = byMbid.get(mbid);
    if (songId !== undefined && !found.has(at)) found.set(at, songId);
  }
  return found;
};

/** Words that begin what does not belong to the name of a title or artist. */
const GUESTS = /[\s([]+(?:feat|ft|featuring)\b\.?.*$/i;
const SEVERAL = /\s*(?:;|,|\/|&|\+|\band\b|\bx\b|\bvs\.?|\bund\b|\bet\b)\s+/i;
/** Blanks around a dash divide artist and title; a name that holds such a dash itself gives several readings. */
const DIVIDER = /\s+[-–—]\s+/g;
const MAX_READINGS = 6;

const withoutGuests = (name: string): string[] => {
  const bare = name.replace(GUESTS, '').trim();
  return bare === '' || bare === name ? [name] : [name, bare];
};

/** Ways to understand `artist - title`, where the format keeps them in one text. */
const divisions = (text: string): { artist: string; title: string }[] =>
  [...text.matchAll(DIVIDER)].slice(0, MAX_READINGS).map((divider) => ({
    artist: text.slice(0, divider.index).trim(),
    title: text.slice(divider.index + divider[0].length).trim(),
  }));

/** Names of a library are shorter; what divides and ends them is looked for from every blank on. */
const MAX_COMPARED_CHARS = 1000;
const comparable = (text: string | undefined): string | undefined => text?.replaceAll(/\s+/g, ' ').slice(0, MAX_COMPARED_CHARS);

/** Artist and title of an entry, as sort keys, the likelier first. */
const pairsOf = (entry: PlaylistFileEntry): { artist: string; title: string }[] => {
  const [artist, title] = [comparable(entry.artist), comparable(entry.title)];
  if (title === undefined) return [];
  const readings = artist === undefined ? divisions(title) : [{ artist, title }];
  const spelled = readings.flatMap((reading) => {
    const artists = withoutGuests(reading.artist);
    const first = artists.at(-1)?.split(SEVERAL)[0]?.trim();
    return [...new Set([...artists, ...(first ? [first] : [])])].flatMap((one) =>
      withoutGuests(reading.title).map((name) => ({ artist: sortKey(one), title: sortKey(name) })),
    );
  });
  return spelled.filter((pair) => pair.artist !== '' && pair.title !== '');
};

/** Lengths that may belong to the same recording: other encoders, rounded seconds, some silence. */
const withinMs = (durationMs: number): number => Math.max(3000, durationMs * 0.02);

/** A song of the right name that lasts much longer or shorter is another one: a live version, a mix. */
const isAnother = (song: TaggedSong, { durationMs }: PlaylistFileEntry): boolean =>
  durationMs !== undefined && song.durationMs > 0 && Math.abs(song.durationMs - durationMs) > Math.max(30_000, durationMs * 0.3);

/** The best of several songs with the right names: of the album and place that are named, then the nearest in length, then the oldest. */
const bestOf = (songs: readonly TaggedSong[], entry: PlaylistFileEntry): TaggedSong | undefined => {
  const album = entry.album === undefined ? undefined : sortKey(entry.album);
  const rank = (song: TaggedSong): number[] => [
    song.album === album ? 0 : 1,
    song.album === album && song.track === entry.trackNumber ? 0 : 1,
    entry.durationMs === undefined ? 0 : Math.max(0, Math.abs(song.durationMs - entry.durationMs) - withinMs(entry.durationMs)),
    song.songId,
  ];
  const ranked = songs.filter((song) => !isAnother(song, entry)).map((song) => ({ song, rank: rank(song) }));
  const order = (a: number[], b: number[]): number =>
    a.map((value, at) => value - (b[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
  return ranked.toSorted((a, b) => order(a.rank, b.rank))[0]?.song;
};

/** Finds entries by artist and title, and by album, place and length where several songs have both. */
export const matchByTags = async ({ db, catalogIds }: TagMatching, questions: readonly TagQuestion[]): Promise<Found> => {
  const wanted = questions.map((question) => ({
    ...question,
    pairs: pairsOf(question.entry).map((pair) => ({ ...pair, key: `${pair.artist}\n${pair.title}` })),
  }));
  const distinct = [...new Map(wanted.flatMap(({ pairs }) => pairs).map((pair) => [pair.key, pair])).values()];
  if (distinct.length === 0) return new Map();
  const answers = await songsByTitleAndArtist(db, distinct, catalogIds);
  const byKey = Map.groupBy(answers, ({ pair }) => distinct[pair]?.key);
  const found: Found = new Map();
  for (const { at, entry, pairs } of wanted) {
    for (const { key } of pairs) {
      const song = bestOf(
        (byKey.get(key) ?? []).map((answer) => answer.song),
        entry,
      );
      if (song === undefined) continue;
      found.set(at, song.songId);
      break;
    }
  }
  return found;
};

/** Finds entries without an artist by title and length, where just one song has both. */
export const matchByTitle = async ({ db, catalogIds }: TagMatching, questions: readonly TagQuestion[]): Promise<Found> => {
  const wanted = questions.flatMap(({ at, entry: { artist, title, durationMs } }) =>
    artist !== undefined || title === undefined || durationMs === undefined || foldName(title) === ''
      ? []
      : [{ at, title: sortKey(title), durationMs: Math.round(durationMs), withinMs: Math.round(withinMs(durationMs)) }],
  );
  const answers = await songsByTitleAndLength(db, wanted, catalogIds);
  const found: Found = new Map();
  for (const [pair, songs] of Map.groupBy(answers, (answer) => answer.pair)) {
    const at = wanted[pair]?.at;
    if (at !== undefined && songs.length === 1 && songs[0] !== undefined) found.set(at, songs[0].song.songId);
  }
  return found;
};
