import {
  catalogConnection,
  catalogCredentials,
  parseStorageAddress,
  Rejection,
  type CatalogCredentials,
  type StorageAddress,
  type ReadModel,
} from '@continuo/contracts';
import type { Kysely } from 'kysely';
import type { OutboundClient, Sealer } from '@continuo/chassis';
import { StorageUnavailable, type FileStorage } from './file-storage.js';
import { openStorage, type StorageOptions } from './open-storage.js';

/** Dependencies of {@link CatalogStorage}. */
export interface CatalogStorageOptions {
  /** The read model, or a part of it with the catalogs. */
  readonly db: Kysely<ReadModel>;
  readonly sealer: Sealer;
  readonly outbound: OutboundClient;
  /** Key of S3 storage for catalogs without one of their own. */
  readonly s3: S3Defaults;
  /** Id of this installation, sent to other servers. */
  readonly instance: string;
  /** Replaces the opening, for specs. */
  readonly open?: (settings: StorageOptions) => Promise<FileStorage>;
}

/** S3 settings of a service. */
export interface S3Defaults {
  readonly accessKeyId?: string | undefined;
  readonly secretAccessKey?: string | undefined;
  readonly region?: string | undefined;
}

/** Age after which the connection of a catalog is read again, ms: a changed password is used by then. */
const KNOWN_MS = 60_000;

/** Region of S3 storage when none is set. */
export const DEFAULT_REGION = 'us-east-1';

/** Region and credentials for a storage. */
export interface StorageAccount {
  /** Of S3 storage; absent: that of the settings. */
  readonly region?: string | undefined;
  /** Absent: those of the settings. */
  readonly credentials?: CatalogCredentials | undefined;
}

interface Known {
  readonly connection: string | null;
  readonly storage: FileStorage;
  readonly readAtMs: number;
}

/** Storage of the catalogs that are no folders of this machine; opened at first use and kept. */
export class CatalogStorage {
  readonly #known = new Map<string, Known>();
  readonly #opening = new Map<string, Promise<Known>>();

  constructor(private readonly options: CatalogStorageOptions) {}

  /**
   * Returns the storage of the catalog with this root.
   * @param knownMs how old the kept connection of the catalog may be, ms
   * @throws Rejection `unavailable` when nothing is known of it, or its secret cannot be opened
   */
  async at(root: string, knownMs: number = KNOWN_MS): Promise<FileStorage> {
    const known = this.#known.get(root);
    if (known && performance.now() - known.readAtMs < knownMs) return known.storage;
    const opening = this.#opening.get(root) ?? this.#look(root, known).finally(() => this.#opening.delete(root));
    this.#opening.set(root, opening);
    return (await opening).storage;
  }

  /**
   * Opens a storage, also one that is no catalog yet.
   * @throws StorageUnavailable without credentials
   */
  async open(address: StorageAddress, { region, credentials }: StorageAccount): Promise<FileStorage> {
    const { outbound, s3, instance, open = openStorage } = this.options;
    return open({
      address,
      region: region ?? s3.region ?? DEFAULT_REGION,
      credentials: credentials ?? this.#usual(address),
      outbound,
      instance,
    });
  }

  async #look(root: string, before: Known | undefined): Promise<Known> {
    const row = await this.options.db.selectFrom('library.catalog').select('connection').where('path', '=', root).executeTakeFirst();
    const address = parseStorageAddress(root);
    if (!row || !address) throw new Rejection('unavailable', 'there is no such catalog', root);
    const isSame = before !== undefined && before.connection === row.connection;
    const storage = isSame ? before.storage : await this.#opened(address, row.connection, root);
    const known = { connection: row.connection, storage, readAtMs: performance.now() };
    this.#known.set(root, known);
    return known;
  }

  async #opened(address: StorageAddress, connection: string | null, root: string): Promise<FileStorage> {
    try {
      const { region, sealedCredentials: sealed } = connection === null ? {} : catalogConnection.parse(JSON.parse(connection));
      return await this.open(address, { region, ...(sealed === undefined ? {} : { credentials: this.#unsealed(sealed) }) });
    } catch (error) {
      if (error instanceof StorageUnavailable) throw new Rejection('unavailable', error.message, root, { cause: error });
      throw error;
    }
  }

  #usual({ type }: StorageAddress): CatalogCredentials {
    if (type !== 's3') throw new StorageUnavailable('the catalog has no account');
    return keyOfSettings(this.options.s3);
  }

  #unsealed(sealed: string): CatalogCredentials {
    try {
      return catalogCredentials.parse(JSON.parse(this.options.sealer.open(sealed)));
    } catch (error) {
      throw new StorageUnavailable('its credentials were sealed under another CONTINUO_SECRET; set them anew', { cause: error });
    }
  }
}

/** Key of S3 storage from the settings. @throws StorageUnavailable when they have none */
export const keyOfSettings = ({ accessKeyId, secretAccessKey }: S3Defaults): CatalogCredentials => {
  if (accessKeyId && secretAccessKey) return { name: accessKeyId, secret: secretAccessKey };
  throw new StorageUnavailable('the storage has no key of its own, and S3_ACCESS_KEY_ID or S3_SECRET_ACCESS_KEY is not set');
};

/** Seals the credentials of a storage. */
export const sealedCredentials = (sealer: Sealer, credentials: CatalogCredentials): string => sealer.seal(JSON.stringify(credentials));
