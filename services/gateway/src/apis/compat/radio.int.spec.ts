import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asking } from '../../../test/servers/compat-asking.js';
import type { CompatServer } from '../../../test/servers/compat-server.js';
import { CompatWorld } from '../../../test/servers/compat-world.js';
import { keepStations, seedStations } from '../../../test/library/station-fixture.js';

let world: CompatWorld;
let { ask, codeOf } = {} as CompatWorld;
let switchedOff: CompatServer;

beforeAll(async () => {
  world = await CompatWorld.start();
  ({ ask, codeOf } = world);
  keepStations(world.server.commands, world.model.write);
  switchedOff = await world.another({ LIVE_STREAM: 'false' });
});
beforeEach(async () => {
  await world.model.write.deleteFrom('library.live_stream').execute();
  await seedStations(world.model.write);
});
afterAll(async () => {
  await switchedOff.app.close();
  await world.stop();
});

interface Station {
  readonly id: string;
  readonly name: string;
  readonly streamUrl: string;
  readonly homePageUrl?: string;
}
const stations = async (): Promise<Station[]> => (await ask('getInternetRadioStations')).internetRadioStations.internetRadioStation;
const station = { name: 'Night', streamUrl: 'https://radio.example/night.opus' };

describe('internet radio', () => {
  it('lists stations by name', async () => {
    expect(await stations()).toEqual([
      {
        id: 'li-1',
        name: 'The <Harbour> & Radio',
        streamUrl: "https://radio.example:8443/harbour?quality=high&name='a'",
        homePageUrl: 'http://radio.example/',
      },
      { id: 'li-2', name: 'Été FM', streamUrl: 'http://fm.example/live.ogg' },
    ]);
  });

  it('is kept by those who look after catalogs', async () => {
    expect((await ask('createInternetRadioStation', { ...station, homepageUrl: 'http://radio.example' }, 'mia')).status).toBe('ok');
    const made = (await stations()).find(({ name }) => name === 'Night');
    expect(made).toEqual({ id: 'li-3', ...station, homePageUrl: 'http://radio.example' });
    const { codec, catalog_id: catalog } = await world.model.read
      .selectFrom('library.live_stream')
      .select(['codec', 'catalog_id'])
      .where('id', '=', 3)
      .executeTakeFirstOrThrow();
    expect([codec, catalog]).toEqual(['opus', 1]);
    const renamed = { ...station, id: 'li-3', name: 'Nights' };
    await ask('updateInternetRadioStation', renamed, 'mia');
    expect((await stations()).find(({ id }) => id === 'li-3')).toEqual({ ...renamed, homePageUrl: 'http://radio.example' });
    await ask('updateInternetRadioStation', { ...renamed, homepageUrl: '' }, 'mia');
    expect((await stations()).find(({ id }) => id === 'li-3')).toEqual(renamed);
    await ask('deleteInternetRadioStation', { id: '3' }, 'mia');
    expect((await stations()).map(({ id }) => id)).toEqual(['li-1', 'li-2']);
  });

  it.each(['createInternetRadioStation', 'updateInternetRadioStation', 'deleteInternetRadioStation'])(
    'refuses the others, and what is missing: %s',
    async (operation) => {
      for (const account of ['bob', 'gus'] as const) expect(await codeOf(operation, { ...station, id: 'li-1' }, account)).toBe(50);
      expect(await codeOf(operation, {})).toBe(10);
      expect(await stations()).toHaveLength(2);
    },
  );

  it('knows no station of another kind of id, or of none', async () => {
    for (const id of ['li-99', 'so-1', 'li-x', '99'])
      for (const operation of ['updateInternetRadioStation', 'deleteInternetRadioStation'])
        expect([operation, id, await codeOf(operation, { ...station, id })]).toEqual([operation, id, 70]);
  });

  it.each(['file:///etc/passwd', 'javascript:alert(1)', 'http://ada:pw@radio.example', 'radio.example'])(
    'takes no address %j',
    async (streamUrl) => {
      expect(await codeOf('createInternetRadioStation', { ...station, streamUrl })).toBe(10);
      expect(await codeOf('updateInternetRadioStation', { ...station, id: 'li-1', streamUrl })).toBe(10);
      expect(await codeOf('createInternetRadioStation', { ...station, homepageUrl: streamUrl })).toBe(10);
      expect((await stations())[0]?.name).toBe('The <Harbour> & Radio');
    },
  );

  it('is empty, and stays so, where it is switched off', async () => {
    const off = asking(() => switchedOff);
    expect((await off.ask('getInternetRadioStations')).internetRadioStations).toEqual({ internetRadioStation: [] });
    expect(await off.codeOf('createInternetRadioStation', station)).toBe(0);
    expect(await off.codeOf('deleteInternetRadioStation', { id: 'li-1' })).toBe(0);
  });

  it('takes ratings and stars', async () => {
    expect((await ask('setRating', { id: 'li-1', rating: 3 })).status).toBe('ok');
    expect((await ask('star', { id: 'li-2' })).status).toBe('ok');
    expect(await codeOf('star', { id: 'li-99' })).toBe(70);
  });
});
