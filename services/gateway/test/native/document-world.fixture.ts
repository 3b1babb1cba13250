import type { ReadModel } from '@continuo/contracts';
import type { Kysely } from 'kysely';
import { FIRST_ADDED_MS, seedFixtureLibrary } from '../library/fixture-library.js';
import { fixtureSongs } from '../library/fixture-songs.js';
import { seedFixtureVideos } from '../library/fixture-videos.js';
import { seedCollections, withCollections } from '../library/collection-fixture.js';
import { seedDemocratic, withDemocratic } from '../fakes/democratic-fixture.js';
import { maintenanceCommands } from '../fakes/maintenance-commands.js';
import { ShareWriter, withShares } from '../library/share-writer.js';
import { testReadModel, type TestReadModel } from '../servers/read-model-database.js';
import { seedCommunity, withCommunity } from '../library/community-fixture.js';
import { everyPlugin, withExternalMetadata } from '../fakes/external-metadata-fixture.js';
import { seedPlaces, withPlaces } from '../library/places-fixture.js';
import { seedPodcasts, withPodcasts } from '../library/podcast-fixture.js';
import { withPlayer } from '../fakes/player-fixture.js';
import { seedPlaylists, withPlaylists } from '../library/playlist-fixture.js';
import { seedPlayback, withPlayback } from '../library/playback-fixture.js';
import { seedStations, withStations } from '../library/station-fixture.js';
import { seedSmartlists, withSmartlists } from '../library/smartlist-fixture.js';
import { FakeSounds } from '../fakes/fake-sounds.js';
import { seedTestAccounts, startTestGateway, testAccounts, type TestGateway } from '../servers/test-gateway.js';
import type { ApiVersion, Format } from '../../src/apis/native/versions/policy.js';
import { clientVersions } from '../calls/native/client-versions.js';

/** A password as clients send it. */
export const SHA = 'a'.repeat(64);

const seed = async (write: Kysely<ReadModel>): Promise<void> => {
  await seedFixtureLibrary(write, fixtureSongs);
  await seedTestAccounts(write);
  await seedPlayback(write);
  await seedDemocratic(write);
  await new ShareWriter(write).seed();
  await seedPlaces(write);
  await seedPlaylists(write);
  await seedSmartlists(write);
  await seedCollections(write);
  await seedCommunity(write);
  await write
    .insertInto('library.deleted_song')
    .values({
      song_id: 99,
      catalog_id: 1,
      title: 'Gone & Forgotten',
      file: '/music/1/gone.flac',
      album_id: 1,
      artist_id: null,
      added_at_ms: FIRST_ADDED_MS,
      updated_at_ms: FIRST_ADDED_MS,
      deleted_at_ms: FIRST_ADDED_MS + 86_400_000,
    })
    .execute();
  await seedFixtureVideos(write);
  await seedStations(write);
  await seedPodcasts(write);
};

const gatewayOver = (model: TestReadModel): Promise<TestGateway> =>
  startTestGateway(model.read, {
    settings: { PUBLIC_URL: 'http://server.example', DELETE_FROM_DISK: true, ALLOW_PUBLIC_REGISTRATION: true, LOCALPLAY_CONTROLLER: 'mpd' },
    sonic: new FakeSounds(),
    plugins: everyPlugin,
    commands: withPodcasts(
      withSmartlists(
        withCollections(
          withPlaylists(
            withShares(
              withCommunity(
                withDemocratic(withPlaces(withPlayback(withPlayer(withStations(withExternalMetadata(maintenanceCommands())))))),
              ),
            ),
          ),
        ),
      ),
    ),
  });

/** A gateway over something of every kind, and services behind it that do whatever they are told. */
export class DocumentWorld {
  private constructor(
    private readonly model: TestReadModel,
    private readonly gateway: TestGateway,
  ) {}

  static async start(): Promise<DocumentWorld> {
    const model = await testReadModel();
    await seed(model.write);
    return new DocumentWorld(model, await gatewayOver(model));
  }

  async stop(): Promise<void> {
    await this.gateway.stop();
    await this.model.close();
  }

  /** The answer to a call, as an administrator when nothing is said, as nobody with an empty token. @throws Error for another status than 200 */
  async call(version: ApiVersion, format: Format, query: string, token: string = testAccounts.admin.token): Promise<string> {
    const url = `/server/${format}.server.php?version=${clientVersions[version]}&${query}`;
    const answer = await this.gateway.app.inject({ url, headers: token === '' ? {} : { authorization: `Bearer ${token}` } });
    if (answer.statusCode !== 200) throw new Error(`${query} was answered with status ${answer.statusCode}`);
    return answer.body;
  }
}
