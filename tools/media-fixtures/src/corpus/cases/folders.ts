import { createHash } from 'node:crypto';
import { songOf, type SongDifferences } from '../expected.js';
import { commentBody, FLAC_COMMENT, FLAC_PICTURE, pictureBody, withFlacBlocks, withFlacComments } from '../writers/comments.js';
import { id3Tag, pictureFrame, textFrame } from '../writers/id3.js';
import { soundByName, type CorpusCase, type CorpusFile, type Materials } from './case.js';

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** A tagged FLAC in a folder, with what lies beside it. */
const beside = (
  materials: Materials,
  row: string,
  name: string,
  more: {
    readonly files: readonly { readonly name: string; readonly bytes: Buffer }[];
    readonly song: SongDifferences;
    readonly folder?: string;
  },
): CorpusCase => {
  const base = { title: `In ${name}`, artist: `Folder artist ${name}`, album: `Folder album ${name}` };
  const folder = `${row}/${more.folder ?? name}`;
  const path = `${folder}/song.flac`;
  const bytes = withFlacComments(soundByName(materials, 'flac').bytes, [
    ['TITLE', base.title],
    ['ARTIST', base.artist],
    ['ALBUM', base.album],
  ]);
  const files: CorpusFile[] = more.files.map((file) => ({ path: `${folder}/${file.name}`, bytes: file.bytes }));
  return { row, files: [{ path, bytes }, ...files], songs: [{ path, sound: 'flac', song: songOf(base, more.song) }] };
};

const pictures = (materials: Materials): CorpusCase[] => {
  const [red = Buffer.alloc(0), green = Buffer.alloc(0), blue = Buffer.alloc(0)] = materials.pictures;
  const shown = (bytes: Buffer): SongDifferences => ({ albumArt: hashOf(bytes) });
  const named = ['cover.jpg', 'folder.jpg', 'front.jpg', 'AlbumArt.jpg', 'album.jpg', 'artwork.jpg', 'FRONT.JPEG', 'only-picture.jpg'];
  const cases = named.map((name) => beside(materials, 'folder-art', name, { files: [{ name, bytes: red }], song: shown(red) }));
  const both = [
    { name: 'folder.jpg', bytes: green },
    { name: 'cover.jpg', bytes: blue },
  ];
  cases.push(beside(materials, 'folder-art', 'the-better-name', { files: both, song: shown(blue) }));
  const unknown = [
    { name: 'a.jpg', bytes: green },
    { name: 'b.jpg', bytes: blue },
  ];
  cases.push(beside(materials, 'folder-art', 'no-usual-name', { files: unknown, song: {} }));
  return [...cases, ...embedded(materials, red, green)];
};

const embedded = (materials: Materials, front: Buffer, back: Buffer): CorpusCase[] => {
  const flacPath = 'embedded-art/flac/song.flac';
  const base = { title: 'With a cover', artist: 'Cover artist', album: 'Cover album' };
  const comments = commentBody([
    ['TITLE', base.title],
    ['ARTIST', base.artist],
    ['ALBUM', base.album],
  ]);
  const flac = withFlacBlocks(soundByName(materials, 'flac').bytes, [
    { type: FLAC_COMMENT, body: comments },
    { type: FLAC_PICTURE, body: pictureBody('image/jpeg', back, 4) },
    { type: FLAC_PICTURE, body: pictureBody('image/jpeg', front, 3) },
  ]);
  const art: SongDifferences = { art: hashOf(front), albumArt: hashOf(front) };
  const mp3 = ([2, 3, 4] as const).map((version): CorpusCase => {
    const path = `embedded-art/id3v2${version}/song.mp3`;
    const own = { title: 'With a cover', artist: `Cover artist ${version}`, album: `Cover album ${version}` };
    const [title, artist, album] = version === 2 ? ['TT2', 'TP1', 'TAL'] : ['TIT2', 'TPE1', 'TALB'];
    const frames = [
      textFrame(title, [own.title], 'latin1'),
      textFrame(artist, [own.artist], 'latin1'),
      textFrame(album, [own.album], 'latin1'),
    ];
    const pictured = [pictureFrame(version, 'image/jpeg', back, 4), pictureFrame(version, 'image/jpeg', front, 3)];
    const bytes = Buffer.concat([id3Tag(version, [...frames, ...pictured]), soundByName(materials, 'mp3').bytes]);
    return { row: 'embedded-art', files: [{ path, bytes }], songs: [{ path, sound: 'mp3', song: songOf(own, art) }] };
  });
  return [
    { row: 'embedded-art', files: [{ path: flacPath, bytes: flac }], songs: [{ path: flacPath, sound: 'flac', song: songOf(base, art) }] },
    ...mp3,
  ];
};

