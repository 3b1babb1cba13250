import {
  albumId,
  artistId,
  askFacts,
  findArt,
  findLyrics,
  refreshArtistInfo,
  songId,
  type Fact,
  type FactsKind,
  type LyricsText,
} from '@continuo/contracts';
import { runLongCommand } from '../commands.js';
import type { CallerContext, RequestContext } from '../http/request-context.js';
import { artistInfoOf, type ArtistInfoView } from '../reads/found-facts.reads.js';
import type { GatewayServices } from '../services.js';

/** What asking plug-ins needs of a call, on any surface. */
export interface FactsCall {
  readonly services: Pick<GatewayServices, 'commands' | 'watch' | 'config' | 'db' | 'plugins' | 'now'>;
  readonly context: CallerContext | RequestContext;
}

/** Whoever looks at an artist of whom nothing is known yet waits so long for plug-ins; what comes later is there the next time. */
const WAIT_MS = 3500;
/** All plug-ins, each with its turns. */
const REFRESH_MS = 60_000;
/** For answers that are not kept. */
const ASK_MS = 12_000;
/** As the ingestion service has it: before that it would not ask again. */
const FRESH_MS = 86_400_000;

/** What is known of an artist beside the library. Asks plug-ins, where there are any, when that is nothing or old; never fails because of them. */
export const knownOfArtist = async (call: FactsCall, id: number): Promise<ArtistInfoView | undefined> => {
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

/** What plug-ins say of a thing that the caller may see; nothing when none can be asked. */
export const factsAbout = async (call: FactsCall, kind: FactsKind, id: number) => {
  if (!(await call.services.plugins.can(`metadata.${kind}`))) return [];
  const asked = await harmless(call, runLongCommand(call.services, call.context, { command: askFacts, timeoutMs: ASK_MS }, { kind, id }));
  return asked?.answers ?? [];
};

/** Words of a song that plug-ins have, for a song that the caller may see. */
export const lyricsFromPlugins = async (
  call: FactsCall,
  id: number,
): Promise<readonly { readonly plugin: string; readonly texts: readonly LyricsText[] }[]> => {
  if (!(await call.services.plugins.can('lyrics.find'))) return [];
  const how = { command: findLyrics, timeoutMs: ASK_MS };
  const asked = await harmless(call, runLongCommand(call.services, call.context, how, { songId: songId.parse(id) }));
  return asked?.found ?? [];
};

/** Has plug-ins look for a picture of something that the caller may see; what they find is there for everybody. */
export const artFromPlugins = async (call: FactsCall, kind: 'artist' | 'album', id: number): Promise<void> => {
  if (!(await call.services.plugins.can(`art.${kind}`))) return;
  const of = kind === 'artist' ? { artistId: artistId.parse(id) } : { albumId: albumId.parse(id) };
  await harmless(call, runLongCommand(call.services, call.context, { command: findArt, timeoutMs: REFRESH_MS }, { of }));
};

/** A field of a fact that is a list of things. */
export const listIn = (facts: Readonly<Record<string, Fact>>, name: string): readonly Readonly<Record<string, string | number>>[] => {
  const list = facts[name];
  return Array.isArray(list) ? list.filter((item) => typeof item === 'object') : [];
};

/** Plug-ins make answers better, never worse: a service that is away, or slow, is as good as none. */
const harmless = async <T>({ context }: FactsCall, work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work;
  } catch (error) {
    context.log.debug({ err: error }, 'plug-ins could not be asked');
    return undefined;
  }
};

const elapsed = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
