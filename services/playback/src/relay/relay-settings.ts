import { OutboundError, requireWebAddress } from '@continuo/chassis';
import { Rejection } from '@continuo/contracts';
import type { PlaybackConfig } from '../config.js';
import type { LastfmKeys } from './lastfm/lastfm.adapter.js';

/** Addresses and keys of scrobble services, set by the operator. */
export interface RelaySettings {
  /** Base URL of the API of ListenBrainz. */
  readonly listenBrainzUrl: string;
  readonly ownAddresses: boolean;
  readonly lastfm: { readonly url: string; readonly allowUrl: string; readonly keys: LastfmKeys } | undefined;
}

const TAIL = /(?:\/1(?:\/submit-listens)?)?\/*$/;

const form = (message: string): Rejection => new Rejection('input.invalid', message, 'address');

/**
 * The address behind which `/1/submit-listens` lies, of one that somebody wrote down, with or without that.
 * @throws Rejection `input.invalid` for what is no address of a web server
 */
export const listenBrainzBase = (text: string): string => {
  try {
    const url = requireWebAddress(text);
    if (url.search !== '' || url.hash !== '') throw form('the address must end before any ? or #');
    return url.origin + url.pathname.replace(TAIL, '');
  } catch (error) {
    if (error instanceof OutboundError) throw new Rejection('input.invalid', error.message, 'address', { cause: error });
    throw error;
  }
};

const lastfmOf = (config: PlaybackConfig): RelaySettings['lastfm'] => {
  const { LASTFM_API_KEY: apiKey, LASTFM_API_SECRET: secret } = config;
  if (apiKey === undefined && secret === undefined) return undefined;
  if (apiKey === undefined || secret === undefined)
    throw new Error('LASTFM_API_KEY and LASTFM_API_SECRET belong together: set both or neither.');
  return { url: config.LASTFM_API_URL, allowUrl: config.LASTFM_ALLOW_URL, keys: { apiKey, secret } };
};

/** The settings of the relay. @throws Error with a sentence for the operator */
export const relaySettings = (config: PlaybackConfig): RelaySettings => ({
  listenBrainzUrl: listenBrainzBase(config.LISTENBRAINZ_API_URL),
  ownAddresses: config.RELAY_OWN_ADDRESSES,
  lastfm: lastfmOf(config),
});