const lyricsFiles = (materials: Materials): CorpusCase[] => {
  const lrc = '[00:01.00]one\n[00:01.50]two';
  const lines = [
    { startMs: 1000, text: 'one' },
    { startMs: 1500, text: 'two' },
  ];
  const synced: SongDifferences = { lyrics: [{ language: 'xxx', synced: true, source: 'file', lines }] };
  const cyrillic = Buffer.from('cff0e8e2e5f22c20ece8f02120ddf2ee20efe5f1edff20ee20e2e5f1ede520e820eee120eef1e5ede8', 'hex');
  const file = (name: string, bytes: Buffer) => ({ name, bytes });
  return [
    beside(materials, 'lyrics-files', 'lrc', { files: [file('song.lrc', Buffer.from(lrc))], song: synced }),
    beside(materials, 'lyrics-files', 'lrc-utf16', {
      files: [file('song.lrc', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(lrc, 'utf16le')]))],
      song: synced,
    }),
    beside(materials, 'lyrics-files', 'txt', {
      files: [file('song.txt', Buffer.from('one\ntwo'))],
      song: { lyrics: [{ language: 'xxx', synced: false, source: 'file', lines: [{ text: 'one' }, { text: 'two' }] }] },
    }),
    beside(materials, 'lyrics-files', 'cyrillic', {
      files: [file('song.txt', cyrillic)],
      song: {
        lyrics: [{ language: 'xxx', synced: false, source: 'file', lines: [{ text: 'Привет, мир! Это песня о весне и об осени' }] }],
      },
    }),
    beside(materials, 'lyrics-files', 'of-another-song', { files: [file('other.lrc', Buffer.from(lrc))], song: {} }),
  ];
};

/** A picture that stands for an artist, in the artist's folder above the album's. */
const artistPictures = (materials: Materials): CorpusCase[] => {
  const picture = materials.pictures[3] ?? Buffer.alloc(0);
  const one = (name: string, folder: string, picturePath: string): CorpusCase => {
    const base = { title: `Of ${name}`, artist: `Pictured ${name}`, album: `Pictured album ${name}` };
    const path = `artist-art/${folder}/song.flac`;
    const bytes = withFlacComments(soundByName(materials, 'flac').bytes, [
      ['TITLE', base.title],
      ['ARTIST', base.artist],
      ['ALBUM', base.album],
    ]);
    const song = songOf(base, { artistArt: hashOf(picture) });
    const files = [
      { path, bytes },
      { path: `artist-art/${picturePath}`, bytes: picture },
    ];
    return { row: 'artist-art', files, songs: [{ path, sound: 'flac', song }] };
  };
  return [one('above', 'Above/Album', 'Above/artist.jpg'), one('deep', 'Deep/Album', 'Deep/Artist.JPG')];
};

/** Files that say nothing: what names of files and folders give. */
const fileNames = (materials: Materials): CorpusCase[] => {
  const sound = soundByName(materials, 'mp3-cbr');
  const one = (path: string, title: string, album: string, more: SongDifferences): CorpusCase => {
    const song = songOf({ title, artist: '[Unknown Artist]', album }, more);
    return { row: 'file names', files: [{ path, bytes: sound.bytes }], songs: [{ path, sound: 'mp3-cbr', song }] };
  };
  return [
    one('names/Zero/01 - First.mp3', 'First', 'Zero', { track: 1 }),
    one('names/One/1-02 Second.mp3', 'Second', 'One', { track: 2, disk: 1 }),
    one('names/Two/99 Luftballons.mp3', '99 Luftballons', 'Two', {}),
    one('names/Three/under_the_score.mp3', 'under the score', 'Three', {}),
    one('names/Box/CD2/07. On a disc.mp3', 'On a disc', 'Box', { track: 7, disk: 2 }),
    one('names/Seven/Song.mp3.mp3', 'Song.mp3', 'Seven', {}),
  ];
};

/** Files that are left out. */
const unusable = (materials: Materials): CorpusCase[] => {
  const flac = soundByName(materials, 'flac').bytes;
  const mp3 = soundByName(materials, 'mp3').bytes;
  const one = (name: string, bytes: Buffer, reason: string): CorpusCase => {
    const path = `unusable/${name}`;
    return { row: 'unusable', files: [{ path, bytes }], songs: [], skipped: [{ path, reason }] };
  };
  return [
    one('empty.mp3', Buffer.alloc(0), 'empty'),
    one('picture.mp3', materials.pictures[0] ?? Buffer.alloc(1), 'not-media'),
    one('text.flac', Buffer.from('this is no music at all, whatever its name says\n'.repeat(20)), 'not-media'),
    one('zeros.mp3', Buffer.alloc(50_000), 'not-media'),
    one('cut.flac', flac.subarray(0, Math.floor(flac.length / 4)), 'damaged'),
    one('cut.mp3', mp3.subarray(0, Math.floor(mp3.length / 4)), 'damaged'),
    one('header.flac', flac.subarray(0, 20), 'damaged'),
    one('page.ogg', Buffer.from('<!DOCTYPE html><html></html>'), 'not-media'),
  ];
};

/** Cases in which it matters what lies beside a file, or how it is called. */
export const folderCases = (materials: Materials): CorpusCase[] => [
  ...pictures(materials),
  ...artistPictures(materials),
  ...lyricsFiles(materials),
  ...fileNames(materials),
  ...unusable(materials),
];
