import { songOf } from '../expected.js';
import { apeTag } from '../writers/ape.js';
import { withInfo } from '../writers/chunks.js';
import { withFlacComments } from '../writers/comments.js';
import { id3Tag, id3v1Tag, noteFrame, rawTextFrame, textFrame, type Id3Version } from '../writers/id3.js';
import { withOggComments } from '../writers/ogg.js';
import { soundByName, type CorpusCase, type Materials } from './case.js';

/** A title and an artist in a character set, as bytes in hexadecimal, for no encoder of these sets is at hand. */
interface Sample {
  readonly set: string;
  readonly title: string;
  readonly titleHex: string;
  readonly artist: string;
  readonly artistHex: string;
}

const samples: readonly Sample[] = [
  { set: 'utf-8', title: 'Überfluß', titleHex: 'c39c626572666c75c39f', artist: 'Sigur Rós', artistHex: '53696775722052c3b373' },
  {
    set: 'windows-1252',
    title: 'Déjà “vu”',
    titleHex: '44e96ae02093767594',
    artist: 'Motörhead',
    artistHex: '4d6f74f672686561 64'.replaceAll(' ', ''),
  },
  {
    set: 'windows-1251',
    title: 'Группа крови на рукаве',
    titleHex: 'c3f0f3efefe020eaf0eee2e820ede020f0f3eae0e2e5',
    artist: 'Кино и друзья',
    artistHex: 'cae8ede820e820e4f0f3e7fcff'.replace('cae8ede820', 'cae8edee20'),
  },
  {
    set: 'shift_jis',
    title: '世界に一つだけの花',
    titleHex: '90a28a4582c988ea82c282be82af82cc89d4',
    artist: 'サザンオールスターズ',
    artistHex: '83548355839383498 15b838b8358835e815b8359'.replaceAll(' ', ''),
  },
  {
    set: 'gb18030',
    title: '月亮代表我的心',
    titleHex: 'd4c2c1c1b4fab1edced2b5c4d0c4',
    artist: '邓丽君',
    artistHex: 'b5cbc0f6befd',
  },
  {
    set: 'euc-kr',
    title: '강남스타일 안녕하세요',
    titleHex: 'b0adb3b2bdbac5b8c0cf20bec8b3e7c7cfbcbcbfe4',
    artist: '싸이와 친구들',
    artistHex: 'bdcec0ccbfcd20c4a3b1b8b5e9',
  },
];

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

/** Where text without a declared character set, or with a wrong one, is found. */
const carriers: Readonly<
  Record<string, { sound: string; album: boolean; write: (file: Buffer, sample: Sample, album: string) => Buffer }>
> = {
  ...Object.fromEntries(
    ([2, 3, 4] as const).map((version: Id3Version) => [
      `id3v2${version}-latin1`,
      {
        sound: 'mp3',
        album: true,
        write: (file: Buffer, { titleHex, artistHex }: Sample, album: string) => {
          const [title, artist, name] = version === 2 ? ['TT2', 'TP1', 'TAL'] : ['TIT2', 'TPE1', 'TALB'];
          const frames = [rawTextFrame(title ?? '', 'latin1', bytes(titleHex)), rawTextFrame(artist ?? '', 'latin1', bytes(artistHex))];
          return Buffer.concat([id3Tag(version, [...frames, textFrame(name ?? '', [album], 'latin1')]), file]);
        },
      },
    ]),
  ),
  flac: {
    sound: 'flac',
    album: true,
    write: (file, { titleHex, artistHex }, album) =>
      withFlacComments(file, [
        ['TITLE', bytes(titleHex)],
        ['ARTIST', bytes(artistHex)],
        ['ALBUM', album],
      ]),
  },
  opus: {
    sound: 'opus',
    album: true,
    write: (file, { titleHex, artistHex }, album) =>
      withOggComments(file, [
        ['TITLE', bytes(titleHex)],
        ['ARTIST', bytes(artistHex)],
        ['ALBUM', album],
      ]),
  },
  ape: {
    sound: 'wv',
    album: true,
    write: (file, { titleHex, artistHex }, album) =>
      Buffer.concat([
        file,
        apeTag([
          ['Title', bytes(titleHex)],
          ['Artist', bytes(artistHex)],
          ['Album', album],
        ]),
      ]),
  },
  info: {
    sound: 'wav',
    album: true,
    write: (file, { titleHex, artistHex }, album) =>
      withInfo(file, [
        ['INAM', bytes(titleHex)],
        ['IART', bytes(artistHex)],
        ['IPRD', album],
      ]),
  },
  id3v1: {
    sound: 'mp3-cbr',
    album: true,
    write: (file, { titleHex, artistHex }, album) =>
      Buffer.concat([file, id3v1Tag({ title: bytes(titleHex), artist: bytes(artistHex), album })]),
  },
};

/** Text in character sets that files do not name. */
const foreign = (materials: Materials): CorpusCase[] =>
  Object.entries(carriers).flatMap(([carrier, { sound: soundName, write }]) =>
    samples.map((sample) => {
      const sound = soundByName(materials, soundName);
      const path = `encodings/${carrier}/${sample.set}/song.${sound.suffix}`;
      const base = { title: sample.title, artist: sample.artist, album: `Set ${sample.set} ${carrier}` };
      return {
        row: 'encodings',
        files: [{ path, bytes: write(sound.bytes, sample, base.album) }],
        songs: [{ path, sound: soundName, song: songOf(base) }],
      };
    }),
  );

/** Text that says what it is, in each encoding that ID3 has, and text that was encoded twice. */
const declared = (materials: Materials): CorpusCase[] => {
  const sound = soundByName(materials, 'mp3');
  const title = 'Ääkköset ÄÖÜ';
  const one = (name: string, version: Id3Version, encoding: 'utf16' | 'utf16be' | 'utf8' | 'latin1', written = title): CorpusCase => {
    const path = `encodings/declared/${name}/song.mp3`;
    const album = `Declared ${name}`;
    const frames = [textFrame('TIT2', [written], encoding), textFrame('TPE1', ['Émile'], encoding), textFrame('TALB', [album], encoding)];
    const song = songOf({ title, artist: 'Émile', album }, { comment: 'ça va' });
    const tag = id3Tag(version, [...frames, noteFrame('COMM', 'ça va', { encoding })]);
    return { row: 'encodings', files: [{ path, bytes: Buffer.concat([tag, sound.bytes]) }], songs: [{ path, sound: 'mp3', song }] };
  };
  const twice = Buffer.from(title).toString('latin1');
  return [
    one('utf16-23', 3, 'utf16'),
    one('utf16-24', 4, 'utf16'),
    one('utf16be-24', 4, 'utf16be'),
    one('utf8-24', 4, 'utf8'),
    one('latin1-23', 3, 'latin1'),
    one('twice', 4, 'utf8', twice),
    one('twice-utf16', 3, 'utf16', twice),
  ];
};

/** Every case of text in other encodings than it says. */
export const encodingCases = (materials: Materials): CorpusCase[] => [...foreign(materials), ...declared(materials)];
