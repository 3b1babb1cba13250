import { z } from 'zod';
import { catalogsByIds } from '../../reads/catalogs.reads.js';
import type { Condition } from '../../reads/list-query.js';
import { namesByIds, namesMd5, type NamedKind } from '../../reads/names.reads.js';
import { fieldNode, objectNode, renderedList, type FieldNode } from '../../render/index.js';
import { badValue, missing, notFound } from '../errors/native-fault.js';
import { method, type CallerCall } from '../method.js';
import { browseItemObject } from '../objects/named.object.js';
import { by, listQuery, readPage } from '../paging.js';
import { cond, dateRange, idOf, limit, offset, sort } from '../params.js';
import { itemsFrom, type NativeResult } from '../result.js';
import { requireWalked, walkedMedia } from './listed-types.js';
import { requirePodcasts } from './podcast.methods.js';

const walk = z.object({
  type: z.string().default('root'),
  filter: z.string().default(''),
  catalog: z.string().default(''),
  add: dateRange,
  update: dateRange,
  offset,
  limit,
  cond,
  sort,
});
type Walk = CallerCall<z.output<typeof walk>>;

/** One step of a walk: where it stands, and the list of what lies below. */
interface Step {
  readonly parentType: string;
  readonly parentId: string;
  readonly kind: NamedKind;
  readonly own: readonly Condition[];
  readonly order: string;
  /** The catalog that the list is narrowed to; undefined for all that the caller sees. */
  readonly catalogId?: number | undefined;
}

const is = (name: string, value: number | string): Condition => ({ name, value: String(value) });

/** The catalog that a parameter names. @throws NativeRefusal 4704 of that parameter */
const catalogNamed = async ({ services, viewer }: Walk, text: string, parameter: string): Promise<{ id: number; gatherTypes: string }> => {
  const id = idOf(text);
  const [catalog] = id === undefined ? [] : await catalogsByIds(services.db, [id], viewer);
  if (!catalog) throw notFound(parameter, text);
  return catalog;
};

const rootStep = (call: Walk): Step => ({
  parentType: 'root',
  parentId: '',
  kind: 'catalog',
  own: [is('gather_types', walkedMedia(call).join(' '))],
  order: 'name',
});

/** What lies in a catalog of a kind of media; else it is artists. */
const roots: Readonly<Record<string, Pick<Step, 'kind' | 'own'>>> = {
  video: { kind: 'video', own: [] },
  podcast: { kind: 'podcast', own: [] },
};

const catalogStep = async (call: Walk): Promise<Step> => {
  const { filter, catalog: narrowed } = call.params;
  if (filter === '' && narrowed === '') throw missing('filter');
  const chosen = narrowed === '' ? undefined : await catalogNamed(call, narrowed, 'catalog');
  const catalog = chosen && filter === '' ? chosen : await catalogNamed(call, filter, 'filter');
  requireWalked(call, catalog.gatherTypes);
  return {
    parentType: 'catalog',
    parentId: String(catalog.id),
    ...(roots[catalog.gatherTypes] ?? { kind: 'artist', own: [is('album_artist', 1)] }),
    order: 'name',
    catalogId: catalog.id,
  };
};

/** Steps below a thing of the library: what it is, what lies below it and in which order (browse.md, `browse`). */
const below: Readonly<Record<string, { parent: NamedKind; kind: NamedKind; filter: string; order: string; since?: number }>> = {
  artist: { parent: 'artist', kind: 'album', filter: 'album_artist', order: 'name_year' },
  album_artist: { parent: 'artist', kind: 'album', filter: 'album_artist', order: 'name_year' },
  album: { parent: 'album', kind: 'song', filter: 'album', order: 'album' },
  album_disk: { parent: 'album_disk', kind: 'song', filter: 'album_disk', order: 'track', since: 8 },
  podcast: { parent: 'podcast', kind: 'podcast_episode', filter: 'podcast', order: 'podcast' },
};

const stepBelow = async (call: Walk, type: string): Promise<Step> => {
  const row = Object.hasOwn(below, type) ? below[type] : undefined;
  if (!row || (row.since ?? 0) > call.policy.version) throw badValue('type', call.params.type);
  const { filter, catalog } = call.params;
  if (filter === '') throw missing('filter');
  // Version 6 wants the catalog told all the way down.
  if (catalog === '' && call.policy.version < 8) throw missing('catalog');
  const catalogId = catalog === '' ? undefined : (await catalogNamed(call, catalog, 'catalog')).id;
  const id = idOf(filter);
  const [parent] = id === undefined ? [] : await namesByIds(call.services.db, row.parent, [id], call.viewer);
  if (!parent) throw notFound('filter', filter);
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
  if (type === 'podcast') requirePodcasts(call);
  return type === 'catalog' ? catalogStep(call) : stepBelow(call, type);
};

const browse = async (call: Walk): Promise<NativeResult> => {
  const step = await stepOf(call);
  const { filter: _parent, ...params } = call.params;
  // Who looks into one catalog sees what another sees who may see no other: artists only where they have albums.
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
    isLong: page.isLong,
    // An empty list has no parts in XML (versions.md section 3.2).
    build: (rendering) =>
      page.isEmpty && rendering.format === 'xml'
        ? objectNode([])
        : objectNode([...head, fieldNode('browse', renderedList(items.render(rendering)))]),
  };
};

/** A walk from the catalogs down to the songs, one step at a time. */
export const browseMethods = {
  browse: method({ versions: [6, 8], access: 5, params: walk, run: browse }),
};
