import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asking, type Asking } from './compat-asking.js';
import { compatServer, type CompatServer } from './compat-server.js';
import { seedFixtureLibrary, type FixtureSong } from '../library/fixture-library.js';
import { fixtureSongs } from '../library/fixture-songs.js';
import { testReadModel, type TestReadModel } from './read-model-database.js';

/** Content of the first song's file, the only one that exists. */
export const firstSongBytes = Buffer.from('0123456789'.repeat(100));

/** The compatibility API over the songs of the fixture. */
export class CompatWorld {
  readonly ask: Asking['ask'];
  readonly codeOf: Asking['codeOf'];

  private constructor(
    readonly model: TestReadModel,
    readonly server: CompatServer,
    private readonly folder: string,
  ) {
    ({ ask: this.ask, codeOf: this.codeOf } = asking(() => this.server));
  }

  static async start(songs: readonly FixtureSong[] = fixtureSongs): Promise<CompatWorld> {
    const model = await testReadModel();
    await seedFixtureLibrary(model.write, songs);
    const folder = await mkdtemp(join(tmpdir(), 'continuo-compat-'));
    const album = join(folder, 'music/Harbour Lights/The Long Night');
    await mkdir(album, { recursive: true });
    await writeFile(join(album, '01 Opening.flac'), firstSongBytes);
    await model.write
      .updateTable('library.catalog')
      .set({ path: join(folder, 'music') })
      .where('id', '=', 1)
      .execute();
    return new CompatWorld(model, await compatServer(model.read, join(folder, 'art')), folder);
  }

  async stop(): Promise<void> {
    await this.server.app.close();
    await this.model.close();
    await rm(this.folder, { recursive: true });
  }

  /** Another server over the same read model and art. */
  another(settings: Parameters<typeof compatServer>[2]): Promise<CompatServer> {
    return compatServer(this.model.read, join(this.folder, 'art'), settings);
  }
}

/** Returns the names of songs, albums or artists of an answer. */
export const names = (items: readonly { readonly name?: string; readonly title?: string }[]): (string | undefined)[] =>
  items.map((item) => item.title ?? item.name);
