import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manageClient } from '../../../test/manage/manage-client.js';
import { seedFixtureLibrary, type FixtureSong } from '../../../test/library/fixture-library.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { startTestGateway, testAccounts, type TestGateway } from '../../../test/servers/test-gateway.js';

const song = (title: string, more: Partial<FixtureSong> = {}): FixtureSong => ({
  title,
  album: 'Whole',
  artists: ['Nia'],
  albumArtists: ['Nia'],
  folder: 'Nia/Whole',
  fileName: `${title}.flac`,
  doc: { artHash: 'a'.repeat(64) },
  ...more,
});

const library: readonly FixtureSong[] = [
  song('One'),
  song('Two', { doc: {} }),
  song('Split A', { album: 'Torn', folder: 'Torn', albumArtists: ['Ann'] }),
  song('Split B', { album: 'torn', folder: 'Torn', albumArtists: ['Bob'] }),
  song('Elsewhere', { album: 'Torn', folder: 'Cid/Torn', albumArtists: ['Cid'] }),
  song('Best A', { album: 'Best of', folder: 'Ann/Best', albumArtists: ['Ann'] }),
  song('Best B', { album: 'Best of', folder: 'Bob/Best', albumArtists: ['Bob'] }),
  song('Bare', { album: 'Bare', folder: 'Bare', doc: {} }),
  song('And', { artists: ['Salt & Sea'] }),
  song('And too', { artists: ['Salt and Sea!'] }),
  song('Not', { artists: ['Salt Sea'] }),
  song('Кот', { artists: ['Кот'] }),
  song('Пёс', { artists: ['Пёс'] }),
  song('Whole file', { fileName: 'disc.flac/01' }),
  song('Same file', { fileName: 'disc.flac/02' }),
];

interface Listed {
  readonly items: { readonly name: string; readonly objects: { readonly name: string; readonly detail: string }[] }[];
  readonly nextCursor: string | null;
}

describe('what may want care', () => {
  let model: TestReadModel;
  let gateway: TestGateway;
  let call: ReturnType<typeof manageClient>;
  beforeAll(async () => {
    model = await testReadModel();
    await seedFixtureLibrary(model.write, library);
    const print = async (text: string, titles: readonly string[]): Promise<void> => {
      await model.write.updateTable('library.song').set({ sound_print: text }).where('title', 'in', titles).execute();
    };
    await print('p1', ['One', 'Two', 'Not']);
    await model.write.updateTable('library.song').set({ duration_ms: 7 }).where('title', '=', 'Not').execute();
    await print('p2', ['Whole file', 'Same file']);
    await print('p3', ['Best A', 'Best B']);
    await print('p4', ['Bare']);
    const { id: folder_id } = await model.write
      .selectFrom('library.folder')
      .select('id')
      .where('path', '=', 'Torn')
      .executeTakeFirstOrThrow();
    const file = { folder_id, kind: 'skipped', size_bytes: 1, mtime_ms: 1, song_id: null, skip_message: 'worn out' } as const;
    const skipped = { 'a.mp3': 'damaged', 'b.mp3': 'unreadable', 'c.mp3': 'damaged' };
    await model.write
      .insertInto('library.file')
      .values(Object.entries(skipped).map(([name, skip_reason]) => ({ ...file, name, skip_reason })))
      .execute();
    gateway = await startTestGateway(model.read);
    call = manageClient(gateway.app);
  });
  afterAll(async () => {
    await gateway.stop();
    await model.close();
  });

  const listed = async (query: string, token?: string): Promise<Listed> =>
    (await call('GET', `/findings/${query}`, token === undefined ? {} : { token })).body as Listed;
  const found = async (kind: string): Promise<string[][]> =>
    (await listed(kind)).items.map(({ objects }) => objects.map(({ name, detail }) => (detail ? `${name}: ${detail}` : name)).toSorted());

  it('are songs of the same sound and length in several files, and not the tracks of one', async () => {
    expect(await found('duplicate-songs')).toEqual([
      ['One: Nia/Whole/One.flac', 'Two: Nia/Whole/Two.flac'],
      ['Best A: Ann/Best/Best A.flac', 'Best B: Bob/Best/Best B.flac'],
    ]);
  });

  it('are albums without a picture', async () => {
    expect(await found('albums-without-art')).toEqual([['Bare: Nia']]);
  });

  it('are albums of one name in one folder, and not those that only share a name', async () => {
    expect(await found('split-albums')).toEqual([['Torn: Ann', 'torn: Bob']]);
  });

  it('are artists whose names differ in punctuation or the word for “and” alone', async () => {
    expect(await found('similar-artists')).toEqual([['Salt & Sea', 'Salt and Sea!']]);
  });

  it('are catalogs with files that scans left out, counted for each reason', async () => {
    const { items } = await listed('skipped-files');
    const catalog = { type: 'catalog', id: 1, name: items[0]?.name };
    expect(items).toMatchObject([
      {
        objects: [
          { ...catalog, detail: 'damaged', filesSkipped: 2 },
          { ...catalog, detail: 'unreadable', filesSkipped: 1 },
        ],
      },
    ]);
  });

  it('come in pages', async () => {
    const first = await listed('duplicate-songs?limit=1');
    expect([first.items.length, first.nextCursor === null]).toEqual([1, false]);
    const second = await listed(`duplicate-songs?limit=1&cursor=${first.nextCursor}`);
    expect([second.items[0]?.objects.length, second.nextCursor]).toEqual([2, null]);
    expect((await call('GET', '/findings/albums-without-art?cursor=ImEi')).status).toBe(400);
  });

  it('are told to administrators, of catalogs that they see', async () => {
    expect(await call('GET', '/findings/split-albums', { token: testAccounts.listener.token })).toMatchObject({ status: 403 });
  });
});
