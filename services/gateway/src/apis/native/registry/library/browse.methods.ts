import { z } from 'zod';
import type { Condition } from '../../../../reads/lists/list-query.js';
import { namesByIds, namesMd5 } from '../../../../kinds/names.reads.js';
import { fieldNode, objectNode, renderedList, type FieldNode } from '../../../../render/index.js';
import { badValue, missing, oneOf } from '../../errors/native-fault.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { objectNamed } from '../../named-object.js';
import { browseItemObject } from '../../objects/named.object.js';
import { by, listQuery, readPage } from '../../paging.js';
import { changed, paging } from '../../params.js';
import { itemsFrom, type NativeResult } from '../../result.js';
import { requireBrowsable, browsableMedia } from '../lists/listed-types.js';
import { catalogOf } from './catalog.methods.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasLists, ListKind, NamedKind } from '../../../../kinds/index.js';
import type { HasConfig, HasCommands } from '../../../../server/needs.js';
import type { HasStationTitles } from '../../../../features/live-stream/station-titles.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';
import { requireKind } from '../../require-kind.js';

type Services = HasReadModel & HasLists & HasConfig & HasCommands & HasPreferences & HasStationTitles;
const { method } = methodsUsing<Services>();

const walk = z.object({
  type: z.string().default('root'),
  filter: z.string().default(''),
  catalog: z.string().default(''),
  ...changed,
  ...paging,
});
type Walk = CallerCall<z.output<typeof walk>, Services>;

/** A level of the tree and its list. */
interface Step {
  readonly parentType: string;
  readonly parentId: string;
  readonly kind: NamedKind & ListKind;
  readonly own: readonly Condition[];
  readonly order: string;
  /** Catalog that limits the list; undefined for all visible ones. */
  readonly catalogId?: number | undefined;
}

const is = (name: string, value: number | string): Condition => ({ name, value: String(value) });

const rootStep = (call: Walk): Step => ({
  parentType: 'root',
  parentId: '',
  kind: 'catalog',
  own: [is('gather_types', browsableMedia(call).join(' '))],
  order: 'name',
});

/** First level below catalogs by media type; artists for others. */
const roots: Readonly<Record<string, Pick<Step, 'kind' | 'own'>>> = {
  video: { kind: 'video', own: [] },
  podcast: { kind: 'podcast', own: [] },
};

const catalogStep = async (call: Walk): Promise<Step> => {
  const { filter, catalog: narrowed } = call.params;
  if (filter === '' && narrowed === '') throw missing('filter');
  const chosen = narrowed === '' ? undefined : await catalogOf(call, narrowed, 'catalog');
  const catalog = chosen && filter === '' ? chosen : await catalogOf(call, filter, 'filter');
  requireBrowsable(call, catalog.gatherTypes);
  return {
    parentType: 'catalog',
    parentId: String(catalog.id),
    ...(roots[catalog.gatherTypes] ?? { kind: 'artist', own: [is('album_artist', 1)] }),
    order: 'name',
    catalogId: catalog.id,
  };
};

/** Levels below an object: its kind, its children and their order. */
const childLevels: Readonly<
  Record<string, { parent: NamedKind; kind: NamedKind & ListKind; filter: string; order: string; since?: number }>
> = {
  artist: { parent: 'artist', kind: 'album', filter: 'album_artist', order: 'name_year' },
  album_artist: { parent: 'artist', kind: 'album', filter: 'album_artist', order: 'name_year' },
  album: { parent: 'album', kind: 'song', filter: 'album', order: 'album' },
  album_disk: { parent: 'album_disk', kind: 'song', filter: 'album_disk', order: 'track', since: 8 },
  podcast: { parent: 'podcast', kind: 'podcast_episode', filter: 'podcast', order: 'podcast' },
};

const stepBelow = async (call: Walk, type: string): Promise<Step> => {
  const row = Object.hasOwn(childLevels, type) ? childLevels[type] : undefined;
  if (!row || (row.since ?? 0) > call.policy.version) throw badValue('type', call.params.type, oneOf(Object.keys(childLevels)));
  const { filter, catalog } = call.params;
  if (filter === '') throw missing('filter');
  // Version 6 requires the catalog on every level.
  if (catalog === '' && call.policy.version < 8) throw missing('catalog');
  const catalogId = catalog === '' ? undefined : (await catalogOf(call, catalog, 'catalog')).id;
  const parent = await objectNamed(call, (db, ids, viewer) => namesByIds(db, row.parent, ids, viewer), filter);
  return {
    parentType: row.parent,
    parentId: String(parent.id),
    kind: row.kind,
    own: [is(row.filter, parent.id)],
    order: row.order,
    catalogId,
  };
};

const stepOf = async (call: Walk): Promise<Step> => {
  const type = call.params.type.trim().toLowerCase();
  if (type === 'root' || type === '') return rootStep(call);
  if (type === 'podcast') requireKind(call, 'podcast');
  return type === 'catalog' ? catalogStep(call) : stepBelow(call, type);
};

const browse = async (call: Walk): Promise<NativeResult> => {
  const step = await stepOf(call);
  const { filter: _parent, ...params } = call.params;
  // Within one catalog artists are listed only if they have albums in it.
  const viewer = step.catalogId === undefined ? call.viewer : { ...call.viewer, catalogs: [step.catalogId] };
  const list = await call.services.lists.ids(listQuery(step.kind, params, step.own, by(step.order)), viewer);
  const { db } = call.services;
  const md5 = await namesMd5(db, step.kind, list);
  const page = readPage(call, list, (ids) => namesByIds(db, step.kind, ids, call.viewer));
  const items = itemsFrom(browseItemObject, page.batches, page);
  const head: FieldNode[] = [
    fieldNode('total_count', list.total),
    fieldNode('md5', md5),
    fieldNode('catalog_id', call.params.catalog.trim()),
    fieldNode('parent_id', step.parentId),
    fieldNode('parent_type', step.parentType),
    fieldNode('child_type', step.kind),
  ];
  return {
    kind: 'fields',
    // XML of an empty list has no sections.
    build: (rendering) =>
      page.isEmpty && rendering.format === 'xml'
        ? objectNode([])
        : objectNode([...head, fieldNode('browse', renderedList(items.render(rendering), page.isLong))]),
  };
};

/** Method that browses from catalogs down to songs. */
export const browseMethods = {
  browse: method({ versions: [6, 8], access: 5, params: walk, run: browse }),
};
