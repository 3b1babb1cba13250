import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { create } from 'xmlbuilder2';
import { goldenPath } from '../testkit/golden.js';
import { testAccounts } from '../testkit/test-gateway.js';
import { cases } from './documents/cases.js';
import { DocumentWorld, SHA } from './documents/document-world.fixture.js';

let world: DocumentWorld;

beforeAll(async () => {
  world = await DocumentWorld.start();
});
afterAll(() => world.stop());

const forms = [
  ...([8, 6, 5, 4] as const).flatMap((version) => (['json', 'xml'] as const).map((format) => ({ version, format }))),
  // Version 3 has no JSON of its own.
  { version: 3, format: 'xml' },
] as const;

describe.each(forms)('version $version', ({ version, format }) => {
  describe(`in ${format}`, () => {
    it.each(Object.entries(cases))('%s', async (name, query) => {
      const body = await world.call(version, format, query);
      // Both forms must be readable whatever the fixtures hold.
      if (format === 'json') JSON.parse(body);
      else create(body);
      await expect(body).toMatchFileSnapshot(goldenPath(`native/${version}/${format}/${name}.${format}`));
    });
    it.each([
      ['ping (no auth)', 'action=ping'],
      ['error-4701', 'action=songs'],
    ])('%s', async (name, query) => {
      await expect(await world.call(version, format, query, '')).toMatchFileSnapshot(
        goldenPath(`native/${version}/${format}/${name}.${format}`),
      );
    });
    it.each([
      ['error-4742', 'action=catalog_add&name=x&path=/x'],
      ['localplay (access)', 'action=localplay&command=stop'],
      ['localplay_songs (access)', 'action=localplay_songs'],
      ['user (other)', 'action=user&filter=admin'],
      ['playlists (other)', 'action=playlists'],
      ['playlist (private)', 'action=playlist&filter=2'],
      ['smartlists (other)', 'action=smartlists'],
      ['smartlist (private)', 'action=smartlist&filter=2'],
      ['smartlist_songs (private)', 'action=smartlist_songs&filter=2'],
      ['smartlist_delete (access)', 'action=smartlist_delete&filter=1'],
      ['smartlist_edit (access)', 'action=playlist_edit&filter=smart_1&name=Theirs'],
      ['collections (other)', 'action=collections'],
      ['collection (private)', 'action=collection&filter=2'],
      ['collection_delete (access)', 'action=collection_delete&filter=1'],
      ['collection_edit (collaborator)', 'action=collection_edit&filter=1&items=song:1&tracks=1'],
      ['playlist_folder (other)', 'action=playlist_folder&filter=2'],
      ['playlist_delete (access)', 'action=playlist_delete&filter=1'],
      ['playlist_edit (collaborator)', 'action=playlist_edit&filter=1&name=Theirs'],
      ['live_stream_create (access)', 'action=live_stream_create&catalog=1&codec=mp3&name=x&url=http%3A%2F%2Fa.example'],
      ['live_stream_delete (access)', 'action=live_stream_delete&filter=1'],
      ['user_create (access)', `action=user_create&username=new&password=${SHA}&email=new%40example.org`],
    ])('%s', async (name, query) => {
      const body = await world.call(version, format, query, testAccounts.listener.token);
      await expect(body).toMatchFileSnapshot(goldenPath(`native/${version}/${format}/${name}.${format}`));
    });
  });
});
