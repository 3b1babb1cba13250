import { mkdtemp, readFile, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { scannedTrack } from '@continuo/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { id3Cover, id3Tag, id3Text, id3Timed } from '../../test/id3-tag.js';
import { makeMediaFile, makePicture } from '../../test/media-files.js';
import { createTagPool } from './tag-pool.adapter.js';
import type { TagReader, TrackResult } from './tag-reader.js';

let folder: string;
let reader: TagReader;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'continuo-tags-'));
  reader = createTagPool({
    threads: 1,
    inFlightPerThread: 8,
    parseTimeoutMs: 10_000,
    maxPictureBytes: 1_000_000,
    maxPicturePixels: 1_000_000,
  });
  await makePicture(join(folder, 'cover.jpg'), 64, 48);
  await makePicture(join(folder, 'cover.png'), 32, 32);
  await makeMediaFile({ path: join(folder, 'bare.mp3'), seconds: 2, args: ['-id3v2_version', '0', '-write_id3v1', '0'] });
});
afterAll(async () => {
  await reader.close();
  await rm(folder, { recursive: true, force: true });
});

const read = async (path: string, lyricsPaths: string[] = []): Promise<TrackResult> => {
  const { size, mtimeMs } = await stat(path);
  return reader.readTrack({
    path,
    fileName: basename(path),
    folderPath: 'Artist/Album',
    sizeBytes: size,
    mtimeMs: Math.trunc(mtimeMs),
    lyricsPaths,
  });
};
const track = async (path: string, lyricsPaths?: string[]) => {
  const result = await read(path, lyricsPaths);
  if (!result.ok) throw new Error(`${result.reason}: ${result.message}`);
  return { ...scannedTrack.parse(result.track), notices: result.notices };
};

/** Tags that every format must return; encoders keep different parts of them. */
const tags = {
  title: 'A Title',
  artist: 'One feat. Two',
  album_artist: 'One',
  album: 'The Album',
  genre: 'Rock; Pop',
  date: '2004-05-17',
  track: '3/12',
  disc: '1/2',
  composer: 'Somebody',
  comment: 'a comment',
  lyrics: 'line one\nline two',
  REPLAYGAIN_TRACK_GAIN: '-6.50 dB',
  mood: 'Happy;Sad',
};
const basic = {
  title: 'A Title',
  artists: [{ name: 'One' }, { name: 'Two' }],
  displayArtist: 'One feat. Two',
  albumArtists: [{ name: 'One' }],
  genres: ['Rock', 'Pop'],
  track: 3,
  trackTotal: 12,
  year: 2004,
  comment: 'a comment',
};
const free = { moods: ['Happy', 'Sad'], loudness: { trackGainDb: -6.5 } };
const lyrics = { lyrics: [{ synced: false, source: 'tag', lines: [{ text: 'line one' }, { text: 'line two' }] }] };
const discs = { disk: 1, diskTotal: 2 };
const cover = { art: { mime: 'image/jpeg', widthPx: 64, heightPx: 48 } };

const manifest = [
  {
    as: 'mp3',
    sound: { format: 'mp3', mime: 'audio/mpeg', lossless: false, bitrateMode: 'vbr' },
    fields: { ...basic, ...free, ...lyrics, ...discs, ...cover },
  },
  {
    as: 'flac',
    sound: { format: 'flac', mime: 'audio/flac', lossless: true, bitDepth: 16 },
    fields: { ...basic, ...free, ...lyrics, ...discs, ...cover },
  },
  { as: 'ogg', sound: { format: 'ogg', mime: 'audio/ogg', lossless: false }, fields: { ...basic, ...free, ...lyrics, ...discs } },
  {
    as: 'opus',
    sound: { format: 'opus', mime: 'audio/ogg', lossless: false, sampleRateHz: 48_000 },
    fields: { ...basic, ...free, ...lyrics, ...discs },
  },
  { as: 'm4a', sound: { format: 'm4a', mime: 'audio/mp4', lossless: false }, fields: { ...basic, ...lyrics, ...discs, ...cover } },
  {
    as: 'alac',
    sound: { format: 'm4a', mime: 'audio/mp4', lossless: true, codec: 'ALAC' },
    fields: { ...basic, ...lyrics, ...discs, ...cover },
  },
  { as: 'wav', sound: { format: 'wav', mime: 'audio/wav', lossless: true, bitrateMode: 'cbr' }, fields: basic },
  { as: 'aiff', sound: { format: 'aiff', mime: 'audio/aiff', lossless: true }, fields: { ...basic, ...free, ...lyrics, ...discs } },
  { as: 'wma', sound: { format: 'wma', mime: 'audio/x-ms-wma', lossless: false }, fields: { ...basic, ...free, ...lyrics, ...discs } },
  { as: 'wv', sound: { format: 'wv', mime: 'audio/x-wavpack', lossless: true }, fields: { ...basic, ...free, ...lyrics, ...discs } },
  { as: 'mka', sound: { format: 'mka', mime: 'audio/x-matroska' }, fields: { ...basic, ...free, ...lyrics } },
] as const;

