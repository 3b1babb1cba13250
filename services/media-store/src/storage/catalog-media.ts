import type { ReadModel } from '@continuo/contracts';
import type { Kysely } from 'kysely';
import {
  type AddressRange,
  checkedOutboundClient,
  keyedDigest,
  type OutboundCount,
  type Sealer,
  type ServerSecret,
} from '@continuo/chassis';
import { CatalogMediaStore } from '../adapters/catalog-media-store.js';
import { CatalogStorage } from './catalog-storage.js';
import { LoopbackMedia } from './loopback-media.js';
import { s3DefaultsOf, type StorageConfig } from './storage-settings.js';

/** Id of this installation for other servers: the same for all its services; the secret cannot be derived from it. */
export const instanceOf = (secret: ServerSecret): string => keyedDigest(secret, 'instance/v1')('continuo').slice(0, 32);

/** Connections to one host at the same time: a scan reads many files at once, each in some ranges. */
const CONNECTIONS_PER_HOST = 64;

/** Readers of the media of all catalogs, in folders and in other storage. */
export interface CatalogMedia {
  readonly store: CatalogMediaStore;
  readonly storage: CatalogStorage;
  readonly loopback: LoopbackMedia;
  /** Aborts reads from other storage. */
  readonly close: () => Promise<void>;
}

/** Opens the media of all catalogs for a service. Nothing is asked before the first file is. */
export const openCatalogMedia = (options: {
  readonly db: Kysely<ReadModel>;
  readonly sealer: Sealer;
  readonly secrets: ServerSecret;
  /** Counts requests to storage, under the purpose `places`. */
  readonly metrics: OutboundCount['metrics'];
  readonly config: StorageConfig & { readonly OUTBOUND_ALLOWED_NETWORKS: readonly AddressRange[] };
}): CatalogMedia => {
  const { db, sealer, secrets, config, metrics } = options;
  const outbound = checkedOutboundClient({
    allowed: config.OUTBOUND_ALLOWED_NETWORKS,
    connectionsPerHost: CONNECTIONS_PER_HOST,
    counted: { metrics, purpose: 'places' },
  });
  const storage = new CatalogStorage({ db, sealer, outbound, s3: s3DefaultsOf(config), instance: instanceOf(secrets) });
  const storageAt = (root: string) => storage.at(root);
  const loopback = new LoopbackMedia(storageAt);
  return {
    store: new CatalogMediaStore({ storageAt, loopback }),
    storage,
    loopback,
    close: async () => {
      await loopback.close();
      await outbound.close();
    },
  };
};
