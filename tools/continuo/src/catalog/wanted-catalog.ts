import { basename, isAbsolute, resolve } from 'node:path';
import { isElsewhere, parseStorageAddress, storageAddressText } from '@continuo/contracts';
import type { ManageTypes } from '@continuo/client';
import { OperatorError } from '@continuo/operations';
import type { Api } from '../connect/api.js';

/** Options of adding a catalog. */
export interface WantedOptions {
  readonly name?: string;
  /** Access key or user name at another place. */
  readonly account?: string;
  /** Of S3 storage. */
  readonly region?: string;
}

type NewCatalog = ManageTypes['schemas']['NewCatalog'];

/** Credentials for a remote catalog. @throws OperatorError for an account without its secret */
export const accountOf = (
  { account: username, region }: WantedOptions,
  password: string | undefined,
): { region?: string; username?: string; password?: string } => {
  if (username !== undefined && password === undefined)
    throw new OperatorError('the secret of the account is missing', 'set CONTINUO_CATALOG_SECRET for this command');
  return {
    ...(region === undefined ? {} : { region }),
    ...(username === undefined || password === undefined ? {} : { username, password }),
  };
};

/** Kind of storage and path of a place: a folder of the server, or the address of other storage. @throws OperatorError for what is neither */
export const storageOf = ({ isElsewhere: isOtherServer }: Api, place: string): Pick<NewCatalog, 'type' | 'path'> => {
  const address = parseStorageAddress(place);
  if (address) return { type: address.type, path: storageAddressText(address) };
  if (isElsewhere(place)) throw new OperatorError(`${place} is no address of a catalog`, 'docs/operate/catalogs.md has examples');
  if (isOtherServer && !isAbsolute(place))
    throw new OperatorError(`${place} is not a whole path`, 'folders are those of the server: name them from its root');
  return { type: 'local', path: resolve(place) };
};

/**
 * The catalog that a person means by a folder or by the address of another place.
 * @param secret that of the account
 * @throws OperatorError for an address that is none, and for an account without its secret
 */
export const wantedCatalog = (api: Api, place: string, { options, secret }: { options: WantedOptions; secret: string | undefined }) => {
  const storage = storageOf(api, place);
  const named = { ...storage, name: options.name ?? (basename(storage.path) || 'Music') };
  return storage.type === 'local' ? named : { ...named, ...accountOf(options, secret) };
};
