import { execFile } from 'node:child_process';
import { link, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { runCli } from '@continuo/continuo-cli/testkit';
import type { SongDocument } from '@continuo/contracts';
import { someOf } from '@continuo/local-servers/test-form';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CorpusManifest, generateCorpus, type ManifestSong } from '@continuo/media-fixtures';
import { Journey } from './journey.js';

/** A file with many tags of each kind of tag that can be written. */
const written = ['id3v24-mp3', 'id3v23-mp3', 'flac', 'ogg', 'opus', 'm4a', 'alac', 'ape-wv', 'asf', 'id3v24-aiff', 'id3v24-wav'];
const run = promisify(execFile);

let journey: Journey;
let manifest: CorpusManifest;
const cli = (...args: string[]) => runCli({ CONTINUO_DATA: join(journey.folder, 'data') }, 'song', 'write-tags', ...args);

const docs = async (): Promise<Map<string, SongDocument>> => {
  const rows = await journey.server.db.selectFrom('library.song').select('doc').execute();
  return new Map(rows.map(({ doc }) => JSON.parse(doc) as SongDocument).map((doc) => [doc.path, doc]));
};
const songOf = (dialect: string): ManifestSong => {
  const found = manifest.songs.find(({ path }) => path.startsWith(`tags/${dialect}/several/`));
  if (!found) throw new Error(`no song in ${dialect}`);
  return found;
};
const soundOf = async (path: string): Promise<string> =>
  (await run('ffmpeg', ['-hide_banner', '-loglevel', 'error', '-i', path, '-map', '0:a:0', '-f', 'md5', '-'])).stdout;

beforeAll(async () => {
  journey = await Journey.prepare();
  manifest = await generateCorpus(journey.music);
  await journey.start({ WRITE_TAGS: 'on' });
  await journey.scan();
});
afterAll(() => journey.end());

describe('tags that are written into files', () => {
  it.each(someOf(written, 4))('are read again from %s, and nothing else has changed', async (dialect) => {
    const { path } = songOf(dialect);
    const file = join(journey.music, path);
    const before = (await docs()).get(path) as SongDocument;
    const [sound, { mode }] = [await soundOf(file), await stat(file)];
    const { out, err } = await cli(String(before.id), 'title=Neuer Tïtel 語', 'genre=Blues', 'genre=Folk', 'track=9', 'comment=written');
    expect(err).toBe('');
    expect(out).toContain('Written');
    const after = (await docs()).get(path) as SongDocument;
    const given = { title: 'Neuer Tïtel 語', track: 9, comment: 'written' };
    expect(after).toMatchObject({ id: before.id, ...given });
    expect(after.genres.map(({ name }) => name)).toEqual(['Blues', 'Folk']);
    const rest = ({ title: _t, track: _n, comment: _c, genres: _g, sizeBytes: _s, bitrateBps: _b, ...others }: SongDocument) => others;
    expect(rest(after)).toEqual(rest(before));
    expect(await soundOf(file)).toBe(sound);
    expect((await stat(file)).mode).toBe(mode);
    expect((await readdir(dirname(file))).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('are taken away by empty values', async () => {
    const { path } = songOf('flac');
    const { id } = (await docs()).get(path) as SongDocument;
    await cli(String(id), 'genre=', 'comment=');
    const after = (await docs()).get(path) as SongDocument;
    expect(after.genres).toEqual([]);
    expect(after.comment).toBeUndefined();
  });

  it('leave a file as it was that cannot be decoded, has two names, or is shared by several songs', async () => {
    const all = await docs();
    const broken = [...all.values()].find(({ path }) => path.startsWith('tags/ape-ape/'));
    const shared = [...all.values()].find(({ part }) => part !== undefined);
    const { path: twice } = songOf('ogg');
    await link(join(journey.music, twice), join(journey.folder, 'second name'));
    for (const doc of [broken, shared, all.get(twice)]) {
      const file = join(journey.music, doc?.path ?? '');
      const bytes = await readFile(file);
      const { err } = await cli(String(doc?.id), 'title=No');
      expect(err).toContain('media.failed');
      expect((await readFile(file)).equals(bytes)).toBe(true);
    }
  });

  it('are refused for what is no tag, and for no song', async () => {
    expect((await cli('1', 'colour=blue')).err).toContain('"colour=blue" is no tag');
    expect((await cli('1', 'date=tomorrow')).err).toContain('cannot be written');
    expect((await cli('999999', 'title=x')).err).toContain('song.not-found');
  });

  it('are refused where writing is off', async () => {
    await journey.stop();
    await journey.start();
    const { path } = songOf('opus');
    const { id } = (await docs()).get(path) as SongDocument;
    const bytes = await readFile(join(journey.music, path));
    expect((await cli(String(id), 'title=No')).err).toContain('feature.disabled');
    expect((await readFile(join(journey.music, path))).equals(bytes)).toBe(true);
  });
});
