import type { FactName, Facts } from './facts.js';
import { apeTag, type ApeItems } from './writers/ape.js';
import { withAsfAttributes, type AsfAttributes } from './writers/asf.js';
import { withAiffId3, withDffId3, withDsfId3, withInfo, withRiffId3 } from './writers/chunks.js';
import { withFlacComments, type Comments } from './writers/comments.js';
import {
  customFrame,
  id3Tag,
  linkFrame,
  noteFrame,
  ratingFrame,
  textFrame,
  uniqueIdFrame,
  type Id3Frame,
  type Id3Version,
} from './writers/id3.js';
import { withMatroskaTags } from './writers/matroska.js';
import { freeAtom, numberAtom, placeAtom, textAtom, withAtoms } from './writers/mp4.js';
import { withOggComments } from './writers/ogg.js';

/** A way to write tags into a sound. */
export interface Dialect {
  /** The sound that is tagged. */
  readonly sound: string;
  /** True when it can hold such a fact with so many values. */
  readonly holds: (name: FactName, values: readonly string[]) => boolean;
  readonly write: (sound: Buffer, facts: Facts) => Buffer;
}

type Names = { readonly [K in FactName]?: string };

const entriesOf = (facts: Facts): [FactName, readonly string[]][] =>
  Object.entries(facts).flatMap(([name, values]) => (values ? [[name as FactName, values]] : []));
const halves = (value: string): [string, string] => {
  const [first = '', ...rest] = value.split('|');
  return [first, rest.join('|')];
};
/** `Name (instrument)`, as comments have performers. */
const player = (value: string): string => {
  const [name, instrument] = halves(value);
  return instrument === '' ? name : `${name} (${instrument})`;
};

const id3Names: Names = {
  title: 'TIT2',
  titlesort: 'TSOT',
  artist: 'TPE1',
  artistsort: 'TSOP',
  artists: 'TXXX:ARTISTS',
  album: 'TALB',
  albumsort: 'TSOA',
  albumartist: 'TPE2',
  albumartistsort: 'TSO2',
  genre: 'TCON',
  mood: 'TMOO',
  date: 'TDRC',
  originaldate: 'TDOR',
  releasedate: 'TDRL',
  track: 'TRCK',
  disc: 'TPOS',
  discsubtitle: 'TSST',
  compilation: 'TCMP',
  composer: 'TCOM',
  lyricist: 'TEXT',
  conductor: 'TPE3',
  remixer: 'TPE4',
  label: 'TPUB',
  catalognumber: 'TXXX:CATALOGNUMBER',
  barcode: 'TXXX:BARCODE',
  isrc: 'TSRC',
  releasetype: 'TXXX:MusicBrainz Album Type',
  releasestatus: 'TXXX:MusicBrainz Album Status',
  releasecountry: 'TXXX:MusicBrainz Album Release Country',
  version: 'TXXX:ALBUMVERSION',
  bpm: 'TBPM',
  language: 'TLAN',
  copyright: 'TCOP',
  key: 'TKEY',
  media: 'TMED',
  grouping: 'GRP1',
  work: 'TXXX:WORK',
  explicit: 'TXXX:ITUNESADVISORY',
  mb_track: 'TXXX:MusicBrainz Release Track Id',
  mb_album: 'TXXX:MusicBrainz Album Id',
  mb_artist: 'TXXX:MusicBrainz Artist Id',
  mb_albumartist: 'TXXX:MusicBrainz Album Artist Id',
  mb_group: 'TXXX:MusicBrainz Release Group Id',
  mb_work: 'TXXX:MusicBrainz Work Id',
  track_gain: 'TXXX:REPLAYGAIN_TRACK_GAIN',
  track_peak: 'TXXX:REPLAYGAIN_TRACK_PEAK',
  album_gain: 'TXXX:REPLAYGAIN_ALBUM_GAIN',
  album_peak: 'TXXX:REPLAYGAIN_ALBUM_PEAK',
  r128_track: 'TXXX:R128_TRACK_GAIN',
  r128_album: 'TXXX:R128_ALBUM_GAIN',
};
/** Frames of version 2.4 that 2.3 has under other names, or that taggers put there all the same. */
const id3v23Names: Names = { ...id3Names, date: 'TYER', originaldate: 'TORY', mood: 'TXXX:MOOD', discsubtitle: 'TXXX:DISCSUBTITLE' };
const id3v22Names: Names = {
  title: 'TT2',
  titlesort: 'TST',
  artist: 'TP1',
  artistsort: 'TSP',
  album: 'TAL',
  albumsort: 'TSA',
  albumartist: 'TP2',
  albumartistsort: 'TS2',
  genre: 'TCO',
  date: 'TYE',
  track: 'TRK',
  disc: 'TPA',
  compilation: 'TCP',
  composer: 'TCM',
  lyricist: 'TXT',
  conductor: 'TP3',
  label: 'TPB',
  language: 'TLA',
  bpm: 'TBP',
  copyright: 'TCR',
  isrc: 'TRC',
  grouping: 'TT1',
};

