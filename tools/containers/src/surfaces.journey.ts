import { describe, expect, it } from 'vitest';
import { administrator } from './cluster.js';
import { allSongs, patience, type Installation, type Song } from './installation.js';

/** Versions of the native API as clients name them, and the forms that each speaks. */
const nativeVersions = [
  ['390001', ['xml']],
  ['443000', ['xml', 'json']],
  ['5.5.6', ['xml', 'json']],
  ['6.6.0', ['xml', 'json']],
  ['8.0.0', ['xml', 'json']],
] as const;
const bearer = { headers: { authorization: `Bearer ${administrator.apiKey}` } };
const keyed = { apiKey: administrator.apiKey, v: '1.16.1', c: 'containers' };

/** One library, over all surfaces and both gateways. @param installation answers what was installed, once tests run */
export const surfaceJourneys = (installation: () => Installation): void => {
  describe('serve the same library', () => {
    overAllSurfaces(installation);
  });
  describe('go with a client', () => {
    throughTheLibrary(installation);
    toWhatIsShown(installation);
  });
};

const overAllSurfaces = (installation: () => Installation): void => {
  it.each(nativeVersions.flatMap(([version, forms]) => forms.map((form) => [version, form] as const)))(
    'over version %s of the native API as %s',
    async (version, form) => {
      const { client, songs } = installation();
      const auth = await client.handshake(version);
      const text = await (await client.request(`/server/${form}.server.php`, { action: 'songs', auth, limit: '500' })).text();
      const found = form === 'xml' ? text.match(/<song id="/g) : text.match(/"filename":/g);
      expect(found).toHaveLength(songs);
      const refused = await (await client.request(`/server/${form}.server.php`, { action: 'song', auth, filter: '999999' })).text();
      expect(refused).toMatch(/error/);
    },
  );

  it.each(['json', 'xml'])('over the REST form as %s', async (form) => {
    const { client, songs } = installation();
    const text = await (await client.request(`/rest/8/${form}/songs`, { limit: '0' }, bearer)).text();
    expect(text.match(form === 'xml' ? /<song id="/g : /"filename":/g)).toHaveLength(songs);
  });

  it('over the compatibility API as JSON, as XML, and by forms', async () => {
    const { client, songs } = installation();
    expect(await allSongs(client)).toHaveLength(songs);
    const query = { ...keyed, query: '', songCount: '500', artistCount: '0', albumCount: '0' };
    const xml = await (await client.request('/rest/search3.view', query)).text();
    expect(xml).toMatch(/<subsonic-response [^>]*status="ok"/);
    expect(xml.match(/<song /g)).toHaveLength(songs);
    const posted = await client.request('/rest/search3', {}, { method: 'POST', body: new URLSearchParams({ ...query, f: 'json' }) });
    expect((await posted.text()).match(/"isDir":/g)).toHaveLength(songs);
  });
};

const throughTheLibrary = (installation: () => Installation): void => {
  it('from an album to a song that is played and rated', async () => {
    const { client } = installation();
    const { albumList2 } = await client.compat<{ albumList2: { album: { id: string }[] } }>('getAlbumList2', {
      type: 'alphabeticalByName',
    });
    const { album } = await client.compat<{ album: { coverArt?: string; song: Song[] } }>('getAlbum', {
      id: albumList2.album[0]?.id ?? '',
    });
    const song = album.song[0];
    if (!song) throw new Error('the album has no songs');
    await client.compat('setRating', { id: song.id, rating: '4' });
    await client.compat('scrobble', { id: song.id });
    await expect
      .poll(async () => (await client.compat<{ song: Song }>('getSong', { id: song.id })).song, patience)
      .toMatchObject({ userRating: 4, playCount: 1 });
    const native = await client.native<{ playcount: number; rating: number }>('song', { filter: song.id.replace('so-', '') });
    expect(native).toMatchObject({ playcount: 1, rating: 4 });
  });
};

const toWhatIsShown = (installation: () => Installation): void => {
  it('to covers, in the size that is asked for', async () => {
    const { client } = installation();
    const { song } = await client.native<{ song: { id: string; has_art: boolean }[] }>('songs', { limit: '0' });
    const id = song.find((one) => one.has_art)?.id ?? '';
    const cover = await client.request('/rest/getCoverArt', { ...keyed, id: `so-${id}`, size: '64' });
    expect([cover.status, cover.headers.get('content-type')?.split('/')[0]]).toEqual([200, 'image']);
    const art = await client.request('/server/json.server.php', {
      action: 'get_art',
      auth: client.session,
      type: 'song',
      id,
    });
    expect([art.status, art.headers.get('content-type')?.split('/')[0], (await art.arrayBuffer()).byteLength > 100]).toEqual([
      200,
      'image',
      true,
    ]);
  });

  it('to a list that one gateway makes and the other reads', async () => {
    const { client } = installation();
    const ids = (await allSongs(client)).slice(0, 3).map(({ id }) => id.replace('so-', ''));
    const { id } = await client.native<{ id: string }>('playlist_create', { name: 'Three songs', type: 'private' });
    for (const song of ids) await client.native('playlist_add', { filter: id, id: song, type: 'song' });
    const { song } = await client.native<{ song: { id: string }[] }>('playlist_songs', { filter: id });
    expect(song.map((one) => one.id)).toEqual(ids);
  });

  it('to the page of a share, which plays for whoever has its address', async () => {
    const { client, cluster } = installation();
    // One that browsers play as it is; others would be converted on the way.
    const song = (await allSongs(client)).find(({ suffix }) => suffix === 'mp3');
    const share = await client.native<{ public_url: string }>('share_create', {
      type: 'song',
      filter: song?.id.replace('so-', '') ?? '',
    });
    const { pathname, search } = new URL(share.public_url);
    for (const url of cluster.urls) {
      const page = await fetch(`${url}${pathname}${search}`);
      const [, link = ''] = /href="(share\.php\/play\?token=[^"]+)"/.exec(await page.text()) ?? [];
      const part = await fetch(new URL(link, `${url}${pathname}`), { headers: { range: 'bytes=0-99' } });
      expect([page.status, part.status, (await part.arrayBuffer()).byteLength]).toEqual([200, 206, 100]);
    }
    expect((await fetch(`${cluster.urls[0]}${pathname}?id=1&secret=nonsense`)).status).toBe(404);
  });
};
