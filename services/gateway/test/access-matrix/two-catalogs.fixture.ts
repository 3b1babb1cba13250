import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandClient } from '@continuo/chassis';
import type { ReadModel } from '@continuo/contracts';
import { FIRST_SCAN_MS, LibraryWriter, scanned, type TrackTags } from '@continuo/read-model';
import type { Kysely } from 'kysely';
import sharp from 'sharp';
import { answeringCommands } from '../native/replay/replay-commands.js';
import { insertVotedSongs } from '../fakes/democratic-fixture.js';
import { insertBookmark } from '../library/places-fixture.js';
import { insertEpisode, insertPodcast } from '../library/podcast-fixture.js';
import { insertStation } from '../library/station-fixture.js';
import { seedTestAccounts, TEST_NOW_MS } from '../servers/test-gateway.js';

/** Stands in every name that only the hidden catalog has, so that no answer about the other one may contain it. */
export const HIDDEN = 'Undisclosed';
/** Ids of the two catalogs. */
export const SEEN_CATALOG = 1;
export const HIDDEN_CATALOG = 2;
/** Ids of songs: those of the hidden catalog come after those of the other one. */
export const SEEN_SONGS: readonly number[] = [1, 2, 3, 4];
export const HIDDEN_SONGS: readonly number[] = [5, 6, 7];

const DAY_MS = 86_400_000;
const picture = (digit: string) => ({ hash: digit.repeat(64), mime: 'image/png', sizeBytes: 1 });

/** Somebody who is credited in both catalogs: what is summed up over them must not tell of the hidden one. */
const shared = { name: 'Anna Both' };
const songOf = (title: string, artist: TrackTags['artists'][number], more: Partial<TrackTags>): Partial<TrackTags> => ({
  title,
  artists: [artist],
  albumArtists: [artist],
  year: 2001,
  genres: ['Folk'],
  moods: ['calm'],
  language: 'eng',
  composers: ['Carl Composer'],
  license: 'https://licenses.example/open',
  lyrics: [{ language: 'eng', synced: false, source: 'tag', lines: [{ text: 'a line' }] }],
  ...more,
});

const seenFolders: readonly (readonly [string, readonly TrackTags[]])[] = [
  [
    'Anna/Day',
    [
      scanned(
        '1.flac',
        songOf('First day', shared, { album: { name: 'Day', year: 2001, recordLabels: ['Pier'] }, track: 1, art: picture('a') }),
      ),
      scanned('2.flac', songOf('Second day', shared, { album: { name: 'Day', year: 2001, recordLabels: ['Pier'] }, track: 2, disk: 2 })),
    ],
  ],
  ['Bert', [scanned('1.mp3', songOf('Alone', { name: 'Bert Seen' }, { album: { name: 'Solo' }, genres: ['Rock', 'Folk'] }))]],
  ['', [scanned('loose.mp3', songOf('Loose end', { name: 'Bert Seen' }, { album: { name: 'Loose' } }))]],
];

const secret = (title: string, artist: TrackTags['artists'][number], more: Partial<TrackTags> = {}): Partial<TrackTags> =>
  songOf(`${title} ${HIDDEN}`, artist, {
    album: { name: `${HIDDEN} Album`, year: 1966, recordLabels: [`${HIDDEN} Records`, 'Pier'] },
    year: 1966,
    genres: ['Folk', `${HIDDEN} Genre`],
    moods: ['calm', `${HIDDEN} mood`],
    language: 'xxh',
    composers: [`${HIDDEN} Composer`],
    comment: `${HIDDEN} comment`,
    license: `https://licenses.example/${HIDDEN}`,
    lyrics: [{ language: 'eng', synced: false, source: 'tag', lines: [{ text: `${HIDDEN} line` }] }],
    art: picture('b'),
    ...more,
  });

const hiddenFolders: readonly (readonly [string, readonly TrackTags[]])[] = [
  [
    `${HIDDEN}/Anna`,
    [
      scanned('1.flac', secret('One', shared, { track: 1 })),
      scanned('2.flac', secret('Two', { name: `${HIDDEN} Artist` }, { track: 2, disk: 2, diskSubtitle: `${HIDDEN} disk` })),
    ],
  ],
  // As in the other catalog, so that one name means both.
  ['Bert', [scanned('1.mp3', secret('Three', { name: 'Bert Seen' }, { title: 'Alone', album: { name: 'Solo' } }))]],
];

const scanOf = (catalogId: number) => ({
  id: `scan-${catalogId}`,
  catalog_id: catalogId,
  mode: 'changes' as const,
  state: 'finished' as const,
  requested_at_ms: FIRST_SCAN_MS,
  started_at_ms: FIRST_SCAN_MS,
  updated_at_ms: FIRST_SCAN_MS + catalogId * DAY_MS,
  finished_at_ms: FIRST_SCAN_MS + catalogId * DAY_MS,
  folders_seen: 1,
  files_seen: 1,
  songs_added: 1,
  songs_changed: 0,
  songs_moved: 0,
  songs_removed: 0,
  files_skipped: 0,
  message: null,
});