const INVOLVED: readonly FactName[] = ['arranger', 'producer', 'engineer', 'mixer', 'djmixer'];
const FUNCTIONS: Readonly<Record<string, string>> = { mixer: 'mix', djmixer: 'DJ-mix' };
const MUSICBRAINZ = 'http://musicbrainz.org';

/** Facts that ID3 has frames of their own kind for. */
const specialFrames = (version: Id3Version, name: FactName, values: readonly string[]): readonly Id3Frame[] | undefined => {
  const [first = ''] = values;
  if (name === 'comment') return [noteFrame(version === 2 ? 'COM' : 'COMM', first, { encoding: version === 4 ? 'utf8' : 'utf16' })];
  if (name === 'lyrics') return [noteFrame(version === 2 ? 'ULT' : 'USLT', first, { encoding: version === 4 ? 'utf8' : 'utf16' })];
  if (name === 'license') return version === 2 ? undefined : [linkFrame('WCOP', first)];
  if (name === 'mb_recording') return version === 2 ? undefined : [uniqueIdFrame(MUSICBRAINZ, first)];
  if (name === 'rating') return version === 2 ? undefined : [ratingFrame('someone@example.org', Math.round((Number(first) / 100) * 255))];
  if (name !== 'movement') return undefined;
  const [movement = '', number = '', count = ''] = first.split('|');
  return [textFrame('MVNM', [movement]), textFrame('MVIN', [`${number}/${count}`])];
};

/** People by function: 2.4 has two lists, 2.3 one. */
const involved = (version: Id3Version, facts: Facts): readonly Id3Frame[] => {
  const encoding = version === 4 ? 'utf8' : 'utf16';
  const people = INVOLVED.flatMap((name) => (facts[name] ?? []).flatMap((person) => [FUNCTIONS[name] ?? name, person]));
  const players = (facts.performer ?? []).flatMap((value) => halves(value).toReversed());
  if (version === 4)
    return [...(people.length > 0 ? [textFrame('TIPL', people)] : []), ...(players.length > 0 ? [textFrame('TMCL', players)] : [])];
  const both = [...people, ...players];
  return version === 3 && both.length > 0 ? [textFrame('IPLS', both, encoding)] : [];
};

/** The frames of a tag that says these facts. */
export const id3Frames = (version: Id3Version, facts: Facts): readonly Id3Frame[] => {
  const names = version === 4 ? id3Names : version === 3 ? id3v23Names : id3v22Names;
  const encoding = version === 4 ? 'utf8' : 'utf16';
  const frames = entriesOf(facts).flatMap(([name, values]): readonly Id3Frame[] => {
    const special = specialFrames(version, name, values);
    if (special) return special;
    if (name === 'custom') return values.map((value) => customFrame('TXXX', halves(value)[0], [halves(value)[1]], encoding));
    const id = names[name];
    if (id === undefined) return [];
    const given = version === 4 ? values : [values.join('; ')];
    return [id.startsWith('TXXX:') ? customFrame('TXXX', id.slice(5), given, encoding) : textFrame(id, given, encoding)];
  });
  return [...frames, ...involved(version, facts)];
};