describe('reading tags of real files', () => {
  it.each(manifest)('reads $as', async ({ as, sound, fields }) => {
    const path = join(folder, `tagged-${as}.${as === 'alac' ? 'm4a' : as}`);
    await makeMediaFile({ path, tags, seconds: 4, ...('art' in fields ? { cover: join(folder, 'cover.jpg') } : {}) }, as);
    const found = await track(path);
    expect(found).toMatchObject({ ...sound, ...fields });
    expect(Math.abs(found.durationMs - 4000)).toBeLessThan(60);
    expect(found.album).toMatchObject({ name: 'The Album', year: 2004 });
    expect(found.bitrateBps).toBeGreaterThan(1000);
    expect(found.notices).toEqual([]);
    expect(found.extraTags).toEqual({});
    // A lossy codec has no sample size, whatever the container says.
    expect(found.lossless ? undefined : found.bitDepth).toBeUndefined();
  });

  it.each(['mp2', 'aac'])('reads %s without tags, by its name and folder', async (as) => {
    const path = join(folder, `07 - Some Song.${as}`);
    await makeMediaFile({ path, seconds: 4 }, as);
    expect(await track(path)).toMatchObject({
      title: 'Some Song',
      track: 7,
      format: as,
      album: { name: 'Album' },
      artists: [{ name: '[Unknown Artist]' }],
    });
  });

  it('reads a DSF and an APE header', async () => {
    const dsf = join(folder, 'x.dsf');
    await writeFile(dsf, dsfFile());
    expect(await track(dsf)).toMatchObject({ format: 'dsf', sampleRateHz: 2_822_400, durationMs: 1000, channels: 2, lossless: true });
    const ape = join(folder, 'x.ape');
    await writeFile(ape, apeFile());
    expect(await track(ape)).toMatchObject({ format: 'ape', sampleRateHz: 44_100, durationMs: 2000, channels: 2 });
  });

  it('reads several values, ids, loudness, timed lyrics and custom tags', async () => {
    const [one, two] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
    const txxx = (name: string, ...values: string[]) => id3Text('TXXX', name, ...values);
    const tag = id3Tag(
      id3Text('TIT2', 'Nu\u0007ll\u0000'),
      id3Text('TPE1', 'AC/DC', 'Guest'),
      id3Text('TCON', 'Rock', 'Hip-Hop/Rap'),
      id3Text('TMOO', 'Calm', 'Dark'),
      id3Text('TSST', 'Side A'),
      id3Text('TCMP', '1'),
      id3Text('TBPM', '127.5'),
      txxx('MusicBrainz Artist Id', one, two),
      txxx('MusicBrainz Album Id', two),
      txxx('REPLAYGAIN_ALBUM_GAIN', '-7.25 dB'),
      txxx('REPLAYGAIN_ALBUM_PEAK', '0.988'),
      txxx('MY_TAG', 'mine'),
      id3Timed('eng', [
        ['first', 1500],
        ['second', 3000],
      ]),
      id3Cover('image/jpg', await readFile(join(folder, 'cover.png'))),
    );
    const path = join(folder, 'rich.mp3');
    await writeFile(path, Buffer.concat([tag, await readFile(join(folder, 'bare.mp3'))]));
    expect(await track(path)).toMatchObject({
      title: 'Null',
      artists: [
        { name: 'AC/DC', mbid: one },
        { name: 'Guest', mbid: two },
      ],
      albumArtists: [{ name: 'Various Artists' }],
      genres: ['Rock', 'Hip-Hop/Rap'],
      moods: ['Calm', 'Dark'],
      diskSubtitle: 'Side A',
      bpm: 127.5,
      album: { compilation: true, mbAlbumId: two },
      loudness: { albumGainDb: -7.25, albumPeak: 0.988 },
      lyrics: [
        {
          language: 'eng',
          synced: true,
          lines: [
            { startMs: 1500, text: 'first' },
            { startMs: 3000, text: 'second' },
          ],
        },
      ],
      art: { mime: 'image/png', widthPx: 32 },
      extraTags: { my_tag: 'mine' },
    });
  });

  it('prefers a lyrics file and keeps the tag', async () => {
    const path = join(folder, 'song.flac');
    await makeMediaFile({ path, tags: { lyrics: 'from the tag' } });
    const lrc = join(folder, 'song.lrc');
    await writeFile(lrc, Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('[00:02.00][00:01.00]vom Blatt', 'utf16le')]));
    const { lyrics: found } = await track(path, [lrc]);
    expect(found).toMatchObject([
      { source: 'file', synced: true, lines: [{ startMs: 1000, text: 'vom Blatt' }, { startMs: 2000 }] },
      { source: 'tag', synced: false },
    ]);
  });

  it('changes the digest with the tags and the time, not with the name', async () => {
    const first = join(folder, 'd1.flac');
    await makeMediaFile({ path: first, tags: { title: 'T' } });
    await writeFile(join(folder, 'd2.flac'), await readFile(first));
    await utimes(first, 1000, 1000);
    await utimes(join(folder, 'd2.flac'), 1000, 1000);
    const [a, b] = [await track(first), await track(join(folder, 'd2.flac'))];
    expect(a.digest).toBe(b.digest);
    await utimes(first, 2000, 2000);
    expect((await track(first)).digest).not.toBe(a.digest);
  });
});

