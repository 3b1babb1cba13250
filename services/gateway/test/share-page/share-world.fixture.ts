import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CommandClient } from '@continuo/chassis';
import { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { visitShare, type AccessLevel } from '@continuo/contracts';
import { sql } from 'kysely';
import sharp from 'sharp';
import { LocalArtStore } from '@continuo/media-store';
import type { Auth } from '../../src/auth/index.js';
import { seedFixtureLibrary } from '../library/fixture-library.js';
import { testReadModel, type TestReadModel } from '../servers/read-model-database.js';
import { fixtureSecret, ShareWriter } from '../library/share-writer.js';
import { fixedAuth, seedTestAccounts, startTestGateway, TEST_NOW_MS, type TestGateway } from '../servers/test-gateway.js';

/** A title that would be markup. */
export const HOSTILE = `<script>alert(1)</script>"'><img src=x onerror=alert(2)>`;
/** Content of every file. */
export const bytes = Buffer.from(Array.from({ length: 50_000 }, (_, index) => index % 251));

const song = (fileName: string, title: string, album: string, catalogId = 1) => ({
  title,
  album,
  artists: ['Mira Vale'],
  folder: album,
  fileName,
  catalogId,
});

interface Asked {
  readonly from?: string;
  readonly headers?: Record<string, string>;
  readonly method?: 'GET' | 'HEAD';
}
type Answer = Awaited<ReturnType<TestGateway['app']['inject']>>;

/** A gateway over two albums of one catalog and one of another, whose files are there, and shares of them that specs add as they need. */
export class ShareWorld {
  /** State that specs change while the gateway runs: the time, and the owner's account. */
  readonly standing = {
    nowMs: TEST_NOW_MS,
    disabled: false,
    catalogs: 'all' as 'all' | number[],
    admits: true,
    access: 100 as AccessLevel,
  };
  /** Number of visit commands. */
  visits = 0;
  gateway!: TestGateway;
  readonly shares: ShareWriter;
  #nextAddress = 1;
  #nextShare = 100;

  private constructor(
    readonly model: TestReadModel,
    private readonly music: string,
  ) {
    this.shares = new ShareWriter(model.write);
  }

  static async start(): Promise<ShareWorld> {
    const world = new ShareWorld(await testReadModel(), await mkdtemp(join(tmpdir(), 'gateway-shares-')));
    await world.#seed();
    world.gateway = await startTestGateway(world.model.read, {
      commands: world.#commands(),
      now: () => world.standing.nowMs,
      auth: world.#auth(),
    });
    await world.#picture();
    return world;
  }

  async stop(): Promise<void> {
    await this.gateway.stop();
    await this.model.close();
    await rm(this.music, { recursive: true, force: true });
  }

  /** An address that nobody has come from. */
  address(): string {
    return `10.0.0.${(this.#nextAddress += 1)}`;
  }

  get(url: string, { from = this.address(), headers = {}, method = 'GET' }: Asked = {}): Promise<Answer> {
    return this.gateway.app.inject({ url, method, remoteAddress: from, headers });
  }

  pageOf(id: number, options: Asked = {}): Promise<Answer> {
    return this.get(`/share.php?id=${id}&secret=${fixtureSecret(id)}`, options);
  }

  /** Adds a share, of the first album when nothing is said, and answers its number. */
  async shared(row: Partial<Parameters<ShareWriter['add']>[0]> = {}): Promise<number> {
    this.#nextShare += 1;
    await this.shares.add({ id: this.#nextShare, kind: 'album', object_ids: [1], ...row });
    return this.#nextShare;
  }

  async #seed(): Promise<void> {
    const { write } = this.model;
    await seedFixtureLibrary(write, [
      { ...song('1.flac', HOSTILE, 'Harbour'), track: 1 },
      { ...song('2.flac', 'Low Water', 'Harbour'), track: 2 },
      song('3.flac', 'Elsewhere', 'Another'),
      song('4.flac', 'Hidden', 'Secret', 2),
    ]);
    await sql`update library.catalog set path = ${this.music}`.execute(write);
    for (const [folder, name] of [
      ['Harbour', '1.flac'],
      ['Harbour', '2.flac'],
      ['Another', '3.flac'],
      ['Secret', '4.flac'],
    ] as const) {
      await mkdir(join(this.music, folder), { recursive: true });
      await writeFile(join(this.music, folder, name), bytes);
    }
    await seedTestAccounts(write);
  }

  #commands(): CommandClient {
    const commands = this.shares.answer(new InMemoryCommandClient());
    return {
      send: async (command, data, context, options) => {
        if (command.subject === visitShare.subject) this.visits += 1;
        return commands.send(command, data, context, options);
      },
    };
  }

  #auth(): Auth {
    const auth = fixedAuth();
    const { standing } = this;
    return {
      ...auth,
      account: async (id) => {
        const account = await auth.account(id);
        return account && { ...account, disabled: standing.disabled, catalogs: standing.catalogs, access: standing.access };
      },
      admits: async () => standing.admits,
    };
  }

  async #picture(): Promise<void> {
    const picture = await sharp({ create: { width: 80, height: 80, channels: 3, background: 'navy' } })
      .jpeg()
      .toBuffer();
    const hash = await new LocalArtStore(join(this.gateway.dataFolder, 'art')).put(picture);
    await sql`insert into library.art values (${hash}, 'image/jpeg', ${picture.length}, null, null)`.execute(this.model.write);
    await sql`update library.album set art_hash = ${hash} where name = 'Harbour'`.execute(this.model.write);
  }
}

/** The addresses in a page that are for a use. */
export const linksIn = (html: string, use: string): string[] =>
  [...html.matchAll(new RegExp(`"(share\\.php/${use}\\?token=[^"]+)"`, 'g'))].map((match) => `/${match[1] ?? ''}`);
