import type { ScannedTrack } from '@continuo/contracts';
import type { IAudioMetadata } from 'music-metadata';
import { contributorsFrom, creditNames } from './contributors.js';
import { creditsFrom, mbidsOf, rejoinSlashes, type Credits } from './credits.js';
import { isoDate, yearOf } from './dates.js';
import { extraTagsFrom } from './extra-tags.js';
import { albumOfPath, discOfFolder, partsOfFileName } from './file-name.js';
import { genreTermsFrom } from './genres.js';
import { loudnessFrom } from './loudness.js';
import { boundLyrics, lyricsFromTags, type RawLyrics } from './lyrics.js';
import { ratingFrom } from './rating.js';
import { TagBag } from './tag-bag.js';
import { defaultTagRules, type TagRules } from './tag-rules.js';
import { cleanLines, cleanList, cleanText, MAX_COMMENT_CHARS } from './text.js';
import { explicitFrom, worksFrom } from './works.js';

/** Name of the artist of a track without any: in brackets, as the other servers write it, so that it sorts apart and is no band's name. */
export const UNKNOWN_ARTIST = '[Unknown Artist]';
/** The album of a track without one that lies in the catalog's root; elsewhere the folder names the album. */
export const UNKNOWN_ALBUM = '[Unknown Album]';
/** Album artist of a compilation without one, with MusicBrainz' id for it. */
export const VARIOUS_ARTISTS = { name: 'Various Artists', mbid: '89ad4ac3-39f7-470e-963a-56509c546377' } as const;

/** Where the file lies. */
export interface TrackLocation {
  readonly fileName: string;
  /** Folder relative to the catalog's root. */
  readonly folderPath: string;
}

/** Tags as fields of a scanned track; sound, file and picture are added by the reader. */
export type TagFields = Omit<
  ScannedTrack,
  | 'fileName'
  | 'sizeBytes'
  | 'mtimeMs'
  | 'digest'
  | 'art'
  | 'durationMs'
  | 'format'
  | 'codec'
  | 'mime'
  | 'bitrateBps'
  | 'bitrateMode'
  | 'lossless'
  | 'sampleRateHz'
  | 'channels'
  | 'bitDepth'
>;

type Common = IAudioMetadata['common'];
/** Largest disc or track number that is believed. */
const MAX_NUMBER = 99_999;

/** Maps a file's tags to a track. Text is cleaned and bounded here; nothing below this function is trusted. */
export const mapTags = (
  metadata: Pick<IAudioMetadata, 'common' | 'native'>,
  place: TrackLocation,
  rules: TagRules = defaultTagRules,
): TagFields => {
  const bag = new TagBag(metadata.native);
  const { common } = metadata;
  const { artistSeparators: separators, genreSeparators } = rules;
  const artists = artistCredits(common, bag, separators);
  const albumArtists = albumArtistCredits(common, bag, artists, separators);
  const title = titleAndNumbers(common, bag, place);
  const album = albumFields(common, bag, place);
  const year = yearOf(common.year) ?? album.year ?? album.originalYear;
  return {
    ...defined({ sortTitle: cleanText(common.titlesort), displayArtist: artists.printed, displayAlbumArtist: albumArtists.printed, year }),
    ...title,
    ...plainFields(common, bag),
    artists: artists.credits.length > 0 ? artists.credits : [{ name: UNKNOWN_ARTIST }],
    albumArtists: albumArtists.credits,
    album,
    genres: genreTermsFrom(common.genre ?? bag.all('genre'), genreSeparators),
    moods: genreTermsFrom(bag.all('mood', 'tmoo'), genreSeparators),
    composers: creditNames(common.composer ?? bag.all('composer'), separators),
    contributors: contributorsFrom(common, bag, separators),
    ...worksFrom(bag),
    loudness: loudnessFrom((name) => bag.text(name)),
    lyrics: boundLyrics(lyricsFromTags(rawLyrics(bag))),
    extraTags: extraTagsFrom(common, bag),
  };
};

/** Drops absent values, so that optional fields are missing rather than undefined. */
const defined = <T extends Record<string, unknown>>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: Exclude<T[K], undefined> };

/** The one tag type whose lists are separated by slashes, which names have too. */
const SLASHED = 'ID3v2.3';