describe('lyrics files beside a track', () => {
  it('are left out with a notice when they are too large or cannot be read; the song stays', async () => {
    const [huge, gone, good] = [join(folder, 'huge.lrc'), join(folder, 'gone.lrc'), join(folder, 'good.lrc')];
    await writeFile(huge, '');
    await truncate(huge, 3_000_000_000);
    await writeFile(good, '[00:01.00]la');
    const found = await track(join(folder, 'bare.mp3'), [huge, gone, good]);
    expect(found.notices.map((notice) => notice.reason)).toEqual(['too-large', 'unreadable']);
    expect(found.lyrics).toMatchObject([{ source: 'file', synced: true, lines: [{ startMs: 1000, text: 'la' }] }]);
  });
});

describe('files that cannot be used', () => {
  it('reads the INFO tags of a WAV as UTF-8 where they are, and as western text where they are not', async () => {
    const path = join(folder, 'info.wav');
    await makeMediaFile({ path, tags: { title: 'Überfluß 語', artist: 'Björk', genre: 'Électro', comment: 'naïve' } });
    expect(await track(path)).toMatchObject({ title: 'Überfluß 語', artists: [{ name: 'Björk' }], genres: ['Électro'], comment: 'naïve' });
    const bytes = await readFile(path);
    const at = bytes.indexOf('Björk');
    Buffer.from('Björk\0', 'latin1').copy(bytes, at);
    await writeFile(path, bytes);
    expect(await track(path)).toMatchObject({ title: 'Überfluß 語', artists: [{ name: 'Björk' }] });
  });

  it.each(['mp3', 'flac', 'm4a', 'wav', 'aiff', 'wma', 'wv'])('names a %s that was cut to a third damaged', async (as) => {
    const path = join(folder, `cut.${as}`);
    await makeMediaFile({ path, tags: { title: 'T' }, seconds: 10 }, as);
    await truncate(path, Math.floor((await stat(path)).size * 0.3));
    expect(await read(path)).toMatchObject({ ok: false, reason: 'damaged' });
  });

  it.each(['ogg', 'opus'])('keeps what is left of a %s, with its real duration and a notice', async (as) => {
    const path = join(folder, `part.${as}`);
    await makeMediaFile({ path, seconds: 20 }, as);
    await truncate(path, Math.floor((await stat(path)).size * 0.7));
    const found = await track(path);
    expect(found.durationMs).toBeGreaterThan(5000);
    expect(found.durationMs).toBeLessThan(19_000);
    expect(found.notices).toMatchObject([{ reason: 'damaged' }]);
  });

  it.each([
    ['text', () => Buffer.from('just words '.repeat(500))],
    ['noise', () => Buffer.from(Array.from({ length: 200_000 }, (_, n) => (n * 7919 + (n >> 3) * 104_729) & 0xff))],
    ['pdf', () => Buffer.from('%PDF-1.7 …')],
    ['zip', () => Buffer.from('PK\u0003\u0004 …')],
  ])('does not take %s for music', async (name, content) => {
    const path = join(folder, `${name}.mp3`);
    await writeFile(path, content());
    expect(await read(path)).toMatchObject({ ok: false, reason: 'not-media' });
  });

  it('gives up on a file that takes too long', async () => {
    const path = join(folder, 'long.aac');
    await makeMediaFile({ path, seconds: 4 }, 'aac');
    const part = await readFile(path);
    await writeFile(path, Buffer.concat(Array.from({ length: 400 }, () => part)));
    const hasty = createTagPool({ threads: 1, inFlightPerThread: 1, parseTimeoutMs: 20, maxPictureBytes: 1, maxPicturePixels: 1 });
    const { size } = await stat(path);
    const result = await hasty.readTrack({ path, fileName: 'long.aac', folderPath: '', sizeBytes: size, mtimeMs: 1, lyricsPaths: [] });
    await hasty.close();
    expect(result).toMatchObject({ ok: false, reason: 'damaged', message: expect.stringContaining('20 ms') });
    expect(await track(path)).toMatchObject({ format: 'aac' });
  });

  it('answers for missing files, folders and links into nowhere', async () => {
    const request = { fileName: 'x.mp3', folderPath: '', sizeBytes: 5, mtimeMs: 1, lyricsPaths: [] };
    expect(await reader.readTrack({ ...request, path: join(folder, 'missing.mp3') })).toMatchObject({ reason: 'vanished' });
    expect(await reader.readTrack({ ...request, path: folder })).toMatchObject({ reason: 'unreadable' });
    await symlink('self.mp3', join(folder, 'self.mp3'));
    expect(await reader.readTrack({ ...request, path: join(folder, 'self.mp3') })).toMatchObject({ reason: 'unreadable' });
  });

  it('refuses pictures that are no pictures or too large to show', async () => {
    await writeFile(join(folder, 'no.jpg'), 'no picture');
    expect(await reader.readPicture(join(folder, 'no.jpg'))).toMatchObject({ ok: false });
    await makePicture(join(folder, 'wide.png'), 2000, 2000);
    expect(await reader.readPicture(join(folder, 'wide.png'))).toMatchObject({ ok: false, why: expect.stringContaining('2000 × 2000') });
    expect(await reader.readPicture(join(folder, 'cover.jpg'))).toMatchObject({ ok: true, picture: { ref: { mime: 'image/jpeg' } } });
  });
});