/** Plays, ratings and favourites of some songs, of the viewer and of others; the songs of the hidden catalog have the greater numbers. */
const seedMarks = async (db: Kysely<ReadModel>, songIds: readonly number[]): Promise<void> => {
  for (const songId of songIds) {
    const counts = {
      song_id: songId,
      play_count: songId,
      skip_count: 1,
      last_played_at_ms: TEST_NOW_MS - DAY_MS + songId,
      last_skipped_at_ms: null,
    };
    await db.insertInto('playback.song_plays').values(counts).execute();
    const own = [1, 2].map((userId) => ({ ...counts, user_id: userId }));
    await db.insertInto('playback.user_song_plays').values(own).execute();
    const play = { user_id: 2, song_id: songId, at_ms: TEST_NOW_MS - DAY_MS + songId, skipped: false, client: 'spec' };
    await db
      .insertInto('playback.play')
      .values({ id: songId, ...play })
      .execute();
    await insertVotedSongs(db, [[songId, songId]]);
    for (const userId of [1, 2])
      await insertBookmark(db, { id: 100 * userId + songId, user_id: userId, object_id: songId, label: `label of ${songId}` });
    const now = { client: `client ${songId}`, object_type: 'song', object_id: songId, started_at_ms: TEST_NOW_MS - 1000 - songId };
    await db
      .insertInto('playback.now_playing')
      .values({ user_id: 1, ...now, expires_at_ms: TEST_NOW_MS + DAY_MS })
      .execute();
    const marked = { user_id: 2, kind: 'song' as const, object_id: songId };
    await db
      .insertInto('social.rating')
      .values({ ...marked, rating: 4, rated_at_ms: TEST_NOW_MS })
      .execute();
    await db.insertInto('social.rating_average').values({ kind: 'song', object_id: songId, rating_count: 1, rating_sum: 4 }).execute();
    await db
      .insertInto('social.activity')
      .values({ ...marked, id: songId, action: 'rating', at_ms: TEST_NOW_MS - songId })
      .execute();
    await db
      .insertInto('social.shout')
      .values({ ...marked, id: songId, number: songId, text: HIDDEN_SONGS.includes(songId) ? HIDDEN : 'Well', at_ms: TEST_NOW_MS - songId })
      .execute();
    await db
      .insertInto('social.user_flag')
      .values({ ...marked, flagged_at_ms: TEST_NOW_MS - songId })
      .execute();
  }
};

const addCatalog = async (library: LibraryWriter, path: string, name: string, folders: typeof seenFolders): Promise<void> => {
  const id = name === 'Seen' ? SEEN_CATALOG : HIDDEN_CATALOG;
  await library.catalog({ id, name, path }, FIRST_SCAN_MS);
  for (const [folder, tracks] of folders)
    await library.folder({ catalogId: id, path: folder, tracks: [...tracks] }, FIRST_SCAN_MS + id * DAY_MS);
};

const clip = (fileName: string) => ({
  fileName,
  title: `${HIDDEN} clip`,
  sizeBytes: 20_000_000,
  mtimeMs: FIRST_SCAN_MS,
  digest: fileName,
  durationMs: 193_000,
  format: 'mp4',
  mime: 'video/mp4',
  widthPx: 640,
  heightPx: 480,
  bitrateBps: 829_000,
  genres: ['Folk', `${HIDDEN} Video`],
});

/** Videos, all of them hidden: one that is there, one that is gone. */
const addVideos = async (library: LibraryWriter, path: string): Promise<void> => {
  const catalogId = HIDDEN_CATALOG + 1;
  await library.catalog({ id: catalogId, name: `${HIDDEN} Clips`, path, gatherTypes: 'video' }, FIRST_SCAN_MS);
  await library.videos({ catalogId, path: '', videos: [clip('1.mp4'), clip('gone.mp4')] }, FIRST_SCAN_MS);
  await library.videos({ catalogId, path: '', videos: [clip('1.mp4')], goneFiles: ['gone.mp4'] }, FIRST_SCAN_MS + DAY_MS);
};