const SPECIAL_ID3: readonly FactName[] = [
  'comment',
  'lyrics',
  'license',
  'mb_recording',
  'rating',
  'movement',
  'custom',
  'performer',
  ...INVOLVED,
];
const holdsId3 =
  (version: Id3Version) =>
  (name: FactName, values: readonly string[]): boolean => {
    if (version === 2 && name === 'date') return values.every((value) => /^\d{4}$/.test(value));
    if (version === 2) return name === 'comment' || name === 'lyrics' || id3v22Names[name] !== undefined;
    // Version 2.3 has years only; a full date goes into two frames, which is a case of its own.
    if (version === 3 && (name === 'date' || name === 'originaldate')) return values.every((value) => /^\d{4}$/.test(value));
    return SPECIAL_ID3.includes(name) || (version === 4 ? id3Names : id3v23Names)[name] !== undefined;
  };
const id3Of = (version: Id3Version, facts: Facts): Buffer => id3Tag(version, id3Frames(version, facts));

const vorbisNames: Names = {
  title: 'TITLE',
  titlesort: 'TITLESORT',
  artist: 'ARTIST',
  artistsort: 'ARTISTSORT',
  artists: 'ARTISTS',
  album: 'ALBUM',
  albumsort: 'ALBUMSORT',
  albumartist: 'ALBUMARTIST',
  albumartistsort: 'ALBUMARTISTSORT',
  genre: 'GENRE',
  mood: 'MOOD',
  date: 'DATE',
  originaldate: 'ORIGINALDATE',
  releasedate: 'RELEASEDATE',
  discsubtitle: 'DISCSUBTITLE',
  compilation: 'COMPILATION',
  composer: 'COMPOSER',
  lyricist: 'LYRICIST',
  conductor: 'CONDUCTOR',
  remixer: 'REMIXER',
  arranger: 'ARRANGER',
  producer: 'PRODUCER',
  engineer: 'ENGINEER',
  mixer: 'MIXER',
  djmixer: 'DJMIXER',
  performer: 'PERFORMER',
  label: 'LABEL',
  catalognumber: 'CATALOGNUMBER',
  barcode: 'BARCODE',
  isrc: 'ISRC',
  releasetype: 'RELEASETYPE',
  releasestatus: 'RELEASESTATUS',
  releasecountry: 'RELEASECOUNTRY',
  version: 'VERSION',
  bpm: 'BPM',
  language: 'LANGUAGE',
  comment: 'COMMENT',
  lyrics: 'LYRICS',
  license: 'LICENSE',
  copyright: 'COPYRIGHT',
  key: 'KEY',
  media: 'MEDIA',
  grouping: 'GROUPING',
  work: 'WORK',
  explicit: 'ITUNESADVISORY',
  mb_recording: 'MUSICBRAINZ_TRACKID',
  mb_track: 'MUSICBRAINZ_RELEASETRACKID',
  mb_album: 'MUSICBRAINZ_ALBUMID',
  mb_artist: 'MUSICBRAINZ_ARTISTID',
  mb_albumartist: 'MUSICBRAINZ_ALBUMARTISTID',
  mb_group: 'MUSICBRAINZ_RELEASEGROUPID',
  mb_work: 'MUSICBRAINZ_WORKID',
  track_gain: 'REPLAYGAIN_TRACK_GAIN',
  track_peak: 'REPLAYGAIN_TRACK_PEAK',
  album_gain: 'REPLAYGAIN_ALBUM_GAIN',
  album_peak: 'REPLAYGAIN_ALBUM_PEAK',
  r128_track: 'R128_TRACK_GAIN',
  r128_album: 'R128_ALBUM_GAIN',
  rating: 'RATING',
};
const SPLIT: Readonly<Partial<Record<FactName, readonly [number: string, total: string]>>> = {
  track: ['TRACKNUMBER', 'TRACKTOTAL'],
  disc: ['DISCNUMBER', 'DISCTOTAL'],
};

/** Comments that say these facts, as FLAC, Ogg and, with its names, APE have them. */
export const commentsOf = (facts: Facts, names: Names = vorbisNames): Comments =>
  entriesOf(facts).flatMap(([name, values]): Comments => {
    const [first = ''] = values;
    const places = SPLIT[name];
    if (places && names === vorbisNames) {
      const [number = '', total] = first.split('/');
      return [[places[0], number], ...(total ? [[places[1], total] as const] : [])];
    }
    if (name === 'movement') {
      const [movement = '', number = '', count = ''] = first.split('|');
      return [
        ['MOVEMENTNAME', movement],
        ['MOVEMENT', number],
        ['MOVEMENTTOTAL', count],
      ];
    }
    if (name === 'custom') return values.map(halves);
    const label = names[name];
    if (label === undefined) return [];
    return values.map((value) => [label, name === 'performer' ? player(value) : value]);
  });
