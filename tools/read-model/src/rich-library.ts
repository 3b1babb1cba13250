import { createHash } from 'node:crypto';
import { FIRST_SCAN_MS, scanned, type TrackTags } from './scanned.js';
import type { CatalogRecord, FolderRecord } from './library-writer.js';
import { LibraryWriter } from './library-writer.js';
import type { Kysely } from 'kysely';

const HOUR_MS = 3_600_000;

/** The catalogs of the rich library. */
export const richCatalogs: readonly CatalogRecord[] = [
  { id: 1, name: 'Records', path: '/music/records' },
  { id: 2, name: 'Loans', path: '/music/loans' },
  { id: 3, name: 'Kept apart', path: '/music/apart' },
];

const picture = (name: string) => ({
  hash: createHash('sha256').update(name).digest('hex'),
  mime: 'image/jpeg',
  sizeBytes: 4096,
  widthPx: 600,
  heightPx: 600,
});
const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

const longNight = {
  name: 'The Long Night',
  mbAlbumId: uuid(1),
  mbReleaseGroupId: uuid(2),
  year: 2004,
  originalYear: 2003,
  releaseDate: '2004-05-12',
  originalDate: '2003-11-01',
  releaseTypes: ['album', 'live'],
  releaseStatus: 'official',
  version: 'Anniversary Edition',
  barcode: '4006381333931',
  catalogNumber: 'PIER-7',
  recordLabels: ['Pier Records', 'Harbour Trust'],
};
const harbour = { name: 'The Harbour Lights', mbid: uuid(10), sortName: 'Harbour Lights, The' };
const zoe = { name: 'Zoë Quill', mbid: uuid(11), sortName: 'Quill, Zoë' };
const loud = { trackGainDb: -6.5, trackPeak: 0.988, albumGainDb: -7.25, albumPeak: 1 };

/** Everything that a song can have. */
const full = (n: number, disk: number): Partial<TrackTags> => ({
  artists: [harbour, zoe],
  albumArtists: [harbour],
  album: longNight,
  disk,
  diskSubtitle: disk === 1 ? 'Dusk' : 'Dawn',
  diskTotal: 2,
  track: n,
  year: 2004,
  genres: n % 2 === 0 ? ['Folk', 'Indie Rock'] : ['Folk'],
  moods: ['calm', 'dark'],
  bpm: 96 + n,
  composers: ['Zoë Quill', 'A. Nother'],
  contributors: [{ role: 'lyricist', name: 'Zoë Quill' }],
  comment: 'Taped <live> & "raw" at sea',
  language: 'eng',
  license: 'https://creativecommons.org/licenses/by/4.0/',
  mbTrackId: uuid(100 + disk * 20 + n),
  mbRecordingId: uuid(200 + disk * 20 + n),
  isrcs: [`GBXXX04000${10 * disk + n}`],
  loudness: { ...loud, r128TrackGain: -512, r128AlbumGain: -640 },
  lyrics: [{ language: 'eng', synced: false, source: 'tag', lines: [{ text: 'First light' }, { text: 'over & under' }] }],
  extraTags: { mastering: 'Pier House', 'original name': 'Night (long)' },
  art: picture('the long night'),
  bitrateMode: 'vbr',
});

const plain = (album: string, artist: string, more: Partial<TrackTags> = {}): Partial<TrackTags> => ({
  artists: [{ name: artist }],
  albumArtists: [{ name: artist }],
  album: { name: album, year: more.year ?? 1999 },
  ...more,
});

const ports = (artist: string, track: number): Partial<TrackTags> => ({
  artists: [{ name: artist }],
  albumArtists: [{ name: 'Various Artists' }],
  album: { name: 'Ports of Call', year: 2012, compilation: true, releaseTypes: ['compilation'], recordLabels: ['Harbour Trust'] },
  track,
  year: 2012,
  genres: ['World', 'Folk'],
  license: 'All rights reserved',
});

interface Folder {
  readonly catalog: number;
  readonly path: string;
  readonly tracks: readonly (readonly [fileName: string, title: string, tags: Partial<TrackTags>])[];
  readonly art?: string;
}

