import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOW_MS } from '../../../test/servers/compat-server.js';
import { CompatWorld, firstSongBytes } from '../../../test/servers/compat-world.js';

let world: CompatWorld;

beforeAll(async () => {
  world = await CompatWorld.start();
});
afterAll(() => world.stop());

describe('plays', () => {
  const recorded = () => world.server.commands.sent.filter(({ subject }) => subject === 'cmd.playback.record-plays').at(-1)?.message.data;

  it('are recorded at the times that belong to them', async () => {
    await world.ask('scrobble', { id: ['so-1', 'so-3', 'so-2'], time: ['1714550000000', 'never'] }, 'bob');
    expect(recorded()).toEqual({
      userId: 3,
      client: 'test',
      plays: [
        { songId: 1, playedAtMs: 1_714_550_000_000, durationMs: 181_400 },
        { songId: 3, playedAtMs: NOW_MS, durationMs: expect.any(Number) },
        { songId: 2, playedAtMs: NOW_MS, durationMs: expect.any(Number) },
      ],
    });
  });

  it.each([
    ['to come', NOW_MS + 86_400_000, NOW_MS],
    ['of a clock that stands at 0', 0, NOW_MS],
    ['before everything', -5, NOW_MS],
    ['in seconds', 1_714_550_000, 1_714_550_000_000],
    ['in seconds to come', 1_914_550_000, NOW_MS],
  ])('take a time %s for what it can mean', async (_, time, playedAtMs) => {
    await world.ask('scrobble', { id: 'so-1', time });
    expect(recorded()).toMatchObject({ plays: [{ playedAtMs }] });
  });

  it('are not counted by what is only playing now, nor by a stream', async () => {
    const before = world.server.commands.sent.length;
    expect((await world.ask('scrobble', { id: 'so-1', submission: false })).status).toBe('ok');
    await world.server.call('stream', { id: 'so-1' });
    expect(world.server.commands.sent).toHaveLength(before + 1);
    const { subject, message } = world.server.commands.sent.at(-1) ?? {};
    expect(subject).toBe('cmd.playback.start-playback');
    expect(message?.data).toMatchObject({ userId: 1, client: 'test', objectId: 1, startedAtMs: NOW_MS, isNow: true });
    expect(message?.data).not.toHaveProperty('play');
  });

  it('of nothing are refused', async () => {
    expect(await world.codeOf('scrobble', {})).toBe(10);
    expect(await world.codeOf('scrobble', { id: 'so-999' })).toBe(70);
    expect(await world.codeOf('scrobble', { id: 'al-1' })).toBe(70);
  });
});

describe('media', () => {
  it('are sent whole, in part, as headers alone, and not again when they are the same', async () => {
    const whole = await world.server.call('stream', { id: 'so-1' });
    expect(whole).toMatchObject({
      status: 200,
      type: 'audio/flac',
      body: firstSongBytes.toString(),
      headers: expect.objectContaining({ 'accept-ranges': 'bytes', 'content-length': '1000' }),
    });
    const url = '/rest/stream.view?u=ada&p=secret&v=1.16.1&c=x&id=so-1';
    const part = await world.server.app.inject({ url, headers: { range: 'bytes=10-14' } });
    expect(part).toMatchObject({ statusCode: 206, body: '01234' });
    expect(part.headers['content-range']).toBe('bytes 10-14/1000');
    expect((await world.server.app.inject({ url, headers: { range: 'bytes=5000-' } })).statusCode).toBe(416);
    const head = await world.server.app.inject({ url, method: 'HEAD' });
    expect(head).toMatchObject({ statusCode: 200, body: '' });
    expect(head.headers['content-length']).toBe('1000');
    expect((await world.server.app.inject({ url, headers: { 'if-none-match': String(whole.headers['etag']) } })).statusCode).toBe(304);
  });

  it('can be downloaded under a name', async () => {
    const { headers } = await world.server.call('download', { id: 'so-1' });
    expect(headers['content-disposition']).toMatch(/^attachment; filename="The Harbour Lights - Opening .*\.flac"/);
  });

  it('whose file is gone are not found, in an envelope without the headers of bytes', async () => {
    const { type, body, headers } = await world.server.call('stream', { id: 'so-2' });
    expect(type).toBe('text/xml; charset=UTF-8');
    expect(body).toContain('code="70"');
    expect(headers['accept-ranges']).toBeUndefined();
  });
});

describe('cover art', () => {
  it('is found under the id of an album, a song or a folder, with a second prefix too, and fits the wanted size', async () => {
    const picture = await sharp({ create: { width: 300, height: 150, channels: 3, background: '#336699' } })
      .png()
      .toBuffer();
    const hash = await world.server.artStore.put(picture);
    expect(hash).toBe(createHash('sha256').update(picture).digest('hex'));
    await world.model.write
      .insertInto('library.art')
      .values({ hash, mime: 'image/png', size_bytes: picture.length, width_px: 300, height_px: 150 })
      .execute();
    await world.model.write.updateTable('library.album').set({ art_hash: hash }).where('id', '=', 1).execute();
    await world.model.write.updateTable('library.folder').set({ art_hash: hash }).where('id', '=', 3).execute();
    for (const id of ['al-1', 'so-1', 'fo-3', 'al-al-1', '1']) {
      const { status, type, headers } = await world.server.call('getCoverArt', { id });
      expect({ id, status, type, length: headers['content-length'] }).toEqual({
        id,
        status: 200,
        type: 'image/png',
        length: String(picture.length),
      });
    }
    const url = '/rest/getCoverArt?u=ada&p=secret&v=1.16.1&c=x&id=al-1&size=60';
    const small = await sharp((await world.server.app.inject({ url })).rawPayload).metadata();
    expect(small).toMatchObject({ width: 60, height: 30 });
  });

  it('that is missing is a picture that says so, in the wanted size, and asked for again soon', async () => {
    for (const id of ['al-2', 'al-al-2', 'so-3', 'ar-1', 'fo-1']) {
      const { status, type, headers } = await world.server.call('getCoverArt', { id });
      expect([id, status, type, headers['cache-control']]).toEqual([id, 200, 'image/png', 'private, max-age=300']);
    }
    const sides = [];
    for (const size of ['0', '-5', '64', '4000']) {
      const url = `/rest/getCoverArt?u=ada&p=secret&v=1.16.1&c=x&id=al-2&size=${size}`;
      const { width, height } = await sharp((await world.server.app.inject({ url })).rawPayload).metadata();
      sides.push([width, height]);
    }
    expect(sides).toEqual([256, 256, 64, 256].map((side) => [side, side]));
  });

  it('whose file is lost is the same picture', async () => {
    const lost = 'f'.repeat(64);
    await world.model.write
      .insertInto('library.art')
      .values({ hash: lost, mime: 'image/png', size_bytes: 1, width_px: 1, height_px: 1 })
      .execute();
    await world.model.write.updateTable('library.album').set({ art_hash: lost }).where('id', '=', 2).execute();
    const [gone, none] = [await world.server.call('getCoverArt', { id: 'al-2' }), await world.server.call('getCoverArt', { id: 'ar-1' })];
    expect([gone.status, gone.type, gone.body === none.body]).toEqual([200, 'image/png', true]);
  });

  it('of what does not exist is an envelope', async () => {
    for (const id of ['al-999', 'so-999', 'ar-999', 'fo-999', 'pl-999', 'zzz']) expect(await world.codeOf('getCoverArt', { id })).toBe(70);
  });
});
