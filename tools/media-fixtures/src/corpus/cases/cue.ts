import { songOf, type SongDifferences } from '../expected.js';
import { apeTag } from '../writers/ape.js';
import { uint64 } from '../writers/bytes.js';
import { commentBody, FLAC_COMMENT, FLAC_CUESHEET, withFlacBlocks, withFlacComments, type Comments } from '../writers/comments.js';
import { SOUND_MS } from '../sounds.js';
import { soundByName, type CorpusCase, type Materials } from './case.js';

/** Where the three songs of each file begin: at frames 0, 60 and 105 of 75 in a second. */
const STARTS_MS = [0, 800, 1400];
const ENDS_MS = [800, 1400, SOUND_MS];
const INDEXES = ['00:00:00', '00:00:60', '00:01:30'];

/** A sheet as rippers write it. */
const sheet = (file: string, number: number, newline = '\r\n'): string =>
  [
    'REM GENRE "Synth Pop"',
    'REM DATE 1998',
    'REM DISCNUMBER 2',
    'CATALOG 0724385260926',
    `PERFORMER "Cue host ${number}"`,
    `TITLE "Cue record ${number}"`,
    `FILE "${file}" WAVE`,
    ...INDEXES.flatMap((index, at) => [
      `  TRACK ${String(at + 1).padStart(2, '0')} AUDIO`,
      `    TITLE "Part ${at + 1} of ${number}"`,
      ...(at === 2 ? [`    PERFORMER "Cue guest ${number}"`] : []),
      ...(at === 1 ? ['    ISRC GBAAA9800001', '    INDEX 00 00:00:50'] : []),
      `    INDEX 01 ${index}`,
    ]),
    '',
  ].join(newline);

/** The songs of such a sheet. */
const partsOf = (path: string, sound: string, number: number, more: SongDifferences = {}): CorpusCase['songs'] =>
  STARTS_MS.map((startMs, at) => {
    const host = `Cue host ${number}`;
    const song = songOf(
      { title: `Part ${at + 1} of ${number}`, artist: at === 2 ? `Cue guest ${number}` : host, album: `Cue record ${number}` },
      {
        track: at + 1,
        disk: 2,
        year: 1998,
        genres: ['Synth Pop'],
        albumArtists: [{ name: host }],
        isrcs: at === 1 ? ['GBAAA9800001'] : [],
        album: { year: 1998, releaseDate: '1998', barcode: '0724385260926' },
        startMs,
        ...more,
      },
    );
    return { path, sound, song, part: { number: at + 1, lengthMs: (ENDS_MS[at] ?? 0) - startMs } };
  });

const disc: Comments = [
  ['TITLE', 'Whole'],
  ['ARTIST', 'Nobody'],
  ['ALBUM', 'Ignored'],
];

/** Sheets beside files, in the ways in which they name them. */
const beside = (materials: Materials): CorpusCase[] => {
  const flac = withFlacComments(soundByName(materials, 'flac').bytes, disc);
  const one = (number: number, cueName: string, text: Buffer): CorpusCase => {
    const path = `cue/${number}/disc.flac`;
    const files = [
      { path, bytes: flac },
      { path: `cue/${number}/${cueName}`, bytes: text },
    ];
    return { row: 'cue sheets', files, songs: partsOf(path, 'flac', number) };
  };
  const utf8 = (number: number, named: string): Buffer => Buffer.from(sheet(named, number));
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(sheet('disc.flac', 3006), 'utf16le')]);
  return [
    one(3001, 'disc.cue', utf8(3001, 'disc.flac')),
    one(3002, 'disc.cue', utf8(3002, 'disc.wav')),
    one(3003, 'disc.flac.cue', utf8(3003, 'disc.flac')),
    one(3004, 'sheet.cue', utf8(3004, 'disc.flac')),
    one(3005, 'disc.cue', utf8(3005, 'C:\\Music\\DISC.WAV')),
    one(3006, 'disc.cue', utf16),
  ];
};

