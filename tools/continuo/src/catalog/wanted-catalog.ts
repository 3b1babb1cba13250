import { basename, resolve } from 'node:path';
import { isElsewhere, parsePlaceAddress, placeAddressText, type addCatalog } from '@continuo/contracts';
import type { z } from 'zod';
import { CliError } from '../connect/cli-error.js';

/** What a person says of a catalog that is to be added. */
export interface WantedOptions {
  readonly name?: string;
  /** Access key or user name at another place. */
  readonly account?: string;
  /** Of S3 storage. */
  readonly region?: string;
}

type Added = Pick<z.input<typeof addCatalog.schema>, 'path' | 'name' | 'type' | 'region' | 'credentials'>;

/** Who asks another place. @throws CliError for an account without its secret */
export const accountOf = ({ account, region }: WantedOptions, secret: string | undefined): Pick<Added, 'region' | 'credentials'> => {
  if (account !== undefined && secret === undefined)
    throw new CliError('the secret of the account is missing', 'set CONTINUO_CATALOG_SECRET for this command');
  return {
    ...(region === undefined ? {} : { region }),
    ...(account === undefined || secret === undefined ? {} : { credentials: { name: account, secret } }),
  };
};

/**
 * The catalog that a person means by a folder or by the address of another place.
 * @param secret that of the account
 * @throws CliError for an address that is none, and for an account without its secret
 */
export const wantedCatalog = (place: string, options: WantedOptions, secret: string | undefined): Added => {
  const address = parsePlaceAddress(place);
  if (!address && isElsewhere(place)) throw new CliError(`${place} is no address of a catalog`, 'docs/operate/catalogs.md has examples');
  const path = address ? placeAddressText(address) : resolve(place);
  const named = { path, name: options.name ?? (basename(path) || 'Music') };
  return address ? { ...named, type: address.type, ...accountOf(options, secret) } : named;
};
