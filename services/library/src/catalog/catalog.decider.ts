import { reservation, type Aggregate } from '@continuo/chassis';
import {
  catalogAdded,
  catalogChanged,
  catalogMoved,
  catalogPathReleased,
  catalogPathReserved,
  catalogRemoved,
  parseStorageAddress,
  Rejection,
  type CatalogConnection,
  type CatalogEvent,
  type CatalogId,
  type CatalogType,
} from '@continuo/contracts';

/** State of a catalog. */
export interface CatalogState {
  readonly status: 'none' | 'present' | 'removed';
  readonly path: string;
  readonly place: CatalogType;
  readonly name: string;
  readonly enabled: boolean;
  readonly renamePattern: string | null;
  readonly sortPattern: string | null;
  readonly watched: boolean | null;
  readonly scanSchedule: string | null;
}

/** Changes of a catalog. */
export type CatalogTerms = Partial<
  Pick<CatalogState, 'name' | 'enabled' | 'renamePattern' | 'sortPattern' | 'watched' | 'scanSchedule'>
> & {
  /** Always news: what is sealed cannot be compared. */
  readonly connection?: CatalogConnection | undefined;
};

/** Commands of a catalog; `path` is already the real, absolute one. */
export type CatalogCommand =
  | ({ readonly type: 'add' } & Omit<Parameters<typeof catalogAdded>[0], 'type'> & { readonly place: CatalogType })
  | { readonly type: 'change'; readonly catalogId: CatalogId; readonly terms: CatalogTerms }
  | { readonly type: 'move'; readonly catalogId: CatalogId; readonly path: string }
  | { readonly type: 'remove'; readonly catalogId: CatalogId };

const nothing: CatalogState = {
  status: 'none',
  path: '',
  place: 'local',
  name: '',
  enabled: true,
  renamePattern: null,
  sortPattern: null,
  watched: null,
  scanSchedule: null,
};

/** Those terms that are not as they were. */
const news = (state: CatalogState, terms: CatalogTerms): CatalogTerms =>
  Object.fromEntries(
    Object.entries(terms).filter(
      ([name, value]) => value !== undefined && (name === 'connection' || state[name as keyof CatalogState] !== value),
    ),
  ) as CatalogTerms;

const requirePresent = ({ status }: CatalogState, id: CatalogId): void => {
  if (status !== 'present') throw new Rejection('catalog.not-found', undefined, String(id));
};

/** One catalog that the library shows: a root folder, or other storage. */
export const catalogAggregate: Aggregate<CatalogState, CatalogCommand, CatalogEvent> = {
  context: 'library',
  kind: 'catalog',
  initialState: nothing,
  decide: (state, command) => {
    switch (command.type) {
      case 'change': {
        requirePresent(state, command.catalogId);
        const changed = news(state, command.terms);
        if (changed.connection && state.place === 'local') throw new Rejection('input.invalid', 'a folder needs no account', 'credentials');
        if (changed.watched && state.place !== 'local')
          throw new Rejection('input.invalid', 'only folders of the server are watched', 'watched');
        return Object.keys(changed).length === 0 ? [] : [catalogChanged({ catalogId: command.catalogId, ...changed })];
      }
      case 'move': {
        const { catalogId, path } = command;
        requirePresent(state, catalogId);
        if ((parseStorageAddress(path)?.type ?? 'local') !== state.place)
          throw new Rejection('catalog.path-unusable', 'a catalog stays of its kind', path);
        return state.path === path ? [] : [catalogMoved({ catalogId, fromPath: state.path, path })];
      }
      case 'add': {
        if (state.status !== 'none') return [];
        const { type: _type, place, ...data } = command;
        return [catalogAdded({ ...data, type: place })];
      }
      case 'remove':
        if (state.status === 'none') throw new Rejection('catalog.not-found');
        return state.status === 'removed' ? [] : [catalogRemoved({ catalogId: command.catalogId, path: state.path })];
    }
  },
  evolve: (state, event) => {
    switch (event.type) {
      case 'CatalogAdded': {
        const { path, type: place, name, renamePattern, sortPattern } = event.data;
        return { ...nothing, status: 'present', path, place, name, renamePattern, sortPattern };
      }
      case 'CatalogChanged': {
        const { catalogId: _id, connection: _connection, ...changed } = event.data;
        return { ...state, ...changed };
      }
      case 'CatalogMoved':
        return { ...state, path: event.data.path };
      case 'CatalogRemoved':
        return { ...state, status: 'removed' };
      default:
        return state;
    }
  },
};

/** The reservation of one root folder, so that no two catalogs can hold it whatever the timing. */
export const catalogPathAggregate = reservation({
  context: 'library',
  kind: 'catalog-path',
  holder: 'catalogId',
  reserved: catalogPathReserved,
  released: catalogPathReleased,
  taken: ({ path }) => new Rejection('catalog.path-taken', undefined, path),
});
