import type { ScannedTrack } from '@continuo/contracts';
import { creditsFrom } from './credits.js';
import { creditNames } from './contributors.js';
import type { CueFile, CueSheet, CueTrack } from './cue-sheet.js';
import { isoDate, yearOf } from './dates.js';
import { trackDigest } from './digest.js';
import { genreTermsFrom } from './genres.js';
import { loudnessFrom } from './loudness.js';
import { partName } from './part-name.js';
import type { TagRules } from './tag-rules.js';
import { cleanText } from './text.js';

/** A part that would last less than this is no song: a sheet with such times belongs to another file. */
const SHORTEST_MS = 500;

/** Track of a whole file, before it is cut. */
export type WholeTrack = Omit<ScannedTrack, 'digest'>;

const artistsNamed = (line: string | undefined, rules: TagRules) =>
  line === undefined ? undefined : creditsFrom({ names: [line], line, mbids: [], sortNames: [], separators: rules.artistSeparators });

/** Album fields of the sheet, which override the file's tags. */
const albumOf = (whole: WholeTrack, sheet: CueSheet): Pick<ScannedTrack, 'album' | 'year'> => {
  const date = isoDate(sheet.remarks.get('DATE'));
  const year = yearOf(date) ?? whole.year;
  const album = {
    ...whole.album,
    ...(sheet.title ? { name: sheet.title } : {}),
    ...(date ? { releaseDate: date } : {}),
    ...(yearOf(date) ? { year: yearOf(date) as number } : {}),
    ...(sheet.catalog && /[1-9]/.test(sheet.catalog) ? { barcode: sheet.catalog } : {}),
  };
  return { album, ...(year === undefined ? {} : { year }) };
};

const discOf = (sheet: CueSheet): Pick<ScannedTrack, 'disk' | 'diskTotal'> => {
  const number = (name: string): number => Number.parseInt(sheet.remarks.get(name) ?? '', 10);
  const [disk, diskTotal] = [number('DISCNUMBER'), number('TOTALDISCS')];
  return { ...(disk > 0 && disk < 1000 ? { disk } : {}), ...(diskTotal > 0 && diskTotal < 1000 ? { diskTotal } : {}) };
};

/** Fields that are about the whole file and wrong of its parts. */
const withoutWhole = ({
  sortTitle: _title,
  displayArtist: _artist,
  mbRecordingId: _recording,
  mbTrackId: _track,
  lyrics: _lyrics,
  works: _works,
  movements: _movements,
  ...rest
}: WholeTrack): Omit<WholeTrack, 'lyrics'> => rest;

const partOf = (
  cut: CueTrack,
  lengthMs: number,
  from: { whole: WholeTrack; sheet: CueSheet; tracks: number; rules: TagRules },
): ScannedTrack => {
  const { whole, sheet, tracks, rules } = from;
  const performer = artistsNamed(cut.performer ?? sheet.performer, rules);
  const host = artistsNamed(sheet.performer, rules);
  const genre = cut.remarks.get('GENRE') ?? sheet.remarks.get('GENRE');
  const songwriter = cut.songwriter ?? sheet.songwriter;
  const track: WholeTrack = {
    ...withoutWhole(whole),
    ...albumOf(whole, sheet),
    ...discOf(sheet),
    fileName: partName(whole.fileName, cut.number),
    title: cut.title ?? cleanText(`${whole.title} (${cut.number})`) ?? whole.title,
    track: cut.number,
    trackTotal: tracks,
    durationMs: lengthMs,
    part: { startMs: cut.startMs, sourceMs: whole.durationMs },
    artists: performer?.credits ?? whole.artists,
    ...(performer?.printed ? { displayArtist: performer.printed } : {}),
    albumArtists: host?.main ?? whole.albumArtists,
    ...(genre ? { genres: genreTermsFrom(genre, rules.genreSeparators) } : {}),
    ...(songwriter ? { composers: creditNames(songwriter, rules.artistSeparators) } : {}),
    isrcs: cut.isrc ? [cut.isrc] : [],
    loudness: {
      ...whole.loudness,
      ...loudnessFrom((name) => cut.remarks.get(name.toUpperCase()) ?? sheet.remarks.get(name.toUpperCase())),
    },
    lyrics: [],
  };
  const { fileName: _name, ...read } = track;
  return { ...track, digest: trackDigest(read) };
};

/**
 * The songs that a sheet makes of one file, each from where it begins to where the next one does; what comes before the first one is nobody's. Undefined when the
 * sheet does not fit the file: it names times beyond its end, or parts of no length.
 */
export const cueTracks = (whole: WholeTrack, sheet: CueSheet, cuts: CueFile, rules: TagRules): ScannedTrack[] | undefined => {
  const ends = [...cuts.tracks.slice(1).map(({ startMs }) => startMs), whole.durationMs];
  const lengths = cuts.tracks.map(({ startMs }, at) => (ends[at] as number) - startMs);
  if (lengths.some((lengthMs) => lengthMs < SHORTEST_MS)) return undefined;
  return cuts.tracks.map((cut, at) => partOf(cut, lengths[at] as number, { whole, sheet, tracks: cuts.tracks.length, rules }));
};
