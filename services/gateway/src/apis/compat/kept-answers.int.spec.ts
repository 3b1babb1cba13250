import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CompatWorld, names } from '../../../test/servers/compat-world.js';
import { AnswerCache } from './answer-cache.js';

let world: CompatWorld;
let position = 1;

beforeAll(async () => {
  world = await CompatWorld.start();
});
afterAll(() => world.stop());

const moveTo = async (to: number, projection = 'library-catalogue'): Promise<void> => {
  await sql`update chassis.projection_checkpoint set position = ${to} where name = ${projection} and state = 'live'`.execute(
    world.model.write,
  );
};
const rename = async (name: string): Promise<void> => {
  await world.model.write.updateTable('library.album').set({ name }).where('id', '=', 1).execute();
};
const albums = async (params = {}): Promise<unknown[]> =>
  names((await world.ask('getAlbumList2', { type: 'alphabeticalByName', ...params })).albumList2.album);

describe('kept lists', () => {
  let before: string;
  beforeEach(async () => {
    position += 1;
    await moveTo(position);
    before = (await world.model.read.selectFrom('library.album').select('name').where('id', '=', 1).executeTakeFirstOrThrow()).name;
    return () => rename(before);
  });

  it('are answered again as they are until a projection that they are read from moves on', async () => {
    const first = await albums();
    expect(first).toContain(before);
    await rename('Anew');
    expect(await albums()).toEqual(first);
    await moveTo(1, 'playback-plays');
    expect(await albums()).toContain('Anew');
    await moveTo(0, 'playback-plays');
  });

  it('are kept by parameters, format and viewer', async () => {
    await albums();
    await rename('Anew');
    expect(await albums({ size: 50 })).toContain('Anew');
    expect(await albums()).toContain(before);
    expect((await world.server.call('getAlbumList2', { type: 'alphabeticalByName', f: 'xml' })).body).toContain('Anew');
  });

  it('are read anew where they are another one each time', async () => {
    await world.ask('getAlbumList2', { type: 'random', size: 500 });
    await rename('Anew');
    expect(names((await world.ask('getAlbumList2', { type: 'random', size: 500 })).albumList2.album)).toContain('Anew');
  });

  it('of artists are kept, too', async () => {
    const artists = async () =>
      (await world.ask('getArtists')).artists.index.flatMap((letter: { artist: { name: string }[] }) => names(letter.artist));
    const first = await artists();
    const { id, name } = await world.model.read
      .selectFrom('library.artist')
      .select(['id', 'name'])
      .where('name', '=', String(first[0]))
      .executeTakeFirstOrThrow();
    await world.model.write.updateTable('library.artist').set({ name: 'Somebody' }).where('id', '=', id).execute();
    expect(await artists()).toEqual(first);
    await moveTo(position + 100);
    expect(await artists()).toContain('Somebody');
    await world.model.write.updateTable('library.artist').set({ name }).where('id', '=', id).execute();
    await moveTo(position);
  });
});

describe('the cache', () => {
  const lookUp = async (cache: AnswerCache, key: string) => {
    const found = await cache.find(key);
    return 'body' in found ? String(found.body) : found;
  };
  const keep = async (cache: AnswerCache, key: string, body: string): Promise<void> => {
    const found = await lookUp(cache, key);
    if (typeof found !== 'string') found.keep(Buffer.from(body));
  };

  it('keeps what was made for the version before under that version only', async () => {
    const cache = new AnswerCache(world.model.read);
    const found = await lookUp(cache, 'a');
    await moveTo(++position);
    if (typeof found !== 'string') found.keep(Buffer.from('old'));
    expect(await lookUp(cache, 'a')).not.toBe('old');
  });

  it('keeps no answer that is too long, and lets go of the longest unused ones', async () => {
    const cache = new AnswerCache(world.model.read);
    await keep(cache, 'long', 'x'.repeat(6 * 1024 * 1024 + 1));
    expect(await lookUp(cache, 'long')).toHaveProperty('keep');
    for (let number = 0; number < 10; number += 1) await keep(cache, `k${number}`, 'x'.repeat(1024 * 1024));
    expect(await lookUp(cache, 'k0')).toHaveProperty('keep');
    expect(await lookUp(cache, 'k9')).toHaveLength(1024 * 1024);
  });

  it('keeps nothing of a catalogue to which no event was applied', async () => {
    await moveTo(0);
    const cache = new AnswerCache(world.model.read);
    await keep(cache, 'a', 'body');
    expect(await lookUp(cache, 'a')).toHaveProperty('maxBytes', 0);
    await moveTo(position);
  });
});
