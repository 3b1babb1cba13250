import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { scannedTrack } from '@continuo/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ffprobePath } from '../../test/config.js';
import { id3Tag, id3Text } from '../../test/id3-tag.js';
import { makeMediaFile } from '../../test/media-files.js';
import {
  id3Custom,
  id3v23Tag,
  id3v23Text,
  itunesFree,
  itunesNumber,
  itunesText,
  withId3Chunk,
  withItunesAtoms,
  withVorbisComments,
  type TagList,
} from '../../test/written-tags.js';
import { readTrack } from './read-track.js';

const [W1, W2] = ['aaaaaaaa-1111-4111-8111-111111111111', 'bbbbbbbb-2222-4222-8222-222222222222'];
const limits = { parseTimeoutMs: 10_000, maxPictureBytes: 1_000_000, maxPicturePixels: 1_000_000 };
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'continuo-rich-tags-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const read = async (path: string) => {
  const { size, mtimeMs } = await stat(path);
  const file = { path, fileName: basename(path), folderPath: 'A/B', sizeBytes: size, mtimeMs: Math.trunc(mtimeMs), lyricsPaths: [] };
  const result = await readTrack(file, limits);
  if (!result.ok) throw new Error(`${result.reason}: ${result.message}`);
  return scannedTrack.parse(result.track);
};

/** A file of two seconds, as another writer than ours has changed it. */
const written = async (name: string, change: (file: Buffer) => Buffer, args: readonly string[] = []): Promise<string> => {
  const path = join(folder, name);
  await makeMediaFile({ path, seconds: 2, tags: { title: 'Song' }, args });
  await writeFile(path, change(await readFile(path)));
  return path;
};

/** Tags by ffprobe, by lower-case name; the file is decoded to its end, so that damage shows. */
const probed = async (path: string): Promise<Record<string, string>> => {
  const { stdout } = await promisify(execFile)(ffprobePath, ['-v', 'error', '-of', 'json', '-show_format', '-show_streams', path]);
  const { format, streams } = JSON.parse(stdout) as {
    format: { tags?: Record<string, string> };
    streams: { tags?: Record<string, string> }[];
  };
  const tags = Object.entries<string>({ ...streams[0]?.tags, ...format.tags });
  return Object.fromEntries(tags.map(([key, value]) => [key.toLowerCase(), value]));
};

const bare = ['-id3v2_version', '0', '-write_id3v1', '0'];