/** A block of FLAC that cuts as the sheets do, in samples. */
const cueBlock = (rateHz: number): Buffer => {
  const tracks = [...STARTS_MS, SOUND_MS].map((startMs, at) => {
    const isLeadOut = at === STARTS_MS.length;
    const head = Buffer.alloc(36);
    uint64(Math.round((startMs * rateHz) / 1000)).copy(head, 0);
    head[8] = isLeadOut ? 170 : at + 1;
    head[35] = isLeadOut ? 0 : 1;
    const index = Buffer.alloc(12);
    index[8] = 1;
    return Buffer.concat([head, ...(isLeadOut ? [] : [index])]);
  });
  const start = Buffer.alloc(396);
  start[395] = tracks.length;
  return Buffer.concat([start, ...tracks]);
};

/** Sheets inside files. */
const inside = (materials: Materials): CorpusCase[] => {
  const flac = soundByName(materials, 'flac');
  const wv = soundByName(materials, 'wv');
  const tagged = withFlacComments(flac.bytes, [...disc, ['CUESHEET', sheet('whatever.wav', 3011)]]);
  const ape = Buffer.concat([
    wv.bytes,
    apeTag([
      ['Title', 'Whole'],
      ['Artist', 'Nobody'],
      ['Album', 'Ignored'],
      ['Cuesheet', sheet('x.wav', 3012, '\n')],
    ]),
  ]);
  const block = withFlacBlocks(flac.bytes, [
    {
      type: FLAC_COMMENT,
      body: commentBody([
        ['TITLE', 'Blocks'],
        ['ARTIST', 'Cue blocks'],
        ['ALBUM', 'Cue blocks record'],
      ]),
    },
    { type: FLAC_CUESHEET, body: cueBlock(flac.expected.sampleRateHz) },
  ]);
  const blocks = STARTS_MS.map((startMs, at) => ({
    path: 'cue/3013/disc.flac',
    sound: 'flac',
    song: songOf({ title: `Blocks (${at + 1})`, artist: 'Cue blocks', album: 'Cue blocks record' }, { track: at + 1, startMs }),
    part: { number: at + 1, lengthMs: (ENDS_MS[at] ?? 0) - startMs },
  }));
  return [
    { row: 'cue sheets', files: [{ path: 'cue/3011/disc.flac', bytes: tagged }], songs: partsOf('cue/3011/disc.flac', 'flac', 3011) },
    { row: 'cue sheets', files: [{ path: 'cue/3012/disc.wv', bytes: ape }], songs: partsOf('cue/3012/disc.wv', 'wv', 3012) },
    { row: 'cue sheets', files: [{ path: 'cue/3013/disc.flac', bytes: block }], songs: blocks },
  ];
};

/** Sheets that cut nothing: of a file per song, of another file, of times beyond the end. */
const unused = (materials: Materials): CorpusCase[] => {
  const flac = soundByName(materials, 'flac').bytes;
  const one = (number: number, text: string): CorpusCase => {
    const base = { title: `Left whole ${number}`, artist: `Whole ${number}`, album: `Whole record ${number}` };
    const path = `cue/${number}/song.flac`;
    const bytes = withFlacComments(flac, [
      ['TITLE', base.title],
      ['ARTIST', base.artist],
      ['ALBUM', base.album],
    ]);
    return {
      row: 'cue sheets',
      files: [
        { path, bytes },
        { path: `cue/${number}/song.cue`, bytes: Buffer.from(text) },
      ],
      songs: [{ path, sound: 'flac', song: songOf(base) }],
    };
  };
  return [
    one(3021, 'FILE "song.flac" WAVE\n  TRACK 01 AUDIO\n    TITLE "One"\n    INDEX 01 00:00:00\n'),
    one(3022, sheet('another.flac', 3022)),
    one(3023, sheet('song.flac', 3023).replace('00:01:30', '59:00:00')),
    one(3024, 'this is no sheet'),
  ];
};

/** Every case of one file that holds several songs. */
export const cueCases = (materials: Materials): CorpusCase[] => [...beside(materials), ...inside(materials), ...unused(materials)];
