import {
  albumId,
  artistId,
  requestExternalMetadata,
  findArt,
  findLyrics,
  refreshArtistInfo,
  songId,
  type Fact,
  type ExternalMetadataKind,
  type LyricsText,
} from '@continuo/contracts';
import { runAndAwaitReadModel, runLongCommand } from '../../server/commands.js';
import type { CallerContext, RequestContext } from '../../server/requests/request-context.js';
import { artistInfoOf, type ArtistInfoView } from '../../reads/library/external-metadata.reads.js';
import type { HasReadModel } from '../../reads/database/database.js';
import type { HasPlugins } from './plugin-directory.js';
import type { HasClock, HasCommands, HasConfig } from '../../server/needs.js';

/** Dependencies of a call that asks plug-ins, on any surface. */
export interface ExternalMetadataCall {
  readonly services: HasCommands & HasConfig & HasReadModel & HasPlugins & HasClock;
  readonly context: CallerContext | RequestContext;
}

/** Longest wait for plug-ins about an unknown artist; later answers are used the next time. */
const WAIT_MS = 3500;
/** All plug-ins, each with its turns. */
const REFRESH_MS = 60_000;
/** For answers that are not kept. */
const ASK_MS = 12_000;
/** As the ingestion service has it: before that it would not ask again. */
const FRESH_MS = 86_400_000;

/** Returns external metadata of an artist. Asks plug-ins when there is none or it is old; never fails because of them. */
export const fetchArtistInfo = async (call: ExternalMetadataCall, id: number): Promise<ArtistInfoView | undefined> => {
  const { services, context } = call;
  const known = await artistInfoOf(services.db, id);
  if (known && services.now() - known.foundAtMs < FRESH_MS) return known;
  if (!(await services.plugins.can('metadata.artist'))) return known;
  const asking = harmless(
    call,
    runLongCommand(
      services,
      context,
      { command: refreshArtistInfo, timeoutMs: REFRESH_MS },
      { artistId: artistId.parse(id), isWanted: false },
    ),
  );
  if (known) return known;
  await Promise.race([asking, elapsed(WAIT_MS)]);
  return artistInfoOf(services.db, id);
};

/** Asks plug-ins for metadata of a thing that the caller may see; empty without plug-ins. */
export const pluginMetadataOf = async (call: ExternalMetadataCall, kind: ExternalMetadataKind, id: number) => {
  if (!(await call.services.plugins.can(`metadata.${kind}`))) return [];
  const asked = await harmless(
    call,
    runLongCommand(call.services, call.context, { command: requestExternalMetadata, timeoutMs: ASK_MS }, { kind, id }),
  );
  return asked?.answers ?? [];
};

/** Asks plug-ins for lyrics of a song that the caller may see. */
export const lyricsFromPlugins = async (
  call: ExternalMetadataCall,
  id: number,
): Promise<readonly { readonly plugin: string; readonly texts: readonly LyricsText[] }[]> => {
  if (!(await call.services.plugins.can('lyrics.find'))) return [];
  const how = { command: findLyrics, timeoutMs: ASK_MS };
  const asked = await harmless(call, runLongCommand(call.services, call.context, how, { songId: songId.parse(id) }));
  return asked?.found ?? [];
};

/** Asks plug-ins for a picture of a thing that the caller may see; the result is stored for everybody. */
export const artFromPlugins = async (call: ExternalMetadataCall, kind: 'artist' | 'album', id: number): Promise<void> => {
  if (!(await call.services.plugins.can(`art.${kind}`))) return;
  const of = kind === 'artist' ? { artistId: artistId.parse(id) } : { albumId: albumId.parse(id) };
  await harmless(call, runAndAwaitReadModel(call.services, call.context, { command: findArt, timeoutMs: REFRESH_MS }, { of }));
};

/** Returns a list field of metadata; empty for anything else. */
export const listIn = (facts: Readonly<Record<string, Fact>>, name: string): readonly Readonly<Record<string, string | number>>[] => {
  const list = facts[name];
  return Array.isArray(list) ? list.filter((item) => typeof item === 'object') : [];
};

/** Logs and drops errors: plug-ins are optional, and an unavailable one counts as none. */
const harmless = async <T>({ context }: ExternalMetadataCall, work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work;
  } catch (error) {
    context.log.debug({ err: error }, 'failed to ask plug-ins; the answer goes without them');
    return undefined;
  }
};

const elapsed = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
