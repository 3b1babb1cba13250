import {
  catalogId,
  changeLiveStream,
  createLiveStream,
  deleteLiveStream,
  isStationUrl,
  liveStreamId,
  MAX_STATION_NAME,
  Rejection,
  type LiveStreamTerms,
} from '@continuo/contracts';
import { makeShown, runCommand } from '../commands.js';
import type { CallerContext } from '../http/request-context.js';
import { liveStreamsByIds, type LiveStreamView } from '../reads/live-streams.reads.js';
import { inScope } from '../reads/catalog-scope.reads.js';
import type { Viewer } from '../reads/viewer.js';
import type { GatewayServices } from '../services.js';

/** Who looks after stations, on whatever surface. */
export interface StationKeeper {
  readonly services: GatewayServices;
  readonly context: CallerContext;
  readonly viewer: Viewer;
}

/** What somebody says of a station, as they wrote it. Undefined: nothing is said of it. */
export interface WrittenStation {
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  /** Empty: it has none. */
  readonly siteUrl?: string | undefined;
  readonly codec?: string | undefined;
  /** Of one that the caller sees. */
  readonly catalogId?: number | undefined;
}

/** What the caller's surface calls each of them, for refusals. */
export type StationParameters = Readonly<Record<Exclude<keyof WrittenStation, 'catalogId'>, string>>;

/** What stations are coded in (methods.json, `live_stream_create`), and what else recorded stations and players know. */
const CODECS: ReadonlySet<string> = new Set(['mp3', 'flac', 'ogg', 'vorbis', 'opus', 'aac', 'alac', 'mp4', 'm4a', 'aacp', 'wav', 'wma']);
const SHOWN_LENGTH = 100;

const unusable = (parameter: string, value: string, why: string): Rejection =>
  new Rejection('input.invalid', `${why}: ${value.toWellFormed().slice(0, SHOWN_LENGTH).toWellFormed()}`, parameter);

const nameOf = (text: string, parameter: string): string => {
  const name = text
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim();
  if (name === '' || name.length > MAX_STATION_NAME)
    throw unusable(parameter, text, `${parameter} has to have 1 to ${MAX_STATION_NAME} characters`);
  return name;
};

// What was sent is not repeated: it may hold a password.
const urlOf = (text: string, parameter: string): string => {
  const url = text.trim();
  if (isStationUrl(url)) return url;
  throw new Rejection('input.invalid', `${parameter} is no http or https address, or has a name and a password in it`, parameter);
};

/** Lower case, letters and digits alone (methods.json). */
const codecOf = (text: string, parameter: string): string => {
  const codec = text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  if (CODECS.has(codec)) return codec;
  throw unusable(parameter, text, `${parameter} is no codec of stations`);
};

const SUFFIX = /\.(?<suffix>[a-z0-9]{2,5})$/i;

/** What the end of an address says of the codec: `/station.ogg`. Null when it says nothing. */
const codecOfAddress = (url: string): string | null => {
  const suffix = SUFFIX.exec(URL.parse(url)?.pathname ?? '')?.groups?.['suffix']?.toLowerCase() ?? '';
  return CODECS.has(suffix) ? suffix : null;
};

const siteOf = (text: string, parameter: string): string | null => (text.trim() === '' ? null : urlOf(text, parameter));

/** What is said of a new station, as it is kept; no codec when the address is to tell. @throws Rejection `input.invalid` that names the caller's parameter */
export const newStation = (
  written: WrittenStation & { readonly name: string; readonly url: string; readonly catalogId: number },
  parameters: StationParameters,
): LiveStreamTerms => {
  const url = urlOf(written.url, parameters.url);
  return {
    name: nameOf(written.name, parameters.name),
    url,
    siteUrl: siteOf(written.siteUrl ?? '', parameters.siteUrl),
    codec: written.codec === undefined ? codecOfAddress(url) : codecOf(written.codec, parameters.codec),
    catalogId: catalogId.parse(written.catalogId),
  };
};

/** The same of one that there is: what is not said stays. @throws Rejection `input.invalid` */
export const stationChanges = (written: WrittenStation, parameters: StationParameters): Partial<LiveStreamTerms> => {
  const { name, url, siteUrl, codec, catalogId: catalog } = written;
  return {
    ...(name === undefined ? {} : { name: nameOf(name, parameters.name) }),
    ...(url === undefined ? {} : { url: urlOf(url, parameters.url) }),
    ...(siteUrl === undefined ? {} : { siteUrl: siteOf(siteUrl, parameters.siteUrl) }),
    ...(codec === undefined ? {} : { codec: codecOf(codec, parameters.codec) }),
    ...(catalog === undefined ? {} : { catalogId: catalogId.parse(catalog) }),
  };
};

/** A station that the caller may see; undefined for any other. */
export const openStation = async (
  { services, viewer }: Pick<StationKeeper, 'services' | 'viewer'>,
  id: number | undefined,
): Promise<LiveStreamView | undefined> => (id === undefined ? undefined : (await liveStreamsByIds(services.db, [id], viewer))[0]);

/** Makes a station, in a catalog that the caller sees, and answers its number. */
export const makeStation = async ({ services, context, viewer }: StationKeeper, terms: LiveStreamTerms): Promise<number> => {
  if (!inScope(viewer.catalogs, terms.catalogId)) throw new Rejection('catalog.not-found');
  return (await makeShown(services, context, { command: createLiveStream }, terms)).liveStreamId;
};

/** Changes a station that the caller sees. */
export const editStation = async (
  { services, context, viewer }: StationKeeper,
  id: number,
  changes: Partial<LiveStreamTerms>,
): Promise<void> => {
  if (changes.catalogId !== undefined && !inScope(viewer.catalogs, changes.catalogId)) throw new Rejection('catalog.not-found');
  await runCommand(services, context, changeLiveStream, { ...changes, liveStreamId: liveStreamId.parse(id) });
};

/** Ends a station that the caller sees. */
export const endStation = async ({ services, context }: StationKeeper, id: number): Promise<void> => {
  await runCommand(services, context, deleteLiveStream, { liveStreamId: liveStreamId.parse(id) });
};
