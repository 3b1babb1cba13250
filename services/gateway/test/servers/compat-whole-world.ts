import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import sharp from 'sharp';
import { AnnotationWriter } from '../library/annotation-writer.js';
import { seedCommunity } from '../library/community-fixture.js';
import { compatServer, NOW_MS, type CompatServer } from './compat-server.js';
import { seedFixtureLibrary } from '../library/fixture-library.js';
import { fixtureSongs } from '../library/fixture-songs.js';
import { seedFixtureVideos } from '../library/fixture-videos.js';
import { insertBookmark, insertPlayQueue, seedPlaces } from '../library/places-fixture.js';
import { seedPlayback } from '../library/playback-fixture.js';
import { idlePlayer, withPlayer } from '../fakes/player-fixture.js';
import { seedPlaylists } from '../library/playlist-fixture.js';
import { seedPodcasts } from '../library/podcast-fixture.js';
import { testReadModel, type TestReadModel } from './read-model-database.js';
import { ShareWriter } from '../library/share-writer.js';
import { seedSmartlists } from '../library/smartlist-fixture.js';
import { seedStations, withStations } from '../library/station-fixture.js';
import { seedTestAccounts } from './test-gateway.js';

/** Signing secret of the test server. */
const SECRET = 'x'.repeat(32);
const settings = { LOCALPLAY_CONTROLLER: 'mpd', LIVE_STREAM: 'true' };

/** One of everything that a server can hold: what the documents of the golden files are made from, and stations. */
const seedEverything = async (model: TestReadModel): Promise<void> => {
  await seedFixtureLibrary(model.write, fixtureSongs);
  await seedFixtureVideos(model.write);
  await new AnnotationWriter(model.write).seed();
  await seedTestAccounts(model.write);
  await seedPlayback(model.write);
  await seedPlaces(model.write);
  await seedPlaylists(model.write);
  await seedSmartlists(model.write);
  await new ShareWriter(model.write).seed();
  await seedCommunity(model.write);
  await seedStations(model.write);
  await seedPodcasts(model.write);
};

/** Seeds ratings and favourites of account 1 for everything, so that no such field is always unset. */
const seedOpinions = async ({ write }: TestReadModel): Promise<void> => {
  const opinions = new AnnotationWriter(write);
  for (const objectId of [1, 2, 3, 4, 5])
    for (const kind of ['song', 'album', 'artist'] as const) await opinions.rate({ userId: 1, kind, objectId }, 4);
  await insertPlayQueue(write, [{ objectType: 'song', ids: [1, 2] }], { user_id: 3 });
  await insertBookmark(write, { id: 20, object_id: 1, label: 'All fields' });
  const { rows } = await sql<{ id: number }>`select id from library.folder where path <> '' and path not like '%/%'`.execute(write);
  await write
    .insertInto('social.user_flag')
    .values(rows.map(({ id }) => ({ user_id: 1, kind: 'folder' as const, object_id: id, flagged_at_ms: NOW_MS })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

const CAPTIONS = '1\n00:00:01,000 --> 00:00:02,000\nHello\n';

/** The file of song 1, captions beside video 1, and a picture that is the cover of album 1 and shows account 1. */
const placeFiles = async ({ write }: TestReadModel, server: CompatServer, folder: string): Promise<void> => {
  const music = join(folder, 'music');
  await mkdir(join(music, 'Harbour Lights/The Long Night'), { recursive: true });
  await writeFile(join(music, 'Harbour Lights/The Long Night/01 Opening.flac'), 'x'.repeat(1000));
  await writeFile(join(music, 'The <Long> Film.mp4'), 'x'.repeat(1000));
  await writeFile(join(music, 'The <Long> Film.en.srt'), CAPTIONS);
  await write.updateTable('library.catalog').set({ path: music }).where('id', '=', 1).execute();
  const picture = await sharp({ create: { width: 30, height: 30, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();
  const hash = await server.artStore.put(picture);
  const art = { hash, mime: 'image/png', size_bytes: picture.length, width_px: 30, height_px: 30 };
  await write.insertInto('library.art').values(art).execute();
  const mbid = '11111111-2222-4333-8444-555555555555';
  await write.updateTable('library.album').set({ art_hash: hash, mbid }).where('id', '=', 1).execute();
  await write.updateTable('library.artist').set({ art_hash: hash }).execute();
  await write.updateTable('library.artist').set({ mbid }).where('id', '=', 1).execute();
  await write.updateTable('social.user').set({ avatar_hash: hash }).where('id', '=', 1).execute();
};

/** The compatibility API over a library that has one of everything, and over one that has nothing at all. */
export class WholeCompatWorld {
  private constructor(
    readonly full: CompatServer,
    readonly empty: CompatServer,
    readonly model: TestReadModel,
    private readonly behind: { readonly emptyModel: TestReadModel; readonly folder: string },
  ) {}

  static async start(): Promise<WholeCompatWorld> {
    const model = await testReadModel();
    // Not at the same time: both make the reader's role, which the databases of a server share.
    const emptyModel = await testReadModel();
    await seedEverything(model);
    await seedOpinions(model);
    await seedTestAccounts(emptyModel.write);
    const folder = await mkdtemp(join(tmpdir(), 'continuo-compat-'));
    const [full, empty] = await Promise.all([model, emptyModel].map((one) => compatServer(one.read, join(folder, 'art'), settings)));
    if (!full || !empty) throw new Error('no server');
    withPlayer(withStations(full.commands), idlePlayer(SECRET));
    withPlayer(withStations(empty.commands));
    await placeFiles(model, full, folder);
    return new WholeCompatWorld(full, empty, model, { emptyModel, folder });
  }

  async stop(): Promise<void> {
    await Promise.all([this.full.app.close(), this.empty.app.close()]);
    await Promise.all([this.model.close(), this.behind.emptyModel.close()]);
    await rm(this.behind.folder, { recursive: true });
  }
}