const holdsComment =
  (names: Names) =>
  (name: FactName): boolean =>
    ['track', 'disc', 'movement', 'custom'].includes(name) || names[name] !== undefined;

const apeNames: Names = {
  ...vorbisNames,
  title: 'Title',
  artist: 'Artist',
  album: 'Album',
  albumartist: 'Album Artist',
  track: 'Track',
  disc: 'Disc',
  date: 'Year',
  remixer: 'MixArtist',
  releasestatus: 'MUSICBRAINZ_ALBUMSTATUS',
  releasetype: 'MUSICBRAINZ_ALBUMTYPE',
};
const apeOf = (facts: Facts): Buffer => {
  const byName = Map.groupBy(commentsOf(facts, apeNames), ([name]) => name);
  return apeTag([...byName].map(([name, list]): ApeItems[number] => [name, ...list.map(([, value]) => value)]));
};

const mp4Names: Names = {
  title: '©nam',
  titlesort: 'sonm',
  artist: '©ART',
  artistsort: 'soar',
  album: '©alb',
  albumsort: 'soal',
  albumartist: 'aART',
  albumartistsort: 'soaa',
  genre: '©gen',
  date: '©day',
  composer: '©wrt',
  comment: '©cmt',
  lyrics: '©lyr',
  grouping: '©grp',
  work: '©wrk',
  copyright: 'cprt',
  artists: '----ARTISTS',
  mood: '----MOOD',
  originaldate: '----ORIGINALDATE',
  releasedate: '----RELEASEDATE',
  discsubtitle: '----DISCSUBTITLE',
  lyricist: '----LYRICIST',
  conductor: '----CONDUCTOR',
  remixer: '----REMIXER',
  arranger: '----ARRANGER',
  producer: '----PRODUCER',
  engineer: '----ENGINEER',
  mixer: '----MIXER',
  djmixer: '----DJMIXER',
  label: '----LABEL',
  catalognumber: '----CATALOGNUMBER',
  barcode: '----BARCODE',
  isrc: '----ISRC',
  releasetype: '----MusicBrainz Album Type',
  releasestatus: '----MusicBrainz Album Status',
  releasecountry: '----MusicBrainz Album Release Country',
  version: '----VERSION',
  language: '----LANGUAGE',
  license: '----LICENSE',
  key: '----KEY',
  media: '----MEDIA',
  mb_recording: '----MusicBrainz Track Id',
  mb_track: '----MusicBrainz Release Track Id',
  mb_album: '----MusicBrainz Album Id',
  mb_artist: '----MusicBrainz Artist Id',
  mb_albumartist: '----MusicBrainz Album Artist Id',
  mb_group: '----MusicBrainz Release Group Id',
  mb_work: '----MusicBrainz Work Id',
  track_gain: '----replaygain_track_gain',
  track_peak: '----replaygain_track_peak',
  album_gain: '----replaygain_album_gain',
  album_peak: '----replaygain_album_peak',
  r128_track: '----R128_TRACK_GAIN',
  r128_album: '----R128_ALBUM_GAIN',
  performer: '----PERFORMER',
};
const MP4_OTHERS: readonly FactName[] = ['track', 'disc', 'bpm', 'compilation', 'explicit', 'movement', 'custom', 'rating'];

const atomsOf = (facts: Facts): Buffer[] =>
  entriesOf(facts).flatMap(([name, values]): Buffer[] => {
    const [first = ''] = values;
    const [number = 0, total = 0] = first.split('/').map(Number);
    if (name === 'track') return [placeAtom('trkn', number, total)];
    if (name === 'disc') return [placeAtom('disk', number, total)];
    if (name === 'bpm') return [numberAtom('tmpo', Math.round(Number(first)), 2)];
    if (name === 'compilation') return [numberAtom('cpil', Number(first))];
    if (name === 'explicit') return [numberAtom('rtng', Number(first))];
    if (name === 'rating') return [textAtom('rate', first)];
    if (name === 'custom') return values.map((value) => freeAtom(...halves(value)));
    if (name === 'movement') {
      const [movement = '', no = '', count = ''] = first.split('|');
      return [textAtom('©mvn', movement), numberAtom('©mvi', Number(no), 2), numberAtom('©mvc', Number(count), 2)];
    }
    const id = mp4Names[name];
    if (id === undefined) return [];
    const given = name === 'performer' ? values.map(player) : values;
    return [id.startsWith('----') ? freeAtom(id.slice(4), ...given) : textAtom(id, ...given)];
  });

