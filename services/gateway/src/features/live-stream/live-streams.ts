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
import { runAndAwaitReadModel, runCommand } from '../../server/commands.js';
import type { CallerWith } from '../../server/requests/request-context.js';
import { liveStreamsByIds, type LiveStreamView } from '../../reads/podcasts/live-streams.reads.js';
import { inScope } from '../../reads/visibility/catalog-scope.reads.js';
import type { HasReadModel } from '../../reads/database/database.js';
import type { HasCommands, HasConfig } from '../../server/needs.js';

type Services = HasCommands & HasConfig & HasReadModel;

/** Caller that manages radio stations. */
export type StationEditor = CallerWith<Services>;

/** Unparsed fields of a station; undefined fields are unchanged. */
export interface StationInput {
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  /** Empty removes it. */
  readonly siteUrl?: string | undefined;
  readonly codec?: string | undefined;
  /** A catalog that the caller sees. */
  readonly catalogId?: number | undefined;
}

/** Parameter names of the caller's API, for error messages. */
export type StationParameters = Readonly<Record<Exclude<keyof StationInput, 'catalogId'>, string>>;

/** Codecs of `live_stream_create`, and further ones that recorded stations and players know. */
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

// The value is not repeated in the message: it may contain a password.
const urlOf = (text: string, parameter: string): string => {
  const url = text.trim();
  if (isStationUrl(url)) return url;
  throw new Rejection('input.invalid', `${parameter} is no http or https address, or has a name and a password in it`, parameter);
};

/** Lower case, letters and digits only. */
const codecOf = (text: string, parameter: string): string => {
  const codec = text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  if (CODECS.has(codec)) return codec;
  throw unusable(parameter, text, `${parameter} is no codec of stations`);
};

const SUFFIX = /\.(?<suffix>[a-z0-9]{2,5})$/i;

/** Codec by the suffix of an address (`/station.ogg`); null when unknown. */
const codecOfAddress = (url: string): string | null => {
  const suffix = SUFFIX.exec(URL.parse(url)?.pathname ?? '')?.groups?.['suffix']?.toLowerCase() ?? '';
  return CODECS.has(suffix) ? suffix : null;
};

const siteOf = (text: string, parameter: string): string | null => (text.trim() === '' ? null : urlOf(text, parameter));

/** Parses the fields of a new station; no codec when the address determines it. @throws Rejection `input.invalid` naming the caller's parameter */
export const parseNewStation = (
  written: StationInput & { readonly name: string; readonly url: string; readonly catalogId: number },
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

/** Parses changes of a station; absent fields stay. @throws Rejection `input.invalid` */
export const parseStationChanges = (written: StationInput, parameters: StationParameters): Partial<LiveStreamTerms> => {
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
  { services, viewer }: Pick<StationEditor, 'services' | 'viewer'>,
  id: number | undefined,
): Promise<LiveStreamView | undefined> => (id === undefined ? undefined : (await liveStreamsByIds(services.db, [id], viewer))[0]);

/** Creates a station in a catalog that the caller sees; returns its id. */
export const makeStation = async ({ services, context, viewer }: StationEditor, terms: LiveStreamTerms): Promise<number> => {
  if (!inScope(viewer.catalogs, terms.catalogId)) throw new Rejection('catalog.not-found');
  return (await runAndAwaitReadModel(services, context, { command: createLiveStream }, terms)).liveStreamId;
};

/** Changes a station that the caller sees. */
export const editStation = async (
  { services, context, viewer }: StationEditor,
  id: number,
  changes: Partial<LiveStreamTerms>,
): Promise<void> => {
  if (changes.catalogId !== undefined && !inScope(viewer.catalogs, changes.catalogId)) throw new Rejection('catalog.not-found');
  await runCommand(services, context, changeLiveStream, { ...changes, liveStreamId: liveStreamId.parse(id) });
};

/** Deletes a station that the caller sees. */
export const endStation = async ({ services, context }: StationEditor, id: number): Promise<void> => {
  await runCommand(services, context, deleteLiveStream, { liveStreamId: liveStreamId.parse(id) });
};
