import { FIRST_SCAN_MS, seedRichLibrary } from '@continuo/read-model';
import type { ReadModel } from '@continuo/contracts';
import type { Kysely } from 'kysely';
import { insertCollection } from '../../library/collection-fixture.js';
import { insertVotedSongs } from '../../fakes/democratic-fixture.js';
import { insertBookmark } from '../../library/places-fixture.js';
import { insertPlaylist } from '../../library/playlist-fixture.js';
import { seedFullPodcasts } from '../../library/podcast-fixture.js';
import { insertStation } from '../../library/station-fixture.js';
import { ShareWriter } from '../../library/share-writer.js';
import { insertSmartlist } from '../../library/smartlist-fixture.js';
import { seedTestAccounts, TEST_NOW_MS } from '../../servers/test-gateway.js';

const DAY_MS = 86_400_000;

/** A video as a scan reports it. */
const clip = (fileName: string, title: string) => ({
  fileName,
  title,
  sizeBytes: 20_000_000,
  mtimeMs: FIRST_SCAN_MS,
  digest: fileName,
  durationMs: 193_000,
  format: fileName.slice(fileName.lastIndexOf('.') + 1),
  mime: 'video/mp4',
  videoCodec: 'h264',
  audioCodec: 'aac',
  widthPx: 640,
  heightPx: 480,
  bitrateBps: 829_000,
  genres: [],
});
const rated = ['song', 'album', 'artist'] as const;

/** Ratings and favourites on the first song, album and artist, so that every field is set somewhere. */
const seedMarks = async (db: Kysely<ReadModel>): Promise<void> => {
  const own = { user_id: 1, object_id: 1 };
  await db
    .insertInto('social.rating')
    .values(rated.map((kind) => ({ ...own, kind, rating: 4, rated_at_ms: TEST_NOW_MS })))
    .execute();
  await db
    .insertInto('social.rating_average')
    .values(rated.map((kind) => ({ kind, object_id: 1, rating_count: 2, rating_sum: 7 })))
    .execute();
  await db
    .insertInto('social.user_flag')
    .values(rated.map((kind) => ({ ...own, kind, flagged_at_ms: TEST_NOW_MS })))
    .execute();
  const plays = { song_id: 1, play_count: 3, skip_count: 1, last_played_at_ms: TEST_NOW_MS - DAY_MS, last_skipped_at_ms: null };
  await db.insertInto('playback.song_plays').values(plays).execute();
  await db
    .insertInto('playback.user_song_plays')
    .values({ ...plays, user_id: 1 })
    .execute();
  const now = { user_id: 1, client: 'replay', object_type: 'song', object_id: 1, started_at_ms: TEST_NOW_MS - 1000 };
  await db
    .insertInto('playback.now_playing')
    .values({ ...now, expires_at_ms: TEST_NOW_MS + DAY_MS })
    .execute();
};

/** Scan times of catalogs and profile fields of accounts. */
const seedOwners = async (db: Kysely<ReadModel>): Promise<void> => {
  const counts = { folders_seen: 1, files_seen: 1, songs_added: 1, songs_changed: 0, songs_moved: 0, songs_removed: 0, files_skipped: 0 };
  const times = {
    requested_at_ms: FIRST_SCAN_MS,
    started_at_ms: FIRST_SCAN_MS,
    updated_at_ms: FIRST_SCAN_MS,
    finished_at_ms: FIRST_SCAN_MS,
  };
  await db
    .insertInto('ingestion.scan')
    .values({ id: 'a-scan', catalog_id: 1, mode: 'changes', state: 'finished', ...times, ...counts, message: null })
    .execute();
  await db.updateTable('library.catalog').set({ rename_pattern: '%T - %t', sort_pattern: '%a/%A' }).where('id', '=', 1).execute();
  const key = {
    key_id: 'key',
    name: 'default',
    sha256: 'a'.repeat(64),
    sealed_key: 'an-own-key',
    issued_at_ms: FIRST_SCAN_MS,
    scopes: null,
    expires_at_ms: null,
  };
  await db
    .insertInto('social.api_key')
    .values({ ...key, user_id: 1 })
    .execute();
};

