import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AnnotationWriter } from '../library/annotation-writer.js';
import { compatServer, type CompatServer } from '../servers/compat-server.js';
import { seedFixtureLibrary } from '../library/fixture-library.js';
import { seedCommunity } from '../library/community-fixture.js';
import { fixtureSongs } from '../library/fixture-songs.js';
import { seedFixtureVideos } from '../library/fixture-videos.js';
import { expectGolden } from '../goldens/golden.js';
import { seedPlaces } from '../library/places-fixture.js';
import { seedPlaylists } from '../library/playlist-fixture.js';
import { seedStations } from '../library/station-fixture.js';
import { seedPodcasts } from '../library/podcast-fixture.js';
import { seedSmartlists } from '../library/smartlist-fixture.js';
import { seedPlayback } from '../library/playback-fixture.js';
import { ShareWriter } from '../library/share-writer.js';
import { testReadModel, type TestReadModel } from '../servers/read-model-database.js';
import { seedTestAccounts } from '../servers/test-gateway.js';
import { compatGoldens } from '../calls/compat/endpoint.cases.js';

let model: TestReadModel;
let server: CompatServer;
let artFolder: string;

beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(model.write, fixtureSongs);
  await seedFixtureVideos(model.write);
  await new AnnotationWriter(model.write).seed();
  await seedTestAccounts(model.write);
  await seedStations(model.write);
  await seedPodcasts(model.write);
  await seedPlayback(model.write);
  await seedPlaces(model.write);
  await seedPlaylists(model.write);
  await seedSmartlists(model.write);
  await new ShareWriter(model.write).seed();
  await seedCommunity(model.write);
  artFolder = await mkdtemp(join(tmpdir(), 'continuo-art-'));
  server = await compatServer(model.read, artFolder);
});

afterAll(async () => {
  await server.app.close();
  await model.close();
  await rm(artFolder, { recursive: true });
});

describe.each([
  ['opensubsonic', 'test'],
  ['subsonic', 'DSub'],
])('documents in the form %s', (form, client) => {
  it.each(compatGoldens.documents)('$name', async ({ name, operation, one: { params, body: sent } }) => {
    for (const format of ['xml', 'json'] as const) {
      const { status, body } = await server.call(operation, { ...params, f: format, c: client }, 'ada', sent);
      expect(status).toBe(200);
      expectGolden('compat', name, { format, variant: form }, body);
    }
  });
});
