import {
  isElsewhere,
  parseStorageAddress,
  storageAddressText,
  Rejection,
  type CatalogCredentials,
  type CatalogType,
  type StorageAddress,
} from '@continuo/contracts';
import { StorageUnavailable } from '@continuo/media-store';
import type { HasCatalogStorage } from '../../server/needs.js';

/** A storage to add as a catalog. */
export interface RequestedStorage {
  readonly type: Exclude<CatalogType, 'local'>;
  /** The address of a catalog, or what people call it: the address of a server, or `bucket/prefix`. */
  readonly path: string;
  /** Empty together with the password: S3 storage is asked with the server's own key. */
  readonly username: string;
  readonly password: string;
  /** Of S3 storage; empty for the usual one. */
  readonly region: string;
}

/** Address and account of a catalog in S3 storage or on another server. */
export interface NewStorage {
  readonly type: Exclude<CatalogType, 'local'>;
  readonly path: string;
  readonly region?: string;
  readonly credentials?: CatalogCredentials;
}

const addressOf = ({ type, path }: RequestedStorage): StorageAddress | undefined => {
  if (isElsewhere(path)) return parseStorageAddress(path);
  return parseStorageAddress(/^https?:\/\//.test(path) ? `${type}+${path}` : `${type}://${path}`);
};

/**
 * Makes of what somebody wants the address of a catalog and the account that asks it. The storage is asked once: what cannot be reached now is more likely a mistake than a server
 * that is away.
 * @throws Rejection `catalog.path-unusable` for what is no address, and for a storage that refuses or does not answer
 */
export const newStorage = async ({ catalogStorage }: HasCatalogStorage, wanted: RequestedStorage): Promise<NewStorage> => {
  const { type, path, username, password, region } = wanted;
  const address = addressOf(wanted);
  if (address?.type !== type) throw new Rejection('catalog.path-unusable', `this is no address of a catalog of type ${type}`, path);
  const account = {
    ...(region === '' ? {} : { region }),
    ...(username === '' || password === '' ? {} : { credentials: { name: username, secret: password } }),
  };
  try {
    await (await catalogStorage.open(address, account)).check();
  } catch (error) {
    if (error instanceof StorageUnavailable) throw new Rejection('catalog.path-unusable', error.message, path, { cause: error });
    throw error;
  }
  return { type, path: storageAddressText(address), ...account };
};
