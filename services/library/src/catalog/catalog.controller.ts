import { createHash } from 'node:crypto';
import {
  decision,
  done,
  HandlesCommand,
  isSchedule,
  AGGREGATES,
  CONFIG,
  DATABASE,
  SEALER,
  positionsOf,
  type AggregateRunner,
  type Handled,
  type Sealer,
} from '@continuo/chassis';
import {
  addCatalog,
  catalogConnection,
  changeCatalog,
  moveCatalog,
  isElsewhere,
  parseStorageAddress,
  storageAddressText,
  Rejection,
  removeCatalog,
  type CatalogConnection,
  type CatalogId,
  type CatalogType,
  type catalogPathReserved,
  type CommandMessage,
  type EventOf,
} from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import { sql, type Kysely } from 'kysely';
import type { z } from 'zod';
import { sealedCredentials } from '@continuo/media-store';
import { CatalogueReadiness } from '../identity/catalogue-readiness.js';
import { IdentityRegistry } from '../identity/identity-registry.js';
import { contains, folderTerms, usableFolder, type FolderSettings } from './catalog-folder.js';
import { catalogAggregate, catalogPathAggregate } from './catalog.decider.js';
import { requireKnownFiles } from './known-files.reads.js';

/** Adds and removes catalogs. */
@Controller()
export class CatalogController {
  readonly #aggregates: AggregateRunner;
  readonly #registry: IdentityRegistry;
  readonly #readiness: CatalogueReadiness;
  readonly #db: Kysely<unknown>;
  @Inject(SEALER) private readonly sealer!: Sealer;
  @Inject(CONFIG) private readonly config!: FolderSettings;

  constructor(
    @Inject(AGGREGATES) aggregates: AggregateRunner,
    @Inject(IdentityRegistry) registry: IdentityRegistry,
    @Inject(CatalogueReadiness) readiness: CatalogueReadiness,
    @Inject(DATABASE) db: Kysely<unknown>,
  ) {
    this.#aggregates = aggregates;
    this.#registry = registry;
    this.#readiness = readiness;
    this.#db = db;
  }

  @HandlesCommand(addCatalog)
  async add(message: CommandMessage<z.output<typeof addCatalog.schema>>): Promise<Handled<{ catalogId: number }>> {
    await this.#readiness.ready();
    const { data } = message;
    const path = data.type === 'local' ? await usableFolder(data.path, folderTerms(this.config)) : usableAddress(data.type, data.path);
    await this.#refuseOverlap(path);
    const [fresh] = await this.#registry.freshIds('catalog', 1);
    const catalogId = fresh as CatalogId;
    const { credentials, region, type: place, ...plain } = data;
    const connection = place === 'local' ? {} : { connection: this.#connectionOf({ credentials, region }) };
    const added = { ...plain, ...connection, type: 'add', place, catalogId, path } as const;
    const outcome = await this.#aggregates.run(
      [
        decision(catalogPathAggregate, reservationId(path), { type: 'reserve', catalogId, path }),
        decision(catalogAggregate, catalogId, added),
      ],
      { ...message, commandId: message.id },
    );
    // A repeated command finds what its first delivery did: the id given then counts, the fresh one is lost.
    const reserved = outcome.events[0]?.find((event) => event.type === 'CatalogPathReserved') as
      | EventOf<typeof catalogPathReserved>
      | undefined;
    return { result: { catalogId: reserved?.data.catalogId ?? catalogId }, positions: positionsOf(outcome) };
  }

  @HandlesCommand(changeCatalog)
  async change(message: CommandMessage<z.output<typeof changeCatalog.schema>>): Promise<Handled<Record<string, never>>> {
    const { catalogId, region, credentials, ...plain } = message.data;
    if (plain.scanSchedule && !isSchedule(plain.scanSchedule))
      throw new Rejection('input.invalid', 'this is no cron expression', 'scanSchedule');
    const isAboutPlace = region !== undefined || credentials !== undefined;
    const connection = isAboutPlace
      ? { ...(await this.#connectionNow(catalogId)), ...this.#connectionOf({ region, credentials }) }
      : undefined;
    const terms = { ...plain, ...(connection ? { connection } : {}) };
    return done(
      this.#aggregates.run([decision(catalogAggregate, catalogId, { type: 'change', catalogId, terms })], {
        ...message,
        commandId: message.id,
      }),
    );
  }