const asfNames: Names = {
  title: 'Title',
  titlesort: 'WM/TitleSortOrder',
  artist: 'Author',
  artistsort: 'WM/ArtistSortOrder',
  artists: 'WM/ARTISTS',
  album: 'WM/AlbumTitle',
  albumsort: 'WM/AlbumSortOrder',
  albumartist: 'WM/AlbumArtist',
  albumartistsort: 'WM/AlbumArtistSortOrder',
  genre: 'WM/Genre',
  mood: 'WM/Mood',
  date: 'WM/Year',
  originaldate: 'WM/OriginalReleaseTime',
  track: 'WM/TrackNumber',
  disc: 'WM/PartOfSet',
  discsubtitle: 'WM/SetSubTitle',
  compilation: 'WM/IsCompilation',
  composer: 'WM/Composer',
  lyricist: 'WM/Writer',
  conductor: 'WM/Conductor',
  remixer: 'WM/ModifiedBy',
  arranger: 'WM/Arranger',
  producer: 'WM/Producer',
  engineer: 'WM/Engineer',
  mixer: 'WM/Mixer',
  djmixer: 'WM/DJMixer',
  label: 'WM/Publisher',
  catalognumber: 'WM/CatalogNo',
  barcode: 'WM/Barcode',
  isrc: 'WM/ISRC',
  releasetype: 'MusicBrainz/Album Type',
  releasestatus: 'MusicBrainz/Album Status',
  releasecountry: 'MusicBrainz/Album Release Country',
  bpm: 'WM/BeatsPerMinute',
  language: 'WM/Language',
  comment: 'Description',
  lyrics: 'WM/Lyrics',
  license: 'LICENSE',
  copyright: 'Copyright',
  key: 'WM/InitialKey',
  media: 'WM/Media',
  grouping: 'WM/ContentGroupDescription',
  work: 'WM/Work',
  mb_recording: 'MusicBrainz/Track Id',
  mb_track: 'MusicBrainz/Release Track Id',
  mb_album: 'MusicBrainz/Album Id',
  mb_artist: 'MusicBrainz/Artist Id',
  mb_albumartist: 'MusicBrainz/Album Artist Id',
  mb_group: 'MusicBrainz/Release Group Id',
  mb_work: 'MusicBrainz/Work Id',
  track_gain: 'REPLAYGAIN_TRACK_GAIN',
  track_peak: 'REPLAYGAIN_TRACK_PEAK',
  album_gain: 'REPLAYGAIN_ALBUM_GAIN',
  album_peak: 'REPLAYGAIN_ALBUM_PEAK',
  rating: 'WM/SharedUserRating',
};
const attributesOf = (facts: Facts): AsfAttributes =>
  entriesOf(facts).flatMap(([name, values]): AsfAttributes => {
    if (name === 'custom') return values.map(halves);
    if (name === 'compilation') return [['WM/IsCompilation', values[0] === '1']];
    if (name === 'rating') return [['WM/SharedUserRating', Math.round((Number(values[0]) / 100) * 99)]];
    const id = asfNames[name];
    return id === undefined ? [] : values.map((value) => [id, value]);
  });

const infoNames: Names = {
  title: 'INAM',
  artist: 'IART',
  album: 'IPRD',
  genre: 'IGNR',
  date: 'ICRD',
  comment: 'ICMT',
  track: 'ITRK',
  engineer: 'IENG',
};
const infoOf = (facts: Facts): [string, string][] =>
  entriesOf(facts).flatMap(([name, values]): [string, string][] => {
    const id = infoNames[name];
    return id === undefined ? [] : [[id, values.join('; ')]];
  });