const v24 = [
  id3Text('TIT2', 'Song'),
  id3Text('TPE1', 'Art One'),
  id3Text('TALB', 'Albo'),
  id3Text('TIT1', 'Grp A', 'Grp B'),
  id3Custom('WORK', 'Work X', 'Work Y'),
  id3Custom('MusicBrainz Work Id', W1, W2),
  id3Text('MVNM', 'Allegro'),
  id3Text('MVIN', '2/4'),
  id3Custom('ITUNESADVISORY', '1'),
  id3Text('TSOA', 'Albo, The'),
  id3Text('TSOP', 'One, Art'),
  id3Text('TSO2', 'One, Art'),
  id3Text('TPE2', 'Art One'),
  id3Text('TSST', 'Side A'),
  id3Text('TDRC', '2010-03-01'),
  id3Text('TDOR', '1975-02'),
  id3Text('TDRL', '2011-06-07'),
  id3Text('TPUB', 'Label L'),
  id3Custom('MusicBrainz Album Type', 'album', 'live'),
  id3Text('TSRC', 'GBAAA0000001', 'GBAAA0000002'),
  id3Text('TCOM', 'Comp One', 'Comp Two'),
  id3Text('TPE3', 'Cond'),
  id3Text('TEXT', 'Lyr'),
  id3Text('TMCL', 'guitar', 'Gus', 'lead vocals', 'Vera'),
  id3Text('TIPL', 'producer', 'Prod', 'mix', 'Mixi'),
];
const comments: TagList = [
  ['TITLE', 'Song'],
  ['ARTIST', 'Art One'],
  ['ALBUM', 'Albo'],
  ['ALBUMARTIST', 'Art One'],
  ['GROUPING', 'Grp A'],
  ['GROUPING', 'Grp B'],
  ['WORK', 'Work X'],
  ['WORK', 'Work Y'],
  ['MUSICBRAINZ_WORKID', W1],
  ['MUSICBRAINZ_WORKID', W2],
  ['MOVEMENTNAME', 'Allegro'],
  ['MOVEMENT', '2'],
  ['MOVEMENTTOTAL', '4'],
  ['ITUNESADVISORY', '1'],
  ['ALBUMSORT', 'Albo, The'],
  ['ARTISTSORT', 'One, Art'],
  ['ALBUMARTISTSORT', 'One, Art'],
  ['DISCSUBTITLE', 'Side A'],
  ['DATE', '2010-03-01'],
  ['ORIGINALDATE', '1975-02'],
  ['RELEASEDATE', '2011-06-07'],
  ['LABEL', 'Label L'],
  ['RELEASETYPE', 'album'],
  ['RELEASETYPE', 'live'],
  ['ISRC', 'GBAAA0000001'],
  ['ISRC', 'GBAAA0000002'],
  ['COMPOSER', 'Comp One'],
  ['COMPOSER', 'Comp Two'],
  ['CONDUCTOR', 'Cond'],
  ['LYRICIST', 'Lyr'],
  ['PERFORMER', 'Gus (guitar)'],
  ['PERFORMER', 'Vera (lead vocals)'],
  ['PRODUCER', 'Prod'],
  ['MIXER', 'Mixi'],
];
const atoms = [
  itunesText('\u00a9ART', 'Art One'),
  itunesText('aART', 'Art One'),
  itunesText('\u00a9alb', 'Albo'),
  itunesText('\u00a9grp', 'Grp A', 'Grp B'),
  itunesText('\u00a9wrk', 'Work X'),
  itunesFree('MusicBrainz Work Id', W1),
  itunesText('\u00a9mvn', 'Allegro'),
  itunesNumber('\u00a9mvi', 2, 2),
  itunesNumber('\u00a9mvc', 4, 2),
  itunesNumber('rtng', 1),
  itunesText('soal', 'Albo, The'),
  itunesText('soar', 'One, Art'),
  itunesText('soaa', 'One, Art'),
  itunesFree('DISCSUBTITLE', 'Side A'),
  itunesText('\u00a9day', '2010-03-01'),
  itunesFree('ORIGINALDATE', '1975-02'),
  itunesFree('RELEASEDATE', '2011-06-07'),
  itunesFree('LABEL', 'Label L'),
  itunesFree('MusicBrainz Album Type', 'album', 'live'),
  itunesFree('ISRC', 'GBAAA0000001', 'GBAAA0000002'),
  itunesText('\u00a9wrt', 'Comp One', 'Comp Two'),
  itunesFree('CONDUCTOR', 'Cond'),
  itunesFree('LYRICIST', 'Lyr'),
  itunesFree('PERFORMER', 'Gus (guitar)', 'Vera (lead vocals)'),
  itunesFree('PRODUCER', 'Prod'),
  itunesFree('MIXER', 'Mixi'),
];

const works = {
  works: [
    { name: 'Work X', mbid: W1 },
    { name: 'Work Y', mbid: W2 },
  ],
  movements: [{ name: 'Allegro', number: 2, count: 4 }],
};
const sorted = { name: 'Art One', sortName: 'One, Art' };
const everything = {
  ...works,
  groupings: ['Grp A', 'Grp B'],
  explicit: 'explicit',
  artists: [sorted],
  albumArtists: [sorted],
  diskSubtitle: 'Side A',
  isrcs: ['GBAAA0000001', 'GBAAA0000002'],
  composers: ['Comp One', 'Comp Two'],
  album: {
    name: 'Albo',
    sortName: 'Albo, The',
    originalDate: '1975-02',
    originalYear: 1975,
    releaseDate: '2011-06-07',
    recordLabels: ['Label L'],
    releaseTypes: ['album', 'live'],
  },
};
const people = [
  { role: 'conductor', name: 'Cond' },
  { role: 'lyricist', name: 'Lyr' },
  { role: 'mixer', name: 'Mixi' },
  { role: 'performer', subRole: 'guitar', name: 'Gus' },
  { role: 'performer', subRole: 'lead vocals', name: 'Vera' },
  { role: 'producer', name: 'Prod' },
];
const byRole = <T extends { role: string; name: string }>(list: readonly T[]): T[] =>
  list.toSorted((a, b) => `${a.role} ${a.name}`.localeCompare(`${b.role} ${b.name}`));