const folders: readonly Folder[] = [
  {
    catalog: 1,
    path: 'The Harbour Lights/The Long Night/Disk 1',
    tracks: [1, 2, 3].map((n) => [`0${n}.flac`, `Night, part ${n}`, full(n, 1)] as const),
  },
  {
    catalog: 1,
    path: 'The Harbour Lights/The Long Night/Disk 2',
    tracks: [1, 2].map((n) => [`0${n}.flac`, `Morning, part ${n}`, full(n, 2)] as const),
  },
  {
    catalog: 1,
    path: 'The Harbour Lights/A Calm',
    tracks: [
      ['01 Sea.mp3', 'A Sea', plain('A Calm', 'The Harbour Lights', { genres: ['Folk'], moods: ['calm'], year: 2008, track: 1 })],
      ['02 Sky.mp3', 'An Empty Sky', plain('A Calm', 'The Harbour Lights', { genres: ['Ambient'], year: 2008, track: 2, bpm: 60 })],
    ],
    art: 'a calm',
  },
  {
    catalog: 1,
    path: 'Various/Ports of Call',
    tracks: [
      ['01.ogg', 'Lisboa', ports('Anna Été', 1)],
      ['02.ogg', 'Hamburg', ports('Die Fähre', 2)],
      ['03.ogg', 'Valparaíso', ports('Zoë Quill', 3)],
    ],
  },
  {
    catalog: 1,
    path: 'Каскад/Сборник',
    tracks: [['03.mp3', 'Ещё один день', plain('Сборник', 'Каскад', { genres: ['Electronic'], year: 2018, track: 3 })]],
  },
  {
    catalog: 1,
    path: '',
    tracks: [
      ['nobody.mp3', 'Nobody sings', { artists: [], albumArtists: [], album: { name: 'Found Tapes' }, genres: [] }],
      ['hostile.mp3', `'; drop table "song"; -- 100% _\\ 🎵`, plain('Ends & <Odds>', 'Null\u2028 "Quote"', { genres: ["Rock'n'Roll"] })],
    ],
  },
  {
    catalog: 2,
    path: 'Anna Été/Ports',
    tracks: [
      ['1.opus', 'Harbour Song', plain('Ports', 'Anna Été', { genres: ['Folk'], loudness: { r128TrackGain: -256 }, track: 1 })],
      ['2.opus', 'Harbour Song (reprise)', plain('Ports', 'Anna Été', { genres: ['Folk'], track: 2, art: picture('reprise') })],
    ],
    art: 'ports',
  },
  {
    catalog: 3,
    path: 'Secret/Session',
    tracks: [['1.flac', 'Not for everybody', plain('Session', 'The Others', { genres: ['Folk'], moods: ['dark'], track: 1, year: 2020 })]],
  },
];

const recordOf = ({ catalog, path, tracks, art }: Folder): FolderRecord => ({
  catalogId: catalog,
  path,
  tracks: tracks.map(([fileName, title, tags]) => scanned(fileName, { ...tags, title })),
  ...(art === undefined
    ? {}
    : { sidecars: { files: [{ fileName: 'cover.jpg', sizeBytes: 4096, mtimeMs: FIRST_SCAN_MS, kind: 'art' }], art: picture(art) } }),
});

/**
 * Writes a small library with everything that a tag can say: three catalogs, disks with titles, compilations, labels, licences, several artists,
 * articles and accents, moods, lyrics, pictures of songs and of folders, a song of nobody, hostile names. One folder an hour from 2024-05-01 on.
 */
export const seedRichLibrary = async (db: Kysely<unknown>): Promise<LibraryWriter> => {
  const library = await LibraryWriter.over(db);
  for (const catalog of richCatalogs) await library.catalog(catalog, FIRST_SCAN_MS);
  for (const [index, folder] of folders.entries()) await library.folder(recordOf(folder), FIRST_SCAN_MS + index * HOUR_MS);
  await library.finish();
  return library;
};
