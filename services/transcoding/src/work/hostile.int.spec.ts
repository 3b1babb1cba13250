import { copyFile, mkdtemp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTone, sourceIn } from '../../test/media.js';
import { testTranscoder, type TestTranscoder } from '../../test/test-transcoder.js';

let home: string;
let catalog: string;
let one: TestTranscoder;
let web: Server;
let webUrl: string;
let asked = 0;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'continuo-hostile-'));
  catalog = join(home, 'music');
  await mkdir(catalog);
  await Promise.all([makeTone(catalog, 'tone.mp3', 3), makeTone(home, 'secret.mp3', 3)]);
  one = await testTranscoder();
  web = createServer((_, response) => {
    asked += 1;
    response.end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => web.once('listening', resolve));
  webUrl = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await one.stop();
  web.close();
  await rm(home, { recursive: true, force: true });
});

const heard = async (name: string): Promise<number> => {
  const request = await one.look(await sourceIn(catalog, name, 3));
  await one.transcoder.begin(request);
  const found = await one.transcoder.listen(request.key);
  return (await buffer(found!.body)).length;
};

describe('names of files', () => {
  it.each([
    '-i.mp3',
    '--help',
    '-version.mp3',
    'with "quotes" and \'others\'.mp3',
    'new\nline.mp3',
    '100%d%s%20.mp3',
    'a:b.mp3',
    'concat:a.mp3|b.mp3',
    'http:host.mp3',
    'file:x.mp3',
    'pipe:0',
    'data:text',
    '$(touch owned).mp3',
    '; touch owned;.mp3',
    'back\\slash.mp3',
    'stars*?[a].mp3',
    'ünï©ødé 音楽 \u{1f3b5}.mp3',
    'tab\tand bell\u0007.mp3',
    `${'l'.repeat(240)}.mp3`,
    '%03d.mp3',
    ' leading and trailing .mp3 ',
  ])('mean nothing but a file: %j', async (name) => {
    await copyFile(join(catalog, 'tone.mp3'), join(catalog, name));
    expect(await heard(name)).toBeGreaterThan(10_000);
  });
});

describe('texts that call themselves music', () => {
  const playlists: Record<string, () => string> = {
    'hls list': () => `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n${webUrl}/a.ts\n#EXT-X-ENDLIST\n`,
    'hls list of local files': () => `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile://${home}/secret.mp3\n#EXT-X-ENDLIST\n`,
    ffconcat: () => `ffconcat version 1.0\nfile '${home}/secret.mp3'\n`,
    m3u8: () => `#EXTM3U\n${home}/secret.mp3\n`,
    pls: () => `[playlist]\nFile1=${webUrl}/x.mp3\nNumberOfEntries=1\n`,
    sdp: () => `v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\nm=audio 5004 RTP/AVP 0\n`,
    'dash manifest': () =>
      `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" mediaPresentationDuration="PT3S"><Period><AdaptationSet mimeType="audio/mp4">` +
      `<Representation id="1"><BaseURL>${webUrl}/a.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>`,
    ffmetadata: () => ';FFMETADATA1\ntitle=x\n',
    subtitles: () => '1\n00:00:00,000 --> 00:00:02,000\nHello\n',
    svg: () => `<svg xmlns="http://www.w3.org/2000/svg"><image href="${webUrl}/x.png"/></svg>`,
  };

  it.each(Object.keys(playlists).flatMap((kind) => ['mp3', 'm4a', 'ogg', 'ts'].map((ending) => [kind, ending] as const)))(
    'are refused without a look at what they name: %s as .%s',
    async (kind, ending) => {
      const name = `${kind}.${ending}`;
      await writeFile(join(catalog, name), playlists[kind]!());
      await expect(heard(name)).rejects.toMatchObject({ code: 'transcode.failed' });
      expect(asked).toBe(0);
    },
  );

  it('tell their asker nothing of the machine', async () => {
    await writeFile(join(catalog, 'bad.mp3'), 'nothing at all');
    const refusal: unknown = await heard('bad.mp3').catch((error: unknown) => error);
    expect(String(refusal)).not.toContain(home);
  });
});

it.each(['#EXTM3U\n', 'ffconcat version 1.0\nfile secret.ass\n'])('nor do they as subtitles of a film: %j', async (text) => {
  await writeFile(join(catalog, 'film.srt'), text);
  const source = await sourceIn(catalog, 'tone.mp3', 3);
  const picture = { maxWidthPx: 64, maxHeightPx: 64, bitrateKbps: 100 };
  const captionFile = { path: 'film.srt', encoding: 'unicode' } as const;
  await expect(one.look(source, { format: 'mp4', picture, captionFile })).rejects.toMatchObject({ code: 'transcode.failed' });
  await expect(one.look(source, { format: 'mp4', picture, captionFile: { ...captionFile, path: '../secret.srt' } })).rejects.toMatchObject({
    code: 'media.not-found',
  });
});

it('links lead nowhere outside of the catalog', async () => {
  await symlink(join(home, 'secret.mp3'), join(catalog, 'link.mp3'));
  await symlink(home, join(catalog, 'way-out'));
  const source = await sourceIn(catalog, 'tone.mp3', 3);
  for (const path of ['link.mp3', 'way-out/secret.mp3', '../secret.mp3', '../music2/x.mp3', 'x\0.mp3'])
    await expect(one.look({ ...source, path })).rejects.toMatchObject({ code: 'media.not-found' });
});
