import {
  catalogConnection,
  catalogCredentials,
  parsePlaceAddress,
  Rejection,
  type CatalogCredentials,
  type PlaceAddress,
  type ReadModel,
} from '@continuo/contracts';
import type { Kysely } from 'kysely';
import type { OutboundClient } from '../../outbound/outbound-client.js';
import type { Sealer } from '../../security/sealer.js';
import { PlaceUnusable, type FilePlace } from './file-place.js';
import { openPlace, type PlaceSettings } from './open-place.js';

/** What places are opened with. */
export interface PlacesOptions {
  /** The read model, or a part of it with the catalogs. */
  readonly db: Kysely<ReadModel>;
  readonly sealer: Sealer;
  readonly outbound: OutboundClient;
  /** Key of S3 storage for catalogs without one of their own. */
  readonly s3: S3Defaults;
  /** Which server this is; others know it again by that. */
  readonly instance: string;
  /** Replaces the opening, for specs. */
  readonly open?: (settings: PlaceSettings) => Promise<FilePlace>;
}

/** What the settings of a service say of S3 storage. */
export interface S3Defaults {
  readonly accessKeyId?: string | undefined;
  readonly secretAccessKey?: string | undefined;
  readonly region?: string | undefined;
}

/** How long what is known of a catalog counts, ms: a password that was changed is used by then. */
const KNOWN_MS = 60_000;

/** Where S3 storage lies when nothing is said. */
const DEFAULT_REGION = 'us-east-1';

/** Who asks a place. */
export interface PlaceAccount {
  /** Of S3 storage; absent: that of the settings. */
  readonly region?: string | undefined;
  /** Absent: those of the settings. */
  readonly credentials?: CatalogCredentials | undefined;
}

interface Known {
  readonly connection: string | null;
  readonly place: FilePlace;
  readonly readAtMs: number;
}

/** The places of catalogs that are no folders of this machine, opened when they are first asked and kept. */
export class CatalogPlaces {
  readonly #known = new Map<string, Known>();
  readonly #opening = new Map<string, Promise<Known>>();

  constructor(private readonly options: PlacesOptions) {}

  /**
   * The place of the catalog whose root is called so.
   * @param knownMs how old what is known of the catalog may be, ms
   * @throws Rejection `unavailable` when nothing is known of it, or its secret cannot be opened
   */
  async at(root: string, knownMs: number = KNOWN_MS): Promise<FilePlace> {
    const known = this.#known.get(root);
    if (known && performance.now() - known.readAtMs < knownMs) return known.place;
    const opening = this.#opening.get(root) ?? this.#look(root, known).finally(() => this.#opening.delete(root));
    this.#opening.set(root, opening);
    return (await opening).place;
  }

  /**
   * Opens a place, also one that is no catalog yet.
   * @throws PlaceUnusable when it cannot be said who asks
   */
  async open(address: PlaceAddress, { region, credentials }: PlaceAccount): Promise<FilePlace> {
    const { outbound, s3, instance, open = openPlace } = this.options;
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
    const address = parsePlaceAddress(root);
    if (!row || !address) throw new Rejection('unavailable', 'there is no such catalog', root);
    const isSame = before !== undefined && before.connection === row.connection;
    const place = isSame ? before.place : await this.#opened(address, row.connection, root);
    const known = { connection: row.connection, place, readAtMs: performance.now() };
    this.#known.set(root, known);
    return known;
  }

  async #opened(address: PlaceAddress, connection: string | null, root: string): Promise<FilePlace> {
    try {
      const { region, sealedCredentials: sealed } = connection === null ? {} : catalogConnection.parse(JSON.parse(connection));
      return await this.open(address, { region, ...(sealed === undefined ? {} : { credentials: this.#unsealed(sealed) }) });
    } catch (error) {
      if (error instanceof PlaceUnusable) throw new Rejection('unavailable', error.message, root, { cause: error });
      throw error;
    }
  }

  #usual({ type }: PlaceAddress): CatalogCredentials {
    const { accessKeyId, secretAccessKey } = this.options.s3;
    if (type === 's3' && accessKeyId && secretAccessKey) return { name: accessKeyId, secret: secretAccessKey };
    throw new PlaceUnusable(
      type === 's3' ? 'the catalog has no key, and neither S3_ACCESS_KEY_ID nor S3_SECRET_ACCESS_KEY is set' : 'the catalog has no account',
    );
  }

  #unsealed(sealed: string): CatalogCredentials {
    try {
      return catalogCredentials.parse(JSON.parse(this.options.sealer.open(sealed)));
    } catch (error) {
      throw new PlaceUnusable('its credentials were sealed under another CONTINUO_SECRET; set them anew', { cause: error });
    }
  }
}

/** Seals what a place is asked with. */
export const sealedCredentials = (sealer: Sealer, credentials: CatalogCredentials): string => sealer.seal(JSON.stringify(credentials));
