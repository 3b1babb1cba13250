import { PlaceUnusable } from '@continuo/chassis';
import {
  isElsewhere,
  parsePlaceAddress,
  placeAddressText,
  Rejection,
  type CatalogCredentials,
  type CatalogType,
  type PlaceAddress,
} from '@continuo/contracts';
import type { GatewayServices } from '../services.js';

/** A place that somebody wants to have as a catalog. */
export interface WantedPlace {
  readonly type: Exclude<CatalogType, 'local'>;
  /** The address of a catalog, or what people call it: the address of a server, or `bucket/prefix`. */
  readonly path: string;
  /** Empty together with the password: S3 storage is asked with the server's own key. */
  readonly username: string;
  readonly password: string;
  /** Of S3 storage; empty for the usual one. */
  readonly region: string;
}

/** What a catalog of another place is added with. */
export interface NewPlace {
  readonly type: Exclude<CatalogType, 'local'>;
  readonly path: string;
  readonly region?: string;
  readonly credentials?: CatalogCredentials;
}

const addressOf = ({ type, path }: WantedPlace): PlaceAddress | undefined => {
  if (isElsewhere(path)) return parsePlaceAddress(path);
  return parsePlaceAddress(/^https?:\/\//.test(path) ? `${type}+${path}` : `${type}://${path}`);
};

/**
 * Makes of what somebody wants the address of a catalog and the account that asks it. The place is asked once: what cannot be reached now is more likely a mistake than a server
 * that is away.
 * @throws Rejection `catalog.path-unusable` for what is no address, and for a place that refuses or does not answer
 */
export const newPlace = async ({ places }: Pick<GatewayServices, 'places'>, wanted: WantedPlace): Promise<NewPlace> => {
  const { type, path, username, password, region } = wanted;
  const address = addressOf(wanted);
  if (address?.type !== type) throw new Rejection('catalog.path-unusable', `this is no address of a catalog of type ${type}`, path);
  const account = {
    ...(region === '' ? {} : { region }),
    ...(username === '' || password === '' ? {} : { credentials: { name: username, secret: password } }),
  };
  try {
    await (await places.open(address, account)).check();
  } catch (error) {
    if (error instanceof PlaceUnusable) throw new Rejection('catalog.path-unusable', error.message, path, { cause: error });
    throw error;
  }
  return { type, path: placeAddressText(address), ...account };
};