/** Fills an empty read model with the catalog that the viewer sees and, when asked for, with the one that is hidden from it. `root` holds both folders. */
export const seedCatalogs = async (db: Kysely<ReadModel>, withHidden: boolean, root = '/music'): Promise<void> => {
  const library = await LibraryWriter.over(db as unknown as Kysely<unknown>);
  await addCatalog(library, `${root}/1`, 'Seen', seenFolders);
  if (withHidden) {
    await addCatalog(library, `${root}/2`, `${HIDDEN} Catalog`, hiddenFolders);
    const gone = scanned('gone.flac', secret('Gone', shared));
    await library.folder({ catalogId: HIDDEN_CATALOG, path: `${HIDDEN}/Gone`, tracks: [gone] }, FIRST_SCAN_MS);
    await library.folder(
      { catalogId: HIDDEN_CATALOG, path: `${HIDDEN}/Gone`, tracks: [], goneFiles: ['gone.flac'] },
      FIRST_SCAN_MS + DAY_MS,
    );
  }
  if (withHidden) await addVideos(library, `${root}/3`);
  await library.finish();
  await seedTestAccounts(db);
  await db.insertInto('social.follow').values({ user_id: 1, followed_id: 2, followed_at_ms: TEST_NOW_MS }).execute();
  await db.insertInto('ingestion.scan').values(scanOf(SEEN_CATALOG)).execute();
  await seedMarks(db, SEEN_SONGS);
  await insertStation(db, { id: 1, catalog_id: SEEN_CATALOG, name: 'Seen Radio', url: 'http://radio.example/seen.mp3', codec: 'mp3' });
  await seedTalks(db, { id: 1, catalogId: SEEN_CATALOG, word: 'Seen' });
  if (!withHidden) return;
  await db.insertInto('ingestion.scan').values(scanOf(HIDDEN_CATALOG)).execute();
  await seedMarks(db, HIDDEN_SONGS);
  const site_url = `http://radio.example/${HIDDEN}`;
  await insertStation(db, { id: 2, catalog_id: HIDDEN_CATALOG, name: `${HIDDEN} Radio`, url: `${site_url}.ogg`, site_url, codec: 'ogg' });
  await seedTalks(db, { id: 2, catalogId: HIDDEN_CATALOG, word: HIDDEN });
};

/** A podcast with two episodes, one of which is played and liked, and one that is gone; a word stands in all that is said of them. */
const seedTalks = async (
  db: Kysely<ReadModel>,
  { id, catalogId, word }: { id: number; catalogId: number; word: string },
): Promise<void> => {
  const said = { description: `${word} talk`, author: `${word} author`, website_url: `http://talks.example/${word}` };
  await insertPodcast(db, { id, catalog_id: catalogId, title: `${word} Podcast`, feed_url: `http://talks.example/${word}/feed`, ...said });
  const place = { podcast_id: id, catalog_id: catalogId, media_url: `http://talks.example/${word}.mp3`, duration_ms: 3_600_000 };
  await insertEpisode(db, { id: 2 * id - 1, ...place, ...said, title: `${word} first`, category: word });
  await insertEpisode(db, { id: 2 * id, ...place, ...said, title: `${word} second`, published_at_ms: TEST_NOW_MS });
  const gone = { episode_id: 20 + id, podcast_id: id, catalog_id: catalogId, title: `${word} gone`, path: `${word}.mp3` };
  await db
    .insertInto('library.deleted_podcast_episode')
    .values({ ...gone, added_at_ms: 1, deleted_at_ms: TEST_NOW_MS })
    .execute();
  await db
    .insertInto('library.podcast_counter')
    .values([
      { kind: 'podcast', catalog_id: 0, total: id, max_id: id, version: id },
      { kind: 'podcast_episode', catalog_id: 0, total: 2 * id, max_id: 2 * id, version: id },
      { kind: 'deleted_podcast_episode', catalog_id: 0, total: id, max_id: 0, version: id },
    ])
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'catalog_id'])
        .doUpdateSet((eb) => ({ total: eb.ref('excluded.total'), max_id: eb.ref('excluded.max_id') })),
    )
    .execute();
  const plays = { object_type: 'podcast_episode', object_id: 2 * id, play_count: 3 };
  await db
    .insertInto('playback.media_plays')
    .values([1, 2].map((user_id) => ({ ...plays, user_id, last_played_at_ms: TEST_NOW_MS })))
    .execute();
};

/** Puts the pictures of both catalogs into a store: without them everybody would be sent the same placeholder, and nothing hidden could show. */
export const writePictures = async (artFolder: string): Promise<void> => {
  for (const [digit, background] of [
    ['a', 'navy'],
    ['b', 'crimson'],
  ] as const) {
    const image = await sharp({ create: { width: 8, height: 8, channels: 3, background } })
      .png()
      .toBuffer();
    const folder = join(artFolder, digit.repeat(2));
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, digit.repeat(64)), image);
  }
};

/** Makes a file for every song of both catalogs, so that there is something to send and something to refuse. */
export const writeMediaFiles = async (root: string): Promise<void> => {
  const folders = [seenFolders, hiddenFolders].flatMap((all, index) =>
    all.map(([folder, tracks]) => [`${index + 1}/${folder}`, tracks] as const),
  );
  for (const [folder, tracks] of folders) {
    await mkdir(join(root, folder), { recursive: true });
    for (const { fileName } of tracks) await writeFile(join(root, folder, fileName), 'sound');
  }
};

/** Commands as they were sent; each is answered by a server that does whatever it is told. */
export interface NotedCommands extends CommandClient {
  /** Returns the commands sent since the last call. */
  take(): unknown[];
}

/** Keeps what the gateway tells other services. */
export const notedCommands = (): NotedCommands => {
  const inner = answeringCommands();
  let sent: unknown[] = [];
  return {
    send: (command, data, context) => {
      sent.push([command.subject, data]);
      return inner.send(command, data, context);
    },
    take: () => {
      const taken = sent;
      sent = [];
      return taken;
    },
  };
};