const artistCredits = (common: Common, bag: TagBag, separators: readonly string[]): Credits => {
  const mbids = mbidsOf(bag.all('musicbrainz_artistid', 'musicbrainz artist id', 'musicbrainz/artist id'));
  const slashed = bag.typeOf('artists', 'artist', 'tpe1', 'tp1', '©art', 'author') === SLASHED;
  const names = slashed ? rejoinSlashes(common.artists ?? [], mbids.length) : (common.artists ?? []);
  const line = names.length > 1 && common.artist === names[0] ? undefined : common.artist;
  return creditsFrom({
    names,
    line: slashed && names.length === 1 ? names[0] : line,
    mbids,
    separators,
    sortNames: cleanList(bag.all('artists_sort', 'artistsort', 'artistsortorder', 'tsop', 'xsop', 'tsp', 'soar'), 50),
  });
};

/** Names of the tag that has one value for each album artist. */
const ALBUM_ARTISTS = ['albumartists', 'album_artists', 'album artists'];

const albumArtistCredits = (common: Common, bag: TagBag, artists: Credits, separators: readonly string[]): Credits => {
  const mbids = mbidsOf(bag.all('musicbrainz_albumartistid', 'musicbrainz album artist id', 'musicbrainz/album artist id'));
  const several = cleanList(bag.all(...ALBUM_ARTISTS), 50);
  const given =
    several.length > 0 ? several : (common.albumartists ?? cleanList(bag.all('album_artist', 'albumartist', 'album artist'), 50));
  const slashed = several.length > 0 && bag.typeOf(...ALBUM_ARTISTS) === SLASHED;
  const names = slashed ? rejoinSlashes(given, mbids.length) : given;
  const line = names.length > 1 && common.albumartist === names[0] ? undefined : common.albumartist;
  const tagged = creditsFrom({
    names,
    line: names.length === 1 ? names[0] : line,
    mbids,
    separators,
    sortNames: cleanList(bag.all('albumartists_sort', 'albumartistsort', 'albumartistsortorder', 'tso2', 'ts2', 'soaa'), 50),
  });
  if (tagged.credits.length > 0) return tagged;
  const fallback = isCompilation(common, bag) ? [VARIOUS_ARTISTS] : artists.main.length > 0 ? artists.main : [{ name: UNKNOWN_ARTIST }];
  return { credits: [...fallback], main: [...fallback] };
};

/** Windows Media has a true or false where others have a 1. */
const isCompilation = (common: Common, bag: TagBag): boolean =>
  common.compilation || bag.all('iscompilation', 'compilation').some((value) => value === true || value === '1' || value === 'true');

const ordinal = (value: unknown): number | undefined => {
  const number = typeof value === 'string' ? Number.parseInt(value, 10) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= MAX_NUMBER ? number : undefined;
};

type TitleFields = Pick<ScannedTrack, 'title' | 'track' | 'trackTotal' | 'disk' | 'diskTotal' | 'diskSubtitle'>;

const titleAndNumbers = (common: Common, bag: TagBag, place: TrackLocation): TitleFields => {
  const tagged = cleanText(common.title);
  const named = partsOfFileName(place.fileName);
  const fallback = tagged === undefined ? named : { title: tagged };
  const folder = place.folderPath.split('/').at(-1) ?? '';
  return {
    title: fallback.title,
    ...defined({
      track: ordinal(common.track.no) ?? fallback.track,
      trackTotal: ordinal(common.track.of),
      disk: ordinal(common.disk.no) ?? fallback.disk ?? discOfFolder(folder),
      diskTotal: ordinal(common.disk.of),
      diskSubtitle: cleanList(common.discsubtitle ?? bag.all('discsubtitle', 'setsubtitle'), 1)[0],
    }),
  };
};

const mbidOf = (value: unknown): string | undefined => mbidsOf(value)[0];

const labelsFrom = (common: Common, bag: TagBag): string[] => cleanList(common.label ?? bag.all('publisher', 'label'), 20);