const matroskaTrack: Names = {
  title: 'TITLE',
  artist: 'ARTIST',
  genre: 'GENRE',
  mood: 'MOOD',
  track: 'PART_NUMBER',
  composer: 'COMPOSER',
  lyricist: 'LYRICIST',
  conductor: 'CONDUCTOR',
  arranger: 'ARRANGER',
  producer: 'PRODUCER',
  comment: 'COMMENT',
  bpm: 'BPM',
  isrc: 'ISRC',
  lyrics: 'LYRICS',
  copyright: 'COPYRIGHT',
  mb_recording: 'MUSICBRAINZ_TRACKID',
  mb_album: 'MUSICBRAINZ_ALBUMID',
  mb_artist: 'MUSICBRAINZ_ARTISTID',
  track_gain: 'REPLAYGAIN_TRACK_GAIN',
  track_peak: 'REPLAYGAIN_TRACK_PEAK',
  artistsort: 'ARTISTSORT',
};
const matroskaAlbum: Names = {
  album: 'TITLE',
  albumartist: 'ARTIST',
  date: 'DATE_RELEASED',
  disc: 'PART_NUMBER',
  label: 'LABEL',
  barcode: 'BARCODE',
  catalognumber: 'CATALOG_NUMBER',
};
const matroskaOf = (facts: Facts, names: Names): [string, string][] =>
  entriesOf(facts).flatMap(([name, values]) => {
    const id = names[name];
    return id === undefined
      ? []
      : values.map((value): [string, string] => [id, name === 'track' || name === 'disc' ? (value.split('/')[0] ?? '') : value]);
  });

const commented = (sound: string, write: (file: Buffer, tags: Comments) => Buffer): Dialect => ({
  sound,
  holds: holdsComment(vorbisNames),
  write: (file, facts) => write(file, commentsOf(facts)),
});
const atomic = (sound: string): Dialect => ({
  sound,
  holds: (name) => MP4_OTHERS.includes(name) || mp4Names[name] !== undefined,
  write: (file, facts) => withAtoms(file, atomsOf(facts)),
});
const tagged = (sound: string, version: Id3Version, put: (file: Buffer, tag: Buffer) => Buffer): Dialect => ({
  sound,
  holds: holdsId3(version),
  write: (file, facts) => put(file, id3Of(version, facts)),
});
const inFront = (file: Buffer, tag: Buffer): Buffer => Buffer.concat([tag, file]);
const ape = (sound: string): Dialect => ({
  sound,
  holds: holdsComment(apeNames),
  write: (file, facts) => Buffer.concat([file, apeOf(facts)]),
});

/** Every way of writing tags that the corpus knows. */
export const dialects: Readonly<Record<string, Dialect>> = {
  'id3v24-mp3': tagged('mp3', 4, inFront),
  'id3v23-mp3': tagged('mp3', 3, inFront),
  'id3v22-mp3': tagged('mp3', 2, inFront),
  'id3v24-aac': tagged('aac', 4, inFront),
  'id3v24-wav': tagged('wav', 4, withRiffId3),
  'id3v23-aiff': tagged('aiff', 3, withAiffId3),
  'id3v24-aiff': tagged('aiff', 4, withAiffId3),
  'id3v24-dsf': tagged('dsf', 4, withDsfId3),
  'id3v24-dff': tagged('dff', 4, withDffId3),
  flac: commented('flac', withFlacComments),
  ogg: commented('ogg', withOggComments),
  opus: commented('opus', withOggComments),
  speex: commented('speex', withOggComments),
  'ogg-flac': commented('ogg-flac', withOggComments),
  m4a: atomic('m4a'),
  alac: atomic('alac'),
  'ape-mp3': ape('mp3-cbr'),
  'ape-wv': ape('wv'),
  'ape-ape': ape('ape'),
  'ape-mpc': ape('mpc'),
  asf: {
    sound: 'wma',
    holds: (name) => name === 'custom' || asfNames[name] !== undefined,
    write: (file, facts) => withAsfAttributes(file, attributesOf(facts)),
  },
  info: { sound: 'wav', holds: (name) => infoNames[name] !== undefined, write: (file, facts) => withInfo(file, infoOf(facts)) },
  matroska: {
    sound: 'mka',
    holds: (name) => matroskaTrack[name] !== undefined || matroskaAlbum[name] !== undefined,
    write: (file, facts) =>
      withMatroskaTags(file, [
        { level: 50, tags: matroskaOf(facts, matroskaAlbum) },
        { level: 30, tags: matroskaOf(facts, matroskaTrack) },
      ]),
  },
};
