import type { ReadModel } from '@continuo/contracts';
import type { Kysely } from 'kysely';
import { checkedOutboundClient, type OutboundCount } from '../../outbound/adapters/checked-outbound-client.js';
import type { AddressRange } from '../../outbound/public-address.js';
import { keyedDigest } from '../../security/digest.js';
import type { Sealer } from '../../security/sealer.js';
import type { ServerSecret } from '../../security/secret-ring.js';
import { CatalogMediaStore } from '../adapters/catalog-media-store.js';
import { CatalogPlaces } from './catalog-places.js';
import { LoopbackMedia } from './loopback-media.js';
import { s3DefaultsOf, type PlaceConfig } from './place-settings.js';

/** What other servers know this one by: the same for all its services, and nothing that can be turned back into the secret. */
export const instanceOf = (secret: ServerSecret): string => keyedDigest(secret, 'instance/v1')('continuo').slice(0, 32);

/** Connections to one host at the same time: a scan reads many files at once, each in some ranges. */
const CONNECTIONS_PER_HOST = 64;

/** What a service reads media with, wherever they lie. */
export interface CatalogMedia {
  readonly store: CatalogMediaStore;
  readonly places: CatalogPlaces;
  readonly loopback: LoopbackMedia;
  /** Ends what is read from other places. */
  readonly close: () => Promise<void>;
}

/** Opens the media of all catalogs for a service. Nothing is asked before the first file is. */
export const openCatalogMedia = (options: {
  readonly db: Kysely<ReadModel>;
  readonly sealer: Sealer;
  readonly secrets: ServerSecret;
  /** Where requests to places are counted, as those for `places`. */
  readonly metrics: OutboundCount['metrics'];
  readonly config: PlaceConfig & { readonly OUTBOUND_ALLOWED_NETWORKS: readonly AddressRange[] };
}): CatalogMedia => {
  const { db, sealer, secrets, config, metrics } = options;
  const outbound = checkedOutboundClient({
    allowed: config.OUTBOUND_ALLOWED_NETWORKS,
    connectionsPerHost: CONNECTIONS_PER_HOST,
    counted: { metrics, purpose: 'places' },
  });
  const places = new CatalogPlaces({ db, sealer, outbound, s3: s3DefaultsOf(config), instance: instanceOf(secrets) });
  const placeAt = (root: string) => places.at(root);
  const loopback = new LoopbackMedia(placeAt);
  return {
    store: new CatalogMediaStore({ placeAt, loopback }),
    places,
    loopback,
    close: async () => {
      await loopback.close();
      await outbound.close();
    },
  };
};