  @HandlesCommand(moveCatalog)
  async move(message: CommandMessage<z.output<typeof moveCatalog.schema>>): Promise<Handled<{ path: string }>> {
    const { catalogId, path: given, force } = message.data;
    const { state } = await this.#aggregates.load(catalogAggregate, catalogId);
    const path = isElsewhere(given) ? usableAddress(state.place, given) : await usableFolder(given, folderTerms(this.config));
    if (state.path === path) return { result: { path }, positions: [] };
    await this.#refuseOverlap(path, catalogId);
    if (!force && isElsewhere(path))
      throw new Rejection('catalog.path-unusable', 'nobody looks whether its files are there: force it', path);
    if (!force) await requireKnownFiles(this.#db, catalogId, path);
    const outcome = await this.#aggregates.run(
      [
        decision(catalogAggregate, catalogId, { type: 'move', catalogId, path }),
        decision(catalogPathAggregate, reservationId(state.path), { type: 'release', catalogId, path: state.path }),
        decision(catalogPathAggregate, reservationId(path), { type: 'reserve', catalogId, path }),
      ],
      { ...message, commandId: message.id },
    );
    return { result: { path }, positions: positionsOf(outcome) };
  }

  @HandlesCommand(removeCatalog)
  async remove(message: CommandMessage<z.output<typeof removeCatalog.schema>>): Promise<Handled<Record<string, never>>> {
    const { catalogId } = message.data;
    const { state } = await this.#aggregates.load(catalogAggregate, catalogId);
    const outcome = await this.#aggregates.run(
      [
        decision(catalogAggregate, catalogId, { type: 'remove', catalogId }),
        decision(catalogPathAggregate, reservationId(state.path), { type: 'release', catalogId, path: state.path }),
      ],
      { ...message, commandId: message.id },
    );
    return done(outcome);
  }

  /** Reads the stored connection of a catalog in other storage. */
  async #connectionNow(catalogId: CatalogId): Promise<CatalogConnection> {
    const { rows } = await sql<{ connection: string | null }>`select connection from library.catalog where id = ${catalogId}`.execute(
      this.#db,
    );
    const text = rows[0]?.connection;
    return text ? catalogConnection.parse(JSON.parse(text)) : {};
  }

  /** Secrets go into the log sealed. */
  #connectionOf({ credentials, region }: Pick<z.output<typeof addCatalog.schema>, 'credentials' | 'region'>): CatalogConnection {
    return {
      ...(region === undefined ? {} : { region }),
      ...(credentials === undefined ? {} : { sealedCredentials: sealedCredentials(this.sealer, credentials) }),
    };
  }

  /** A catalog inside another would show every file twice. This is for nested folders; for the same folder the reservation decides. */
  async #refuseOverlap(path: string, own?: CatalogId): Promise<void> {
    const { rows } = await sql<{ id: number; path: string }>`select id, path from library.catalog`.execute(this.#db);
    const other = rows.find((row) => row.id !== own && row.path !== path && (contains(row.path, path) || contains(path, row.path)));
    if (other) throw new Rejection('catalog.path-taken', `the folder overlaps with the catalog at ${other.path}`, path);
  }
}

/** The form in which an address is kept. */
const usableAddress = (type: CatalogType, text: string): string => {
  const address = parseStorageAddress(text);
  if (address?.type !== type) throw new Rejection('catalog.path-unusable', `this is no address of a catalog of type ${type}`, text);
  return storageAddressText(address);
};

const reservationId = (path: string): string => createHash('sha256').update(path).digest('hex').slice(0, 40);
