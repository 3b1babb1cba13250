import { execFile } from 'node:child_process';
import { mkdir, rename, rm, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { SongDocument } from '@continuo/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateCorpus } from '@continuo/media-fixtures';
import { administrator, Journey } from './journey.js';

const run = promisify(execFile);
/** One file of each format whose sound can be told from its tags, by the dialect that wrote it. */
const formats = ['id3v24-mp3', 'flac', 'ogg', 'opus', 'm4a', 'alac', 'ape-wv', 'id3v24-wav', 'id3v24-aiff', 'asf'];

let journey: Journey;

const docs = async (): Promise<Map<string, SongDocument>> => {
  const rows = await journey.server.db.selectFrom('library.song').select('doc').execute();
  return new Map(rows.map(({ doc }) => JSON.parse(doc) as SongDocument).map((doc) => [doc.path, doc]));
};
const find = async (start: string): Promise<SongDocument> => {
  const found = [...(await docs()).values()].find(({ path }) => path.startsWith(start));
  if (!found) throw new Error(`no song at ${start}`);
  return found;
};

/** Writes the same sound with other tags under another name, and takes the old file away. */
const retagged = async (from: string, to: string): Promise<void> => {
  const [source, target] = [join(journey.music, from), join(journey.music, to)];
  await mkdir(dirname(target), { recursive: true });
  const tags = ['-metadata', 'title=Quite another title', '-metadata', `comment=${'x'.repeat(3000)}`];
  await run('ffmpeg', ['-hide_banner', '-loglevel', 'error', '-i', source, '-map', '0:a', '-c', 'copy', ...tags, target]);
  await rm(source);
};

beforeAll(async () => {
  journey = await Journey.prepare();
  const whole = join(journey.folder, 'corpus');
  await generateCorpus(whole);
  // One file of each format: files of one format share their sound here, as no two songs do.
  for (const format of formats) {
    await mkdir(join(journey.music, 'songs'), { recursive: true });
    await rename(join(whole, 'tags', format, 'plain'), join(journey.music, 'songs', format));
  }
  await journey.start();
  await journey.scan();
});
afterAll(() => journey.end());

describe('a file that is moved and changed', () => {
  it.each(formats.filter((format) => !['asf', 'ape-wv', 'id3v24-aiff'].includes(format)))(
    'keeps its id and its rating: %s',
    async (format) => {
      const before = await find(`songs/${format}/`);
      const headers = { authorization: `Bearer ${administrator.apiKey}` };
      await journey.json(
        '/server/json.server.php',
        { action: 'rate', type: 'song', id: String(before.id), rating: '5', version: '8.0.0' },
        { headers },
      );
      const suffix = before.path.slice(before.path.lastIndexOf('.'));
      await retagged(before.path, `elsewhere/${format}/renamed${suffix}`);
      await journey.scan();
      const after = await find(`elsewhere/${format}/`);
      expect(after.id).toBe(before.id);
      const { rating } = await journey.json<{ rating: number | string }>(
        '/server/json.server.php',
        { action: 'song', filter: String(after.id), version: '8.0.0' },
        { headers },
      );
      expect(Number(rating)).toBe(5);
    },
  );

  it.each(['asf', 'ape-wv', 'id3v24-aiff'])('keeps its id when only its time and place change: %s', async (format) => {
    const before = await find(`songs/${format}/`);
    const to = join(journey.music, 'touched', format);
    await mkdir(dirname(to), { recursive: true });
    await rename(join(journey.music, 'songs', format), to);
    await utimes(join(journey.music, before.path.replace('songs/', 'touched/')), 1000, 1000);
    await journey.scan();
    expect((await find(`touched/${format}/`)).id).toBe(before.id);
  });

  it('is a song of its own while the old one is still there', async () => {
    const before = await find('elsewhere/flac/');
    const copy = join(journey.music, 'copied', 'copy.flac');
    await mkdir(dirname(copy), { recursive: true });
    await run('ffmpeg', [
      '-hide_banner',
      '-loglevel',
      'error',
      '-i',
      join(journey.music, before.path),
      '-c',
      'copy',
      '-metadata',
      'title=Copy',
      copy,
    ]);
    await journey.scan();
    const after = await docs();
    expect(after.get(before.path)?.id).toBe(before.id);
    expect(after.get('copied/copy.flac')?.id).not.toBe(before.id);
  });
});