/** Followers and comments of the first two accounts. */
const seedFriends = async (db: Kysely<ReadModel>): Promise<void> => {
  const { id: _id, ...somebody } = await db.selectFrom('social.user').selectAll().where('id', '=', 2).executeTakeFirstOrThrow();
  await db
    .insertInto('social.user')
    .values({ ...somebody, id: 4, username: 'lonely', username_key: 'lonely' })
    .execute();
  await db
    .insertInto('social.follow')
    .values([
      { user_id: 1, followed_id: 2, followed_at_ms: TEST_NOW_MS },
      { user_id: 2, followed_id: 1, followed_at_ms: TEST_NOW_MS },
    ])
    .execute();
  const entry = { user_id: 2, object_id: 1, at_ms: TEST_NOW_MS };
  await db
    .insertInto('social.activity')
    .values([
      { ...entry, id: 1, action: 'rating', kind: 'song' },
      { ...entry, id: 2, action: 'follow', kind: 'user' },
    ])
    .execute();
  await db
    .insertInto('social.shout')
    .values({ ...entry, id: 1, number: 1, kind: 'album', text: 'louder' })
    .execute();
};

const seedCollected = async (db: Kysely<ReadModel>): Promise<void> => {
  await insertCollection(db, { id: 1, name: 'Picked', member_count: 2 });
  const member = { collection_id: 1, object_id: 1 };
  await db
    .insertInto('library.collection_member')
    .values([
      { ...member, entry: 1, object_kind: 'album' },
      { ...member, entry: 2, object_kind: 'song' },
    ])
    .execute();
  await db.insertInto('library.playlist_folder').values({ user_id: 1, id: 1, parent_id: 0, name: 'Evenings', sort_order: 1 }).execute();
  await db
    .insertInto('library.playlist_filing')
    .values({ user_id: 1, list_kind: 'playlist', list_id: 1, folder_id: 1, sort_order: 2 })
    .execute();
};

/** Seeds the library of recorded calls. */
export const seedReplayLibrary = async (db: Kysely<ReadModel>): Promise<void> => {
  const library = await seedRichLibrary(db as unknown as Kysely<unknown>);
  await library.folder({ catalogId: 3, path: 'Secret/Session', tracks: [], goneFiles: ['1.flac'] }, FIRST_SCAN_MS + DAY_MS);
  await library.catalog({ id: 4, name: 'Talks', path: '/music/talks', gatherTypes: 'podcast' }, FIRST_SCAN_MS);
  await library.catalog({ id: 5, name: 'Clips', path: '/music/clips', gatherTypes: 'video' }, FIRST_SCAN_MS);
  const clips = { catalogId: 5, path: 'Concerts', videos: [clip('live.mp4', 'Live at the harbour'), clip('rehearsal.mkv', 'Rehearsal')] };
  await library.videos(clips, FIRST_SCAN_MS);
  await library.videos({ ...clips, videos: [clip('gone.mp4', 'Gone')] }, FIRST_SCAN_MS);
  await library.videos({ ...clips, videos: [], goneFiles: ['gone.mp4'] }, FIRST_SCAN_MS + DAY_MS);
  await library.finish();
  await seedTestAccounts(db);
  await db
    .updateTable('social.user')
    .set({ full_name: 'Ada Min', email: 'ada@ada.example', website: 'https://ada.example', city: 'Hamburg', state: 'HH' })
    .where('id', '=', 1)
    .execute();
  const { id: _id, ...somebody } = await db.selectFrom('social.user').selectAll().where('id', '=', 2).executeTakeFirstOrThrow();
  await db
    .insertInto('social.user')
    .values({ ...somebody, id: 3, username: 'gone', username_key: 'gone', disabled: true })
    .execute();
  await seedMarks(db);
  await seedOwners(db);
  await seedFriends(db);
  await insertPlaylist(db, { id: 1, name: 'Night drive' }, [1, 2]);
  await seedCollected(db);
  for (const id of [1, 2])
    await insertStation(db, { id, name: `Radio ${id}`, url: 'http://radio.example/live', site_url: 'http://radio.example', codec: 'mp3' });
  await seedFullPodcasts(db, 4);
  await insertVotedSongs(db, [[1, 1]]);
  await insertPlaylist(db, { id: 2, name: 'Evening', is_public: true }, [2]);
  await insertSmartlist(db, { id: 1, name: 'Everything', is_public: true }, [['none', 'true', '', null]]);
  await insertBookmark(db, { id: 1, object_id: 1, slot: 'digest', label: 'replay' });
  const shares = new ShareWriter(db);
  await shares.add({ id: 1, kind: 'album', object_ids: [1], description: 'An album', expires_at_ms: TEST_NOW_MS });
  await shares.add({ id: 2, kind: 'song', object_ids: [1], description: 'A song' });
};
