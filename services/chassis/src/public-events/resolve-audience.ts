import type { Context, PlaylistEvent, ReadModel, RecordedEvent, ShareEvent } from '@continuo/contracts';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { EventStore } from '../event-store/event-store.js';
import type { AboutObject, Audience, DraftAudience, Others } from './audience.js';

/** What an audience is worked out with. */
export interface AudienceTools {
  readonly db: Kysely<ReadModel>;
  readonly eventStore: Pick<EventStore, 'read'>;
}

/** Works out who may be told of an event, once for everybody who might be. Where nobody is asked for whom catalogs are hidden, those need not be looked up. */
export type ResolveAudience = (draft: DraftAudience, need: { readonly catalogs: boolean }) => Promise<Audience>;

const ofTable =
  (table: RawBuilder<unknown>): ((id: number) => RawBuilder<{ id: number }>) =>
  (id) =>
    sql<{ id: number }>`select catalog_id as id from ${table} where id = ${id}`;

/** The catalogs in which a thing lies. Kinds without a row lie in none, as genres and accounts do. */
const catalogsOfKind: Readonly<Record<string, (id: number) => RawBuilder<{ id: number }>>> = {
  song: ofTable(sql`library.song`),
  album: ofTable(sql`library.album`),
  album_disk: ofTable(sql`library.album_disk`),
  video: ofTable(sql`library.video`),
  folder: ofTable(sql`library.folder`),
  artist: (id) => sql`select catalog_id as id from library.artist_catalog where artist_id = ${id}`,
  catalog: (id) => sql`select ${id}::int as id`,
};
/** Kinds that everybody sees, wherever they come from. */
const EVERYWHERE: ReadonlySet<string> = new Set(['genre', 'label', 'user']);

interface Terms {
  readonly owners: readonly number[];
  readonly isPublic: boolean;
}

/** Only the latest shares and lists are kept at hand; the others are read again. */
const KEPT_TERMS = 2000;

const contextOf: Readonly<Record<string, Context>> = { share: 'social', playlist: 'library' };

interface ListState {
  readonly ownerId: number | null;
  readonly collaboratorIds: readonly number[];
  /** Position since which everybody may open it without a break; null when only some may. */
  readonly publicSince: number | null;
}
interface KnownList {
  readonly position: number;
  readonly state: ListState;
}

/**
 * Works out audiences with the read model and the log. Catalogs of things are those of now. Terms of shares and playlists are folded from their own events up
 * to the newest: what is told of a list is for everybody only when the list was so from then until now, its owner is that of now, and one that is gone still
 * belongs to somebody.
 */
export const audienceResolver = (tools: AudienceTools): ResolveAudience => {
  const resolver = new AudienceResolver(tools);
  return (draft, need) => resolver.resolve(draft, need);
};

class AudienceResolver {
  readonly #tools: AudienceTools;
  readonly #shares = new Map<number, Terms>();
  readonly #lists = new Map<number, KnownList>();

  constructor(tools: AudienceTools) {
    this.#tools = tools;
  }

  async resolve({ owners, others, catalogIds, about, termsOf }: DraftAudience, need: { readonly catalogs: boolean }): Promise<Audience> {
    const catalogs = about && need.catalogs ? await this.#catalogsOf(about) : catalogIds;
    const terms = termsOf && (await this.#termsOf(termsOf));
    const open: Others = { are: 'everybody' };
    return {
      owners: terms ? [...owners, ...terms.owners] : owners,
      others: terms?.isPublic ? open : others,
      ...(catalogs ? { catalogIds: catalogs } : {}),
    };
  }

  async #catalogsOf({ kind, id }: AboutObject): Promise<readonly number[] | undefined> {
    if (EVERYWHERE.has(kind)) return undefined;
    const query = catalogsOfKind[kind];
    // A kind that is not known lies in no catalog that could be visible.
    if (!query) return [];
    const { rows } = await sql<{ id: number }>`${query(id)}`.execute(this.#tools.db);
    return rows.map((row) => row.id);
  }

  #termsOf({ kind, id, position }: NonNullable<DraftAudience['termsOf']>): Promise<Terms> {
    return kind === 'share' ? this.#ofShare(id) : this.#ofList(id, position);
  }

  async #ofShare(id: number): Promise<Terms> {
    const known = this.#shares.get(id);
    if (known) return known;
    const created = (await this.#read('share', id, 0)).find(({ type }) => type === 'ShareCreated') as ShareEvent | undefined;
    if (created?.type !== 'ShareCreated') return { owners: [], isPublic: false };
    const terms = { owners: [created.data.userId], isPublic: false };
    remember(this.#shares, id, terms);
    return terms;
  }

  async #ofList(id: number, position: number): Promise<Terms> {
    const known = this.#lists.get(id) ?? { position: 0, state: { ownerId: null, collaboratorIds: [], publicSince: null } };
    const events = await this.#read('playlist', id, known.position);
    const state = events.reduce(evolveList, known.state);
    remember(this.#lists, id, { position: events.at(-1)?.position ?? known.position, state });
    const { ownerId, collaboratorIds, publicSince } = state;
    return {
      owners: [...(ownerId === null ? [] : [ownerId]), ...collaboratorIds],
      isPublic: publicSince !== null && publicSince <= position,
    };
  }

  #read(kind: string, id: number, after: number): Promise<RecordedEvent[]> {
    return this.#tools.eventStore.read(contextOf[kind] as Context, kind, id, after);
  }
}

const evolveList = (state: ListState, recorded: RecordedEvent): ListState => {
  const event = recorded as unknown as PlaylistEvent;
  if (event.type !== 'PlaylistCreated' && event.type !== 'PlaylistChanged') return state;
  const { ownerId = state.ownerId, collaboratorIds = state.collaboratorIds, isPublic = state.publicSince !== null } = event.data;
  return { ownerId, collaboratorIds, publicSince: isPublic ? (state.publicSince ?? recorded.position) : null };
};

const remember = <V>(known: Map<number, V>, id: number, value: V): void => {
  known.delete(id);
  known.set(id, value);
  const [oldest] = known.keys();
  if (known.size > KEPT_TERMS && oldest !== undefined) known.delete(oldest);
};
