import { EventSourcedRunner, type AppendMeta, type AppendPart } from '@continuo/chassis';
import { InMemoryEventStore, noSnapshots } from '@continuo/chassis/testkit';
import { catalogAdded, catalogId, recordFolder, recordVideos, type MessageContext, type RecordedEvent } from '@continuo/contracts';
import { CatalogueReadiness, FolderController, IdentityRegistry, VideoController } from '@continuo/library';
import type { Kysely } from 'kysely';
import { pino } from 'pino';
import type { z } from 'zod';
import { createReadModel, projectInto, type InstalledProjection } from './install.js';

/** Record of a folder, as a scan would send it. */
export type FolderRecord = z.input<typeof recordFolder.schema>;
/** Record of a folder of videos, as a scan would send it. */
export type VideoFolderRecord = z.input<typeof recordVideos.schema>;
/** A catalog to be; its path need not exist. */
export interface CatalogRecord {
  readonly id: number;
  readonly name: string;
  readonly path: string;
  /** Media of the catalog; default: music. */
  readonly gatherTypes?: 'music' | 'podcast' | 'video';
}

/** A log in memory that keeps what it was given, in order. */
export class RecordingEventStore extends InMemoryEventStore {
  readonly events: RecordedEvent[] = [];

  override async append(parts: readonly AppendPart[], meta: AppendMeta) {
    const appended = await super.append(parts, meta);
    const fresh = await Promise.all(parts.map((part) => this.read(part.context, part.aggregate, part.id, part.expectedPosition)));
    this.events.push(...fresh.flat().toSorted((a, b) => a.position - b.position));
    return appended;
  }
}

const BY: MessageContext = { actor: 'system', correlationId: 'read-model', causationId: 'read-model' };

/**
 * Writes a library into a read model the way in which a running server does: the library's own handler decides, its registry gives the ids, its
 * projection makes the rows. Ids count up from 1 per kind, in the order in which things come up.
 */
export class LibraryWriter {
  readonly #log = new RecordingEventStore();
  readonly #registry: IdentityRegistry;
  readonly #folders: FolderController;
  readonly #videos: VideoController;
  readonly #readiness: CatalogueReadiness;
  #commands = 0;
  #projected = 0;

  private constructor(
    private readonly db: Kysely<unknown>,
    private readonly installed: readonly InstalledProjection[],
  ) {
    this.#readiness = new CatalogueReadiness(db, this.#log, pino({ level: 'silent' }));
    this.#registry = new IdentityRegistry(db);
    const runner = new EventSourcedRunner(this.#log, noSnapshots);
    this.#folders = new FolderController(runner, this.#registry, this.#readiness);
    this.#videos = new VideoController(runner, this.#registry, this.#readiness);
  }

  /** Starts writing into a read model whose library is empty; its tables are made when they are not there. */
  static async over(db: Kysely<unknown>): Promise<LibraryWriter> {
    const writer = new LibraryWriter(db, await createReadModel(db));
    await writer.#readiness.prepare();
    return writer;
  }

  /** Adds a catalog. `atMs` is when, as epoch milliseconds. */
  async catalog({ id, name, path, gatherTypes = 'music' }: CatalogRecord, atMs: number): Promise<void> {
    const fact = {
      catalogId: catalogId.parse(id),
      name,
      path,
      type: 'local',
      gatherTypes,
      renamePattern: null,
      sortPattern: null,
    } as const;
    const part = { context: 'library', aggregate: 'catalog', id, expectedPosition: 0, events: [catalogAdded(fact)] } as const;
    await this.#log.append([part], { ...BY, at: atMs });
  }

  /** Records what a scan found in a folder. `atMs` is when, as epoch milliseconds: songs are added then. */
  async folder(record: FolderRecord, atMs: number): Promise<void> {
    this.#commands += 1;
    await this.#nameInOrder(record);
    await this.#folders.record({ ...BY, id: `read-model-${this.#commands}`, at: atMs, data: recordFolder.schema.parse(record) });
  }

  /** Records what a scan found in a folder of videos. `atMs` is when, as epoch milliseconds: videos are added then. */
  async videos(record: VideoFolderRecord, atMs: number): Promise<void> {
    this.#commands += 1;
    await this.#nameFolders(record);
    await this.#videos.record({ ...BY, id: `read-model-${this.#commands}`, at: atMs, data: recordVideos.schema.parse(record) });
  }

  /** Gives artists their ids beforehand, in this order: those who only take part in songs otherwise come between. */
  async nameArtists(names: readonly string[]): Promise<void> {
    for (const name of names) await this.#registry.resolveArtists([{ name }]);
  }

  /** The registry takes ids for many names at once and leaves gaps; asked name by name it leaves none, so that specs can count. */
  async #nameInOrder(record: FolderRecord): Promise<void> {
    await this.#nameFolders(record);
    for (const { artists, albumArtists, composers = [], contributors = [] } of record.tracks) {
      for (const credit of [...artists, ...albumArtists]) await this.#registry.resolveArtists([credit]);
      await this.nameArtists([...composers, ...contributors.map(({ name }) => name)]);
    }
  }

  async #nameFolders({ catalogId: catalog, path }: { readonly catalogId: number; readonly path: string }): Promise<void> {
    const segments = path === '' ? [] : path.split('/');
    for (let depth = 0; depth <= segments.length; depth += 1) {
      const folder = segments.slice(0, depth).join('/');
      await this.#registry.resolve('folder', [{ key: `${catalog}|${folder}`, name: folder }]);
    }
  }

  /** Projects what was written since the last time. */
  async finish(): Promise<void> {
    const events = this.#log.events.slice(this.#projected);
    this.#projected = this.#log.events.length;
    for (const one of this.installed) if (one.projection.context === 'library') await projectInto(this.db, one, events);
  }
}
