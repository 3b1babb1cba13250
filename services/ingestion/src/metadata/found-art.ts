import type { CommandClient, OutboundClient } from '@continuo/chassis';
import { albumId, artistId, recordFoundArt, type ArtRef, type LogPosition, type MessageContext } from '@continuo/contracts';
import type { PluginHost } from '@continuo/plugins';
import type { Logger } from 'pino';
import type { ArtStore } from '@continuo/media-store';
import { inspectPicture, type PictureLimits } from '../tags/picture.js';
import type { FactsSubjects } from './facts-subjects.reads.js';
import { webAddress } from './read-facts.js';

/** Dependencies of {@link FoundArt}. */
export interface FoundArtDependencies {
  readonly plugins: () => Promise<PluginHost>;
  readonly subjects: FactsSubjects;
  readonly outbound: OutboundClient;
  readonly store: ArtStore;
  readonly commands: CommandClient;
  readonly limits: PictureLimits;
  readonly log: Logger;
}

/** Object for which a picture is looked for. */
export type ArtSubject = { readonly kind: 'artist' | 'album'; readonly id: number };

const ASKING_MS = 20_000;
const FETCH_MS = 15_000;
/** Pictures of one answer that are tried. */
const MOST_TRIED = 3;

/** Looks for pictures with plug-ins, fetches and keeps the first that can be used. */
export class FoundArt {
  constructor(private readonly deps: FoundArtDependencies) {}

  /** Nothing is recorded when none is found. */
  async find(
    { kind, id }: ArtSubject,
    context: MessageContext,
  ): Promise<{ result: { isEnabled: boolean; isFound: boolean }; positions: readonly LogPosition[] }> {
    const host = await this.deps.plugins();
    const isEnabled = host.having('art', kind).length > 0;
    const query = isEnabled ? await this.deps.subjects[kind](id) : undefined;
    if (query === undefined) return { result: { isEnabled, isFound: false }, positions: [] };
    for (const { name } of host.having('art', kind)) {
      const found = await host.askOne(name, { part: 'art', function: kind, query, timeoutMs: ASKING_MS });
      const art = await this.#firstUsable(found, name);
      if (art === undefined) continue;
      const of = kind === 'artist' ? { artistId: artistId.parse(id) } : { albumId: albumId.parse(id) };
      const { positions } = await this.deps.commands.send(recordFoundArt, { of, art, source: name }, context);
      return { result: { isEnabled, isFound: true }, positions };
    }
    return { result: { isEnabled, isFound: false }, positions: [] };
  }

  async #firstUsable(found: unknown, plugin: string): Promise<ArtRef | undefined> {
    const urls = (Array.isArray(found) ? found : []).flatMap((one: unknown) => webAddress((one as { url?: unknown } | null)?.url) ?? []);
    for (const url of urls.slice(0, MOST_TRIED)) {
      try {
        return await this.#fetched(url);
      } catch (error) {
        this.deps.log.warn({ err: error, plugin }, 'picture from plug-in is unusable');
      }
    }
    return undefined;
  }

  async #fetched(url: string): Promise<ArtRef> {
    const { outbound, limits, store } = this.deps;
    const { status, body } = await outbound.fetch({ url, timeoutMs: FETCH_MS, maxBytes: limits.maxBytes });
    if (status !== 200) throw new Error(`the server of the picture answered ${status}`);
    const picture = inspectPicture(body, limits);
    if (!picture.ok) throw new Error(picture.why);
    await store.put(body);
    return picture.ref;
  }
}
