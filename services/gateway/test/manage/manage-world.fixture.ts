import type { CommandClient } from '@continuo/chassis';
import { transcodeProfile, type ReadModel } from '@continuo/contracts';
import type { Kysely } from 'kysely';
import { seedFixtureLibrary } from '../library/fixture-library.js';
import { fixtureSongs } from '../library/fixture-songs.js';
import { insertPlaylist } from '../library/playlist-fixture.js';
import { insertPodcast } from '../library/podcast-fixture.js';
import { insertSmartlist } from '../library/smartlist-fixture.js';
import { seedTestAccounts, TEST_NOW_MS } from '../servers/test-gateway.js';
import { exampleOf } from './example-input.js';

/** Answers every command with an example of its result, and changes nothing. */
export const exampleCommands: CommandClient = {
  send: async (command) => ({ result: command.result.parse(exampleOf(command.result)) as never, positions: [] }),
};

/** Fills a read model with one thing of each kind that the management API names: those with numbers are number 1, the others are called `a`. */
export const seedManaged = async (db: Kysely<ReadModel>): Promise<void> => {
  await seedFixtureLibrary(db, fixtureSongs);
  await seedTestAccounts(db);
  await insertPodcast(db, { id: 1, title: 'Podcast', catalog_id: 1 });
  await insertPlaylist(db, { id: 1, name: 'Playlist' }, [1]);
  const playlistFile = {
    catalog_id: 1,
    path: 'list.m3u',
    digest: 'a',
    size_bytes: 1,
    mtime_ms: 1,
    outcome: 'imported',
    revision: 1,
  } as const;
  await db
    .insertInto('ingestion.playlist_file')
    .values({ ...playlistFile, playlist_id: 1, entry_count: 1, song_count: 1, message: null, unmatched: '[]', updated_at_ms: 1 })
    .execute();
  await insertSmartlist(db, { id: 1, name: 'Smartlist' }, [['title', 'contain', 'a', null]]);
  await db
    .insertInto('social.shout')
    .values({ id: 1, user_id: 1, number: 1, kind: 'song', object_id: 1, text: 'Shout', at_ms: 1 })
    .execute();
  await db.insertInto('social.catalog_group').values({ id: 1, name: 'Group' }).execute();
  await db.insertInto('social.catalog_group_catalog').values({ group_id: 1, catalog_id: 1 }).execute();
  const addresses = { start_address: '::', end_address: '::1' };
  await db
    .insertInto('social.access_rule')
    .values({ id: 1, name: 'all', level: 75, user_id: null, type: 'rpc', enabled: true, ...addresses })
    .execute();
  const key = {
    name: 'key',
    sha256: 'a'.repeat(64),
    sealed_key: 'sealed',
    issued_at_ms: 1,
    scopes: ['listen'],
    expires_at_ms: TEST_NOW_MS,
  };
  await db
    .insertInto('social.api_key')
    .values([
      { ...key, key_id: 'a', user_id: 2 },
      { ...key, key_id: 'b', user_id: 1, scopes: null, expires_at_ms: null },
    ])
    .execute();
  const counts = { folders_seen: 1, files_seen: 2, songs_added: 1, songs_changed: 0, songs_moved: 0, songs_removed: 0, files_skipped: 1 };
  const times = { requested_at_ms: 1000, started_at_ms: 2000, updated_at_ms: 3000, finished_at_ms: null };
  await db
    .insertInto('ingestion.scan')
    .values({ id: 'a', catalog_id: 1, mode: 'changes', state: 'running', message: null, ...counts, ...times })
    .execute();
  const link = { run: 1, host: 'listenbrainz.org', sealed_address: null, sealed_credential: 's', sealed_name: 's', after_position: 0 };
  await db
    .insertInto('playback.relay_link')
    .values({ user_id: 1, service: 'listenbrainz', enabled: true, since_ms: 1, linked_at_ms: 1, changed_at_ms: 1, ...link })
    .execute();
  await seedWork(db);
  await seedDeliveries(db);
};

const seedWork = async (db: Kysely<ReadModel>): Promise<void> => {
  const times = { requested_at_ms: 1000, ended_at_ms: null };
  const parts = { parts: 2, parts_ended: 1, analysed: 1, reused: 0, known: 0, failed: 1 };
  await db
    .insertInto('sonic.run')
    .values({ id: 'a', model: 'a', catalog_id: null, again: false, state: 'running', ...parts, ...times })
    .execute();
  const unheard = {
    fingerprint: null,
    size_bytes: 1,
    mtime_ms: 1,
    scale: null,
    vector: null,
    reason: 'silence',
    position: 1,
    heard_at_ms: 1,
  };
  await db
    .insertInto('sonic.song')
    .values({ song_id: 1, model: 'a', ...unheard })
    .execute();
  const profile = JSON.stringify(exampleOf(transcodeProfile));
  const counts = { items: 2, made: 0, present: 0, failed: 1, size_bytes: 0 };
  await db
    .insertInto('transcoding.batch')
    .values({ id: 'a', title: 'Album', requested_by: 1, profile, state: 'running', first_ended_at_ms: 2000, ...times, ...counts })
    .execute();
  const ended = { outcome: 'failed', worker_id: 'w', ended_at_ms: 2000, duration_ms: 1, reason: 'no sound in it' } as const;
  await db
    .insertInto('transcoding.batch_item')
    .values({ batch_id: 'a', index: 0, type: 'song', object_id: 1, ...ended })
    .execute();
  const { id: folder } = await db.selectFrom('library.folder').select('id').where('catalog_id', '=', 1).executeTakeFirstOrThrow();
  const file = { name: 'broken.mp3', kind: 'skipped', size_bytes: 1, mtime_ms: 1, song_id: null } as const;
  await db
    .insertInto('library.file')
    .values({ folder_id: folder, ...file, skip_reason: 'unreadable', skip_message: 'no tags' })
    .execute();
};

const seedDeliveries = async (db: Kysely<ReadModel>): Promise<void> => {
  const secrets = { sealed_url: 's', sealed_secret: 's' };
  const run = { enabled: true, ended_by: null, run: 1, after: '{}', created_at_ms: 1, changed_at_ms: 1 };
  await db
    .insertInto('social.webhook')
    .values({ id: 1, name: 'hook', host: 'example.org', patterns: ['*'], user_id: null, ...secrets, ...run })
    .execute();
  const delivered = {
    outcome: 'delivered',
    attempts: 1,
    status: 200,
    fault: null,
    payload: '{}',
    answer: '',
    duration_ms: 1,
    next_at_ms: null,
  } as const;
  await db
    .insertInto('social.webhook_delivery')
    .values({ webhook_id: 1, event_id: 'a', type: 'play.recorded', first_at_ms: 1, last_at_ms: 1, ...delivered })
    .execute();
  const told = { position: 1, song_id: 1, played_at_ms: 1, outcome: 'taken', reason: null, at_ms: 2 } as const;
  await db
    .insertInto('playback.relayed_play')
    .values({ user_id: 1, service: 'listenbrainz', ...told })
    .execute();
};
