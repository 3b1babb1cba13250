import {
  addCatalog,
  catalogId,
  changeLiveStream,
  createLiveStream,
  deleteLiveStream,
  removeCatalog,
  type LiveStreamId,
} from '@continuo/contracts';
import { sql } from 'kysely';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RunningLibrary } from '../../test/running-library.js';

let library: RunningLibrary;
let { rows, send, verifyRebuild } = {} as RunningLibrary;
const folders: string[] = [];

beforeAll(async () => {
  library = await RunningLibrary.start();
  ({ rows, send, verifyRebuild } = library);
});
afterAll(async () => {
  await library.stop();
  for (const folder of folders) await rm(folder, { recursive: true });
});

const catalog = async (): Promise<number> => {
  const path = await mkdtemp(join(tmpdir(), 'stations-'));
  folders.push(path);
  return (await send(addCatalog, { name: 'c', path, gatherTypes: 'music' })).result.catalogId;
};
const terms = async () => ({
  catalogId: catalogId.parse(await catalog()),
  name: 'The Été FM',
  url: 'https://radio.example:8000/ete.mp3?quality=high',
  siteUrl: null,
  codec: 'mp3',
});
const row = async (id: LiveStreamId) => (await rows(sql<Record<string, unknown>>`select * from library.live_stream where id = ${id}`))[0];

describe('live streams', () => {
  it('are made, changed and ended', async () => {
    const made = await terms();
    const { liveStreamId: id } = (await send(createLiveStream, made)).result;
    expect(await row(id)).toMatchObject({ name: 'The Été FM', name_sort: 'ete fm', url: made.url, site_url: null, codec: 'mp3' });
    await send(changeLiveStream, { liveStreamId: id, siteUrl: 'http://radio.example', name: 'Other', codec: null });
    expect(await row(id)).toMatchObject({
      name: 'Other',
      name_sort: 'other',
      url: made.url,
      site_url: 'http://radio.example',
      codec: null,
    });
    const before = await row(id);
    await send(changeLiveStream, { liveStreamId: id, name: 'Other' });
    expect(await row(id)).toEqual(before);
    await send(deleteLiveStream, { liveStreamId: id });
    await send(deleteLiveStream, { liveStreamId: id });
    expect(await row(id)).toBeUndefined();
    await expect(send(changeLiveStream, { liveStreamId: id, name: 'x' })).rejects.toMatchObject({ code: 'live-stream.not-found' });
    expect((await send(createLiveStream, made)).result.liveStreamId).toBeGreaterThan(id);
  });

  it('move from catalog to catalog, and go with theirs', async () => {
    const first = await terms();
    const second = catalogId.parse(await catalog());
    const { liveStreamId: stays } = (await send(createLiveStream, first)).result;
    const { liveStreamId: goes } = (await send(createLiveStream, first)).result;
    await send(changeLiveStream, { liveStreamId: stays, catalogId: second });
    await send(removeCatalog, { catalogId: first.catalogId });
    expect([(await row(stays))?.['catalog_id'], await row(goes)]).toEqual([second, undefined]);
    const { liveStreamId: late } = (await send(createLiveStream, first)).result;
    await send(changeLiveStream, { liveStreamId: stays, catalogId: first.catalogId });
    expect([await row(late), await row(stays)]).toEqual([undefined, undefined]);
  });

  it.each([
    'ftp://radio.example/a',
    'javascript:alert(1)',
    'http://ada:secret@radio.example/a',
    'http://radio.example/a b',
    'http://radio.example/\na',
    `http://radio.example/${'a'.repeat(2000)}`,
    'http://',
    'radio.example/a',
  ])('have no address like %j', async (url) => {
    await expect(send(createLiveStream, { ...(await terms()), url })).rejects.toMatchObject({ code: 'input.invalid' });
  });

  it('come out of a rebuild as they were', async () => {
    await verifyRebuild();
  });
});
