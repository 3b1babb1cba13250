import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MeilisearchDouble } from '@continuo/local-servers/meilisearch';
import type { SearchDocument } from '../../search-document.js';
import { SearchUnavailable, type SearchCheckpoint, type SearchRequest } from '../../search-index.js';
import type { MeilisearchOptions } from './meilisearch-connection.js';
import { MeilisearchIndexWriter } from './meilisearch-index-writer.js';
import { MeilisearchSearchIndex } from './meilisearch-search-index.js';

const song = (id: number, name = `Tune ${id}`): SearchDocument => ({
  kind: 'song',
  id,
  name,
  catalogIds: [1],
  foundBy: 'everybody',
  popularity: 0,
});
const at = (position: number): SearchCheckpoint => ({ epoch: 'first', position, version: 1 });
const tune: SearchRequest = { text: 'tune', pages: { song: { offset: 0, limit: 10 } }, catalogs: 'all', viewerId: null };

describe('Meilisearch in trouble', () => {
  let double: MeilisearchDouble;
  const options = (changes: Partial<MeilisearchOptions> = {}): MeilisearchOptions => ({
    url: double.url,
    key: double.key,
    prefix: 'spec',
    retries: 1,
    searchTimeoutMs: 300,
    requestTimeoutMs: 1000,
    taskTimeoutMs: 300,
    ...changes,
  });
  const writerWith = (changes?: Partial<MeilisearchOptions>): MeilisearchIndexWriter => new MeilisearchIndexWriter(options(changes));
  const found = async (changes?: Partial<MeilisearchOptions>) =>
    (await new MeilisearchSearchIndex(options(changes)).search(tune)).song?.ids;
  const fill = async (writer: MeilisearchIndexWriter, documents: readonly SearchDocument[]): Promise<void> => {
    const rebuild = await writer.beginRebuild();
    await rebuild.write({ upserts: documents });
    await rebuild.swap(at(1));
  };

  beforeEach(async () => {
    double = await MeilisearchDouble.start();
  });
  afterEach(async () => {
    await double.stop();
    const [refused] = double.refusals;
    if (refused !== undefined) throw new Error(`the adapter asked for what the server refuses: ${refused}`);
  });

  it('is unavailable while nothing listens, and works again afterwards', async () => {
    await fill(writerWith(), [song(1)]);
    await double.down();
    await expect(writerWith().prepare()).rejects.toThrow(SearchUnavailable);
    await expect(writerWith().apply({ upserts: [song(2)] }, at(2))).rejects.toThrow(SearchUnavailable);
    await expect(found()).rejects.toThrow('does not answer');
    await double.up();
    expect(await found()).toEqual([1]);
    await writerWith().apply({ upserts: [song(2)] }, at(2));
    expect(await found()).toEqual([1, 2]);
  });

  it('says that the key is wrong, without telling it', async () => {
    for (const key of ['another key', undefined]) {
      const refusal = writerWith({ key }).prepare();
      await expect(refusal).rejects.toThrow(/MEILI_KEY/);
      await expect(refusal).rejects.not.toThrow(/another/);
      await expect(found({ key })).rejects.toThrow(SearchUnavailable);
    }
  });

  it('refuses a server that is too old for what is asked of it', async () => {
    double.version = '1.30.2';
    await expect(writerWith().prepare()).rejects.toThrow('Meilisearch 1.30.2 is too old: at least 1.31 is needed');
    double.version = '2.0.0';
    await writerWith().prepare();
  });

  it('gives a search up that takes too long, or that nobody waits for', async () => {
    await fill(writerWith(), [song(1)]);
    double.answerMs = 4000;
    const began = Date.now();
    await expect(found()).rejects.toThrow(SearchUnavailable);
    expect(Date.now() - began).toBeLessThan(3900);
    const leaving = new AbortController();
    const search = new MeilisearchSearchIndex(options()).search({ ...tune, signal: leaving.signal });
    leaving.abort(new Error('gone'));
    await expect(search).rejects.toThrow('gone');
  });

  it('tries again what a proxy refused for the moment, and says in the end that it cannot be read', async () => {
    await fill(writerWith(), [song(1)]);
    double.proxyFaults.push(502, 503);
    await writerWith({ retries: 2 }).apply({ upserts: [song(2)] }, at(2));
    double.proxyFaults.push(200);
    await expect(found()).rejects.toThrow(/cannot be read/);
  });

  it('does not move the checkpoint past a task that failed', async () => {
    const writer = writerWith();
    await fill(writer, [song(1)]);
    double.tasks.pace.failures.push('no_space_left_on_device');
    await expect(writer.apply({ upserts: [song(2)] }, at(2))).rejects.toThrow(/no_space_left_on_device/);
    expect(await writer.checkpoint()).toEqual(at(1));
    await writer.apply({ upserts: [song(2)] }, at(2));
    expect(await writer.checkpoint()).toEqual(at(2));
  });

  it('does not fill the queue of a server that is stuck, however often and from wherever it is tried', async () => {
    await fill(writerWith(), [song(1)]);
    double.tasks.longest = 0;
    double.tasks.pace.isStuck = true;
    for (let tries = 0; tries < 8; tries += 1)
      await expect(writerWith({ taskTimeoutMs: 40, maxQueuedTasks: 3 }).apply({ upserts: [song(2)] }, at(2))).rejects.toThrow(
        SearchUnavailable,
      );
    expect(double.tasks.longest).toBeLessThanOrEqual(3);
    double.tasks.resume();
    await writerWith().apply({ upserts: [song(2)] }, at(2));
    expect(await found()).toEqual([1, 2]);
  });

  it('has few tasks under way while a large index is built', async () => {
    const writer = writerWith({ documentsPerRequest: 10, maxQueuedTasks: 4, taskTimeoutMs: 10_000 });
    const rebuild = await writer.beginRebuild();
    double.tasks.longest = 0;
    for (let part = 0; part < 10; part += 1)
      await rebuild.write({ upserts: Array.from({ length: 100 }, (_, n) => song(part * 100 + n + 1)) });
    await rebuild.swap(at(1));
    expect(double.tasks.longest).toBeLessThanOrEqual(4);
    expect((await writer.counts()).song).toBe(1000);
  });

  it('is built on where it was when the server ends and comes back', async () => {
    const writer = writerWith();
    const rebuild = await writer.beginRebuild();
    await rebuild.write({ upserts: [song(1)] });
    await double.down();
    const written = rebuild.write({ upserts: [song(2)] });
    // Longer than changes of a live index are tried again.
    await delay(1000);
    await double.up();
    await written;
    await rebuild.swap(at(1));
    expect(await found()).toEqual([1, 2]);
  });

  it('is known to be lost when the server comes back empty, and is not made anew by a change', async () => {
    const writer = writerWith();
    await fill(writer, [song(1)]);
    double.loseEverything();
    await expect(found()).rejects.toThrow(/index_not_found/);
    expect(await writer.checkpoint()).toBeUndefined();
    await expect(writer.apply({ upserts: [song(2)] }, at(2))).rejects.toThrow(SearchUnavailable);
    expect([...double.indexes]).toEqual([]);
    expect((await writer.counts()).song).toBe(0);
    await fill(writer, [song(3)]);
    expect(await found()).toEqual([3]);
  });

  it('is to be built anew when a part of it is missing, or when another release wrote it', async () => {
    const writer = writerWith();
    await fill(writer, [song(1)]);
    const albums = double.indexes.get('spec_album');
    double.indexes.delete('spec_album');
    expect(await writer.checkpoint()).toBeUndefined();
    if (albums) double.indexes.set('spec_album', albums);
    expect(await writer.checkpoint()).toEqual(at(1));
    const state = double.indexes.get('spec_state');
    state?.put('1', { ...state.documents.get('1'), form: 0 });
    expect(await writer.checkpoint()).toBeUndefined();
  });

  it('stays as it is when the exchange of indexes fails', async () => {
    const writer = writerWith();
    await fill(writer, [song(1)]);
    const rebuild = await writer.beginRebuild();
    await rebuild.write({ upserts: [song(2)] });
    double.tasks.pace.failures.push('internal');
    await expect(rebuild.swap(at(2))).rejects.toThrow(SearchUnavailable);
    await rebuild.abandon();
    expect(await found()).toEqual([1]);
    expect(await writer.checkpoint()).toEqual(at(1));
    expect([...double.indexes.keys()].filter((uid) => /_r[0-9a-z]+$/.test(uid))).toEqual([]);
  });

  it('leaves nothing behind of rebuilds that died, and the indexes of others alone', async () => {
    const writer = writerWith();
    await fill(writer, [song(1)]);
    for (const prefix of ['other', 'spec_two', 'spec']) await (await writerWith({ prefix }).beginRebuild()).write({ upserts: [song(9)] });
    const uids = (prefix: RegExp) => [...double.indexes.keys()].filter((uid) => prefix.test(uid)).length;
    expect([uids(/^other_/), uids(/^spec_two_/), uids(/^spec_(?!two)/)]).toEqual([6, 6, 12]);
    await fill(writer, [song(2)]);
    expect([uids(/^other_/), uids(/^spec_two_/), uids(/^spec_(?!two)/)]).toEqual([6, 6, 6]);
  });

  it('never passes on what a search could mean in the language of the server', async () => {
    await fill(writerWith(), [song(1, 'Blink 182'), song(2, 'Blink')]);
    const ask = async (text: string) => (await new MeilisearchSearchIndex(options()).search({ ...tune, text })).song?.ids;
    expect(await ask('blink -182')).toEqual([1]);
    expect(await ask('"blink" "182"')).toEqual([1]);
    expect(await ask('\ud800blink\u0000')).toEqual([2, 1]);
  });
});
