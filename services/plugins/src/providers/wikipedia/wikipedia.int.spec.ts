import { describe, expect, it } from 'vitest';
import { provider } from '../../../test/providers/provider.js';

const start = provider('wikipedia', ['url', 'dataUrl']);
const ADA = '11111111-1111-4111-8111-111111111111';
const path = '/w/api.php';
const band = {
  pageid: 1,
  ns: 0,
  title: 'The Engines (band)',
  extract: 'The Engines were a group of three.',
  fullurl: 'https://en.wikipedia.example/wiki/The_Engines_(band)',
  description: 'English pop band',
  original: { source: 'https://upload.example/engines.jpg', width: 800, height: 600 },
};
const facts = {
  summary: 'The Engines were a group of three.',
  url: 'https://en.wikipedia.example/wiki/The_Engines_(band)',
  pictureUrl: 'https://upload.example/engines.jpg',
  attribution: 'Wikipedia, CC BY-SA 4.0',
};
const byName = { path, query: { action: 'query', titles: 'The Engines (band)|The Engines (musician)|The Engines (singer)|The Engines' } };

describe('Wikipedia', () => {
  it('tells of artists whose page Wikidata knows, in the wanted language', async () => {
    const { ask, service } = await start([
      { path, query: { list: 'search', srsearch: `haswbstatement:P434=${ADA}` }, json: { query: { search: [{ ns: 0, title: 'Q42' }] } } },
      {
        path,
        query: { action: 'wbgetentities', ids: 'Q42', sitefilter: 'dewiki' },
        json: { entities: { Q42: { sitelinks: { dewiki: { site: 'dewiki', title: 'Die Maschinen' } } } } },
      },
      {
        path,
        query: { titles: 'Die Maschinen' },
        json: { query: { pages: [{ ...band, title: 'Die Maschinen', description: undefined }] } },
      },
    ]);
    expect(await ask('metadata', 'artist', { name: 'The Engines', mbid: ADA, language: 'de-DE' })).toEqual(facts);
    expect(service.asked).toHaveLength(3);
  });

  it('tells of artists by name, when the page is about music', async () => {
    const pages = [
      { title: 'The Engines', pageprops: { disambiguation: '' }, extract: 'The Engines may mean:' },
      { title: 'The Engines (musician)', missing: true },
      { title: 'The Engines (singer)', description: 'Village in Kent', extract: 'A village.' },
      band,
    ];
    const { ask } = await start([{ ...byName, json: { query: { pages } } }]);
    expect(await ask('metadata', 'artist', { name: 'The Engines' })).toEqual(facts);
    expect(await ask('art', 'artist', { name: 'The Engines' })).toEqual([{ url: 'https://upload.example/engines.jpg', kind: 'artist' }]);
  });

  it.each([
    ['about another thing', [{ ...band, title: 'The Engines', description: 'Machines' }]],
    ['of another name', [{ ...band, title: 'Steam' }]],
    ['that is missing', [{ title: 'The Engines', missing: true }]],
  ])('tells nothing by a page %s', async (_, pages) => {
    const { ask } = await start([{ ...byName, json: { query: { pages } } }]);
    expect(await ask('metadata', 'artist', { name: 'The Engines' })).toBeUndefined();
  });

  it('tells of albums of the same artist', async () => {
    const page = (description: string) => ({ ...band, title: 'Difference (album)', description });
    const query = { titles: 'Difference (Ada album)|Difference (Ada EP)|Difference (album)|Difference' };
    const right = await start([{ path, query, json: { query: { pages: [page('2001 studio album by Ada')] } } }]);
    expect(await right.ask('metadata', 'album', { name: 'Difference', artist: 'Ada' })).toEqual(facts);
    expect(await right.ask('metadata', 'album', { name: 'Difference' })).toBeUndefined();
    const wrong = await start([{ path, query, json: { query: { pages: [page('2001 studio album by Mary')] } } }]);
    expect(await wrong.ask('metadata', 'album', { name: 'Difference', artist: 'Ada' })).toBeUndefined();
  });

  it('escapes characters that would name several titles', async () => {
    const { ask, service } = await start([]);
    expect(await ask('metadata', 'artist', { name: 'a|b' })).toBeUndefined();
    expect(service.asked).toEqual([]);
  });
});