const albumFields = (common: Common, bag: TagBag, place: TrackLocation): ScannedTrack['album'] => {
  const releaseDate = isoDate(common.releasedate) ?? isoDate(common.date) ?? isoDate(bag.text('date', 'tdrc')) ?? oldDate(bag);
  const originalDate = isoDate(common.originaldate);
  return {
    name: cleanText(common.album) ?? bag.text('album') ?? albumOfPath(place.folderPath) ?? UNKNOWN_ALBUM,
    releaseTypes: cleanList(common.releasetype, 10).flatMap((type) => cleanList(type.toLowerCase().split(/\s*[;/,]\s*/), 10)),
    recordLabels: labelsFrom(common, bag),
    compilation: isCompilation(common, bag),
    ...defined({
      sortName: cleanText(common.albumsort),
      mbAlbumId: mbidOf(common.musicbrainz_albumid),
      mbReleaseGroupId: mbidOf(common.musicbrainz_releasegroupid),
      year: yearOf(releaseDate) ?? yearOf(common.year),
      originalYear: yearOf(common.originalyear) ?? yearOf(originalDate),
      releaseDate,
      originalDate,
      releaseStatus: cleanText(common.releasestatus, 100)?.toLowerCase(),
      version: bag.text('version', 'albumversion', 'album_version'),
      barcode: cleanText(common.barcode, 100) ?? bag.text('barcode', 'upc', 'ean'),
      catalogNumber: cleanList(common.catalognumber ?? bag.all('catalog_number'), 1, 100)[0],
    }),
  };
};

/** A date of ID3v2.3: the year in one frame, day and month in another. */
const oldDate = (bag: TagBag): string | undefined => {
  const year = bag.text('tyer', 'tye')?.slice(0, 4);
  const [, day, month] = /^(\d{2})(\d{2})$/.exec(bag.text('tdat', 'tda') ?? '') ?? [];
  return isoDate(month ? `${year}-${month}-${day}` : year);
};

type PlainFields = Pick<
  ScannedTrack,
  'bpm' | 'rating' | 'mbTrackId' | 'mbRecordingId' | 'isrcs' | 'comment' | 'language' | 'license' | 'publisher' | 'explicit'
>;

const plainFields = (common: Common, bag: TagBag): PlainFields => {
  const bpm = Number.parseFloat(bag.text('bpm', 'tbpm', 'tbp', 'tmpo', 'beatsperminute') ?? '');
  return {
    isrcs: cleanList(
      cleanList(common.isrc ?? bag.all('isrc', 'trc'), 10).flatMap((value) => value.split(/\s*[;,/]\s*/)),
      10,
      40,
    ),
    ...defined({
      bpm: bpm > 0 && bpm < 2000 ? bpm : undefined,
      rating: ratingFrom(bag),
      mbTrackId: mbidOf(common.musicbrainz_trackid),
      mbRecordingId: mbidOf(common.musicbrainz_recordingid),
      comment: commentFrom(common) ?? cleanLines(bag.text('comment', 'description'), MAX_COMMENT_CHARS),
      language: cleanText(common.language, 100),
      license: cleanText(common.license),
      publisher: labelsFrom(common, bag)[0],
      explicit: explicitFrom(bag),
    }),
  };
};

/** The first comment that a person wrote: players store numbers under descriptors such as `iTunNORM`. */
const commentFrom = (common: Common): string | undefined => {
  const own = (common.comment ?? []).find((comment) => comment.text && !/^(?:itun|songs-db|mm_)/i.test(comment.descriptor ?? ''));
  return cleanLines(own?.text, MAX_COMMENT_CHARS);
};

/** Lyrics tags of all formats: ID3 frames come as objects, the others as text. */
const rawLyrics = (bag: TagBag): RawLyrics[] => {
  const values = ['sylt', 'slt', 'uslt', 'ult', 'syncedlyrics', 'lyrics', 'unsyncedlyrics', '©lyr'].flatMap((name) => bag.all(name));
  return values.flatMap((value): RawLyrics[] => {
    if (typeof value === 'string') return [{ text: value }];
    if (value === null || typeof value !== 'object') return [];
    const frame = value as {
      text?: string;
      language?: string;
      timeStampFormat?: number;
      syncText?: { timestamp?: number; text: string }[];
    };
    // Format 2 counts milliseconds; MPEG frames (1) cannot be turned into times without decoding, so their words are kept without.
    if (frame.timeStampFormat === 2 && frame.syncText?.length) return [{ language: frame.language, timed: frame.syncText }];
    const text = frame.text ?? frame.syncText?.map((line) => line.text).join('\n');
    return [{ language: frame.language, text }];
  });
};