describe('what files say beyond title and artist', () => {
  it.each([
    ['mp3', (file: Buffer) => Buffer.concat([id3Tag(...v24), file]), bare],
    ['flac', (file: Buffer) => withVorbisComments(file, comments), []],
    ['wav', (file: Buffer) => withId3Chunk(file, id3Tag(...v24)), []],
    ['aiff', (file: Buffer) => withId3Chunk(file, id3Tag(...v24)), ['-write_id3v2', '0']],
  ] as const)('is read from %s', async (suffix, change, args) => {
    const path = await written(`all.${suffix}`, change, args);
    const found = await read(path);
    expect(found).toMatchObject(everything);
    expect(byRole(found.contributors)).toEqual(people);
    const seen = await probed(path);
    if (suffix === 'wav') return;
    expect(seen).toMatchObject({ itunesadvisory: '1', album: 'Albo' });
    expect(seen['work'] ?? '').toContain('Work X');
    expect(seen['grouping'] ?? '').toContain('Grp A');
  });

  it('is read from m4a', async () => {
    const path = await written('all.m4a', (file) => withItunesAtoms(file, ...atoms));
    const found = await read(path);
    expect(found).toMatchObject({ ...everything, works: [{ name: 'Work X', mbid: W1 }] });
    expect(byRole(found.contributors)).toEqual(people);
    expect(await probed(path)).toMatchObject({ album: 'Albo', sort_album: 'Albo, The', lyricist: 'Lyr' });
  });

  it('is read from ID3v2.3, where players stand in the list of involved people', async () => {
    const tag = id3v23Tag(
      id3v23Text('TIT2', 'Song'),
      id3v23Text('TPE1', 'Art One'),
      id3v23Text('TIT1', 'Grp A; Grp B'),
      id3v23Text('TXXX', 'WORK', 'Work X'),
      id3v23Text('TXXX', 'ITUNESADVISORY', '2'),
      id3v23Text('MVNM', 'Allegro'),
      id3v23Text('MVIN', '2/4'),
      id3v23Text('TORY', '1975'),
      id3v23Text('TCMP', '1'),
    );
    const path = await written('old.mp3', (file) => Buffer.concat([tag, file]), bare);
    expect(await read(path)).toMatchObject({
      groupings: ['Grp A', 'Grp B'],
      works: [{ name: 'Work X' }],
      movements: works.movements,
      explicit: 'clean',
      album: { originalYear: 1975, compilation: true },
    });
    expect(await probed(path)).toMatchObject({ grouping: 'Grp A; Grp B', work: 'Work X', itunesadvisory: '2' });
  });

  it.each(['ogg', 'opus', 'wma', 'wv', 'mka'])('is read from %s as ffmpeg writes it', async (as) => {
    const path = join(folder, `plain.${as}`);
    const own = {
      WORK: 'Work X',
      GROUPING: 'Grp A',
      MOVEMENTNAME: 'Allegro',
      MOVEMENT: '2/4',
      ITUNESADVISORY: '1',
      PERFORMER: 'Gus (guitar)',
    };
    const asf = {
      'WM/Work': 'Work X',
      'WM/ContentGroupDescription': 'Grp A',
      MOVEMENTNAME: 'Allegro',
      MOVEMENT: '2/4',
      ITUNESADVISORY: '1',
    };
    await makeMediaFile({ path, seconds: 2, tags: { title: 'Song', ...(as === 'wma' ? asf : own) } });
    expect(await read(path)).toMatchObject({
      works: [{ name: 'Work X' }],
      groupings: ['Grp A'],
      movements: [{ name: 'Allegro', number: 2, count: 4 }],
      explicit: 'explicit',
      contributors: as === 'wma' ? [] : [{ role: 'performer', subRole: 'guitar', name: 'Gus' }],
    });
  });

  it('takes the work from where iTunes puts it', async () => {
    const tag = id3Tag(id3Text('TIT2', 'Song'), id3Text('TIT1', 'The Work'), id3Text('GRP1', 'The Group'));
    const path = await written('itunes.mp3', (file) => Buffer.concat([tag, file]), bare);
    expect(await read(path)).toMatchObject({ works: [{ name: 'The Work' }], groupings: ['The Group'] });
  });

  it('knows the gain that every decoder of an Opus file applies', async () => {
    const gain = (file: Buffer): Buffer => {
      file.writeInt16LE(-384, file.indexOf('OpusHead') + 16);
      return file;
    };
    // The checksum of the page is not looked at.
    expect((await read(await written('quiet.opus', gain))).loudness).toEqual({ baseGainDb: -1.5 });
    expect((await read(await written('plain-gain.opus', (file) => file))).loudness).toEqual({});
  });

  it('adds nothing to a file that says nothing', async () => {
    const found = await read(await written('none.flac', (file) => withVorbisComments(file, [['TITLE', 'Song']])));
    for (const name of ['works', 'movements', 'groupings', 'explicit', 'sortTitle', 'diskSubtitle']) expect(found).not.toHaveProperty(name);
    expect(found).toMatchObject({ contributors: [], composers: [], isrcs: [], extraTags: {} });
  });

  it('bounds and cleans what is too much or nonsense', async () => {
    const many = (name: string, count: number): TagList =>
      Array.from({ length: count }, (_, n) => [name, `${name} ${n} ${'x'.repeat(5000)}`]);
    const hostile: TagList = [
      ['TITLE', 'Song'],
      ...many('WORK', 200),
      ...many('GROUPING', 200),
      ...many('MOVEMENTNAME', 200),
      ...many('PERFORMER', 500),
      ...many('COMPOSER', 500),
      ...many('ISRC', 100),
      ['MOVEMENT', '-3/99999999999999999999'],
      ['MOVEMENTTOTAL', 'NaN'],
      ['ITUNESADVISORY', '77'],
      ['MUSICBRAINZ_WORKID', 'no id'],
      ['PERFORMER', '()'],
      ['PERFORMER', ' (drums)'],
      ['DISCSUBTITLE', '\u0000\u0007 \n '],
    ];
    const found = await read(await written('hostile.flac', (file) => withVorbisComments(file, hostile)));
    expect(found.works).toHaveLength(10);
    expect(found.groupings).toHaveLength(10);
    expect(found.movements).toHaveLength(10);
    expect(found.contributors.length).toBeLessThanOrEqual(100);
    expect(found.explicit).toBeUndefined();
    expect(found.diskSubtitle).toBeUndefined();
    for (const { name } of [...(found.works ?? []), ...(found.movements ?? []), ...found.contributors])
      expect(name.length).toBeLessThanOrEqual(400);
    expect(JSON.stringify(found).length).toBeLessThan(200_000);
    const empty: TagList = ['WORK', 'GROUPING', 'MOVEMENTNAME', 'MOVEMENT', 'ITUNESADVISORY', 'PERFORMER', 'COMPOSER'].map((name) => [
      name,
      ' ',
    ]);
    const nothing = await read(await written('empty.flac', (file) => withVorbisComments(file, [['TITLE', 'Song'], ...empty])));
    for (const name of ['works', 'movements', 'groupings', 'explicit']) expect(nothing).not.toHaveProperty(name);
    expect(nothing).toMatchObject({ contributors: [], composers: [] });
  });
});
