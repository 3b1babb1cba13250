import type { PlaylistTerms, ReadModel, RecordedEvent, ShareEvent } from '@continuo/contracts';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { EventStore } from '@continuo/chassis';
import type { AboutObject, Audience, DraftAudience, OtherRecipients } from './audience.js';

/** Dependencies of the audience resolver. */
export interface AudienceDependencies {
  readonly db: Kysely<ReadModel>;
  readonly eventStore: Pick<EventStore, 'read'>;
}

/** Resolves the recipients of an event, once for all of them. Hidden catalogs are only looked up where a recipient has any. */
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
  live_stream: ofTable(sql`library.live_stream`),
  folder: ofTable(sql`library.folder`),
  artist: (id) => sql`select catalog_id as id from library.artist_catalog where artist_id = ${id}`,
  catalog: (id) => sql`select ${id}::int as id`,
};
/** Kinds that everybody sees, wherever they come from. */
const EVERYWHERE: ReadonlySet<string> = new Set(['genre', 'label', 'user']);
/** Kinds of lists that belong to somebody, by the names that they have, and their aggregates. */
const LISTS: Readonly<Record<string, string>> = {
  playlist: 'playlist',
  smartlist: 'smartlist',
  search: 'smartlist',
  collection: 'collection',
};

interface Terms {
  readonly owners: readonly number[];
  readonly isPublic: boolean;
}

/** Only the latest shares and lists are kept at hand; the others are read again. */
const KEPT_TERMS = 2000;

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
export const audienceResolver = (tools: AudienceDependencies): ResolveAudience => {
  const resolver = new AudienceResolver(tools);
  return (draft, need) => resolver.resolve(draft, need);
};

class AudienceResolver {
  readonly #tools: AudienceDependencies;
  readonly #shares = new Map<number, Terms>();
  readonly #lists = new Map<string, KnownList>();

  constructor(tools: AudienceDependencies) {
    this.#tools = tools;
  }

  async resolve(draft: DraftAudience, need: { readonly catalogs: boolean }): Promise<Audience> {
    const { owners, others, about, termsOf } = draft;
    const list = about && LISTS[about.kind];
    const catalogIds = about && !list && need.catalogs ? await this.#catalogsOf(about) : draft.catalogIds;
    // A list that is only spoken of counts as it is now.
    const spokenOf = list && about ? await this.#ofList(list, about.id, Number.MAX_SAFE_INTEGER) : undefined;
    const terms = termsOf && (await this.#termsOf(termsOf));
    const open: OtherRecipients = { are: 'everybody' };
    return {
      owners: terms ? [...owners, ...terms.owners] : owners,
      others: terms?.isPublic ? open : others,
      ...(catalogIds ? { catalogIds } : {}),
      ...(spokenOf && !spokenOf.isPublic ? { within: spokenOf.owners } : {}),
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
    const list = LISTS[kind];
    return list ? this.#ofList(list, id, position) : this.#ofShare(id);
  }

  async #ofShare(id: number): Promise<Terms> {
    const known = this.#shares.get(id);
    if (known) return known;
    const created = (await this.#tools.eventStore.read('social', 'share', id)).find(({ type }) => type === 'ShareCreated') as
      | ShareEvent
      | undefined;
    if (created?.type !== 'ShareCreated') return { owners: [], isPublic: false };
    const terms = { owners: [created.data.userId], isPublic: false };
    remember(this.#shares, id, terms);
    return terms;
  }

  async #ofList(aggregate: string, id: number, position: number): Promise<Terms> {
    const key = `${aggregate} ${id}`;
    const known = this.#lists.get(key) ?? { position: 0, state: { ownerId: null, collaboratorIds: [], publicSince: null } };
    const events = await this.#tools.eventStore.read('library', aggregate, id, known.position);
    const state = events.reduce(evolveList, known.state);
    remember(this.#lists, key, { position: events.at(-1)?.position ?? known.position, state });
    const { ownerId, collaboratorIds, publicSince } = state;
    return {
      owners: [...(ownerId === null ? [] : [ownerId]), ...collaboratorIds],
      isPublic: publicSince !== null && publicSince <= position,
    };
  }
}

/** Names of the events that set the terms of a list; all of them have the same ones. */
const TERMS_EVENT = /^(?:Playlist|Smartlist|Collection)(?:Created|Changed)$/;

const evolveList = (state: ListState, { type, data, position }: RecordedEvent): ListState => {
  if (!TERMS_EVENT.test(type)) return state;
  const {
    ownerId = state.ownerId,
    collaboratorIds = state.collaboratorIds,
    isPublic = state.publicSince !== null,
  } = data as Partial<PlaylistTerms>;
  return { ownerId, collaboratorIds, publicSince: isPublic ? (state.publicSince ?? position) : null };
};

const remember = <K, V>(known: Map<K, V>, id: K, value: V): void => {
  known.delete(id);
  known.set(id, value);
  const [oldest] = known.keys();
  if (known.size > KEPT_TERMS && oldest !== undefined) known.delete(oldest);
};