/** One second of silence in DSD at 64 times the rate of a CD. */
const dsfFile = (): Buffer => {
  const rate = 2_822_400;
  const dataBytes = (rate / 8) * 2;
  const head = Buffer.alloc(92 + dataBytes);
  head.write('DSD ', 0);
  head.writeBigUInt64LE(28n, 4);
  head.writeBigUInt64LE(BigInt(head.length), 12);
  head.write('fmt ', 28);
  head.writeBigUInt64LE(52n, 32);
  for (const [at, value] of [
    [40, 1],
    [44, 0],
    [48, 2],
    [52, 2],
    [56, rate],
    [60, 1],
    [72, 4096],
  ] as const)
    head.writeUInt32LE(value, at);
  head.writeBigUInt64LE(BigInt(rate), 64);
  head.write('data', 80);
  head.writeBigUInt64LE(BigInt(12 + dataBytes), 84);
  return head;
};

/** The descriptor and header of a Monkey's Audio file of two seconds, with some sound bytes behind them. */
const apeFile = (): Buffer => {
  const file = Buffer.alloc(76 + 20_000);
  file.write('MAC ', 0);
  file.writeUInt32LE(3990 * 1000, 4);
  file.writeUInt32LE(52, 8);
  file.writeUInt32LE(24, 12);
  file.writeUInt32LE(0, 16);
  file.writeUInt32LE(0, 20);
  file.writeUInt32LE(20_000, 24);
  const at = 52;
  file.writeUInt16LE(2000, at);
  file.writeUInt32LE(73_728, at + 4);
  file.writeUInt32LE(88_200 - 73_728, at + 8);
  file.writeUInt32LE(2, at + 12);
  file.writeUInt16LE(16, at + 16);
  file.writeUInt16LE(2, at + 18);
  file.writeUInt32LE(44_100, at + 20);
  return file;
};
