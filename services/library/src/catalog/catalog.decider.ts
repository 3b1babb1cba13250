import type { Aggregate } from '@continuo/chassis';
import {
  catalogAdded,
  catalogPathReleased,
  catalogPathReserved,
  catalogRemoved,
  Rejection,
  type CatalogEvent,
  type CatalogId,
  type CatalogPathEvent,
  type CatalogType,
} from '@continuo/contracts';

/** What a catalog's decisions rest on. */
export interface CatalogState {
  readonly status: 'none' | 'present' | 'removed';
  readonly path: string;
}

/** What can be asked of a catalog; `path` is already the real, absolute one. */
export type CatalogCommand =
  | ({ readonly type: 'add' } & Omit<Parameters<typeof catalogAdded>[0], 'type'> & { readonly place: CatalogType })
  | { readonly type: 'remove'; readonly catalogId: CatalogId };

/** One catalog: a root folder, or another place, that the library shows. */
export const catalogAggregate: Aggregate<CatalogState, CatalogCommand, CatalogEvent> = {
  context: 'library',
  kind: 'catalog',
  initialState: { status: 'none', path: '' },
  decide: (state, command) => {
    switch (command.type) {
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
      case 'CatalogAdded':
        return { status: 'present', path: event.data.path };
      case 'CatalogRemoved':
        return { ...state, status: 'removed' };
      default:
        return state;
    }
  },
};

/** Who holds a root folder. */
export interface CatalogPathState {
  readonly holder: CatalogId | null;
}

/** What can be asked of a reservation. */
export type CatalogPathCommand = { readonly type: 'reserve' | 'release'; readonly catalogId: CatalogId; readonly path: string };

/** The reservation of one root folder, so that no two catalogs can hold it whatever the timing. */
export const catalogPathAggregate: Aggregate<CatalogPathState, CatalogPathCommand, CatalogPathEvent> = {
  context: 'library',
  kind: 'catalog-path',
  initialState: { holder: null },
  decide: (state, command) => {
    const { catalogId, path } = command;
    switch (command.type) {
      case 'reserve':
        if (state.holder === catalogId) return [];
        if (state.holder !== null) throw new Rejection('catalog.path-taken', undefined, path);
        return [catalogPathReserved({ catalogId, path })];
      case 'release':
        return state.holder === catalogId ? [catalogPathReleased({ catalogId, path })] : [];
    }
  },
  evolve: (state, event) => {
    switch (event.type) {
      case 'CatalogPathReserved':
        return { holder: event.data.catalogId };
      case 'CatalogPathReleased':
        return { holder: null };
      default:
        return state;
    }
  },
};
