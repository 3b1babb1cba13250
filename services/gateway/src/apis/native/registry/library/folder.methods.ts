import { createHash } from 'node:crypto';
import { z } from 'zod';
import { spellFolderRow, VIRTUAL_ROOT } from '../../../../kinds/folder.js';
import {
  folderById,
  folderByPath,
  folderItemsByRows,
  folderLike,
  wholeDurationMs,
  type FolderView,
} from '../../../../reads/library/folders.reads.js';
import { AS_ATTRIBUTE, fieldNode, listNode, objectNode, renderedList, type Node } from '../../../../render/index.js';
import { notFound } from '../../errors/native-fault.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { seconds } from '../../objects/context.js';
import { folderItemObject } from '../../objects/folder.object.js';
import { by, listQuery, readPage } from '../../paging.js';
import { changed, idOf, paging } from '../../params.js';
import { itemsFrom, type NativeResult } from '../../result.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasLists } from '../../../../kinds/index.js';
import type { HasConfig } from '../../../../server/needs.js';

type Services = HasConfig & HasReadModel & HasLists;
const { method } = methodsUsing<Services>();

const params = z.object({
  filter: z.string().default('/'),
  // A path is literal by default.
  exact: z
    .string()
    .optional()
    .transform((text) => text?.trim() !== '0'),
  ...changed,
  ...paging,
});
type Call = CallerCall<z.output<typeof params>, Services>;

/** A folder to browse. */
interface BrowsedFolder {
  readonly id: number;
  readonly title: string;
  readonly parentId: number | null;
  readonly path: string;
  readonly catalogId: number;
  readonly durationMs: number;
}

const ROOT_TITLE = 'Home';
const NOWHERE = 0;

/** Virtual folder with the roots of all catalogs. */
const virtualRoot = async ({ services, viewer }: Call): Promise<BrowsedFolder> => ({
  id: VIRTUAL_ROOT,
  title: ROOT_TITLE,
  parentId: null,
  path: '/',
  catalogId: NOWHERE,
  durationMs: await wholeDurationMs(services.db, viewer),
});

const browsed = ({ name, parentId, ...folder }: FolderView): BrowsedFolder => ({
  ...folder,
  title: name,
  parentId: parentId ?? VIRTUAL_ROOT,
});

/** Normalizes a path: leading slash, no empty segments. */
const normalized = (text: string): string => `/${text.split('/').filter(Boolean).join('/')}`;

const found = ({ services: { db }, viewer, params: { exact } }: Call, text: string): Promise<FolderView | undefined> => {
  const id = idOf(text);
  if (id !== undefined) return folderById(db, id, viewer);
  return exact ? folderByPath(db, normalized(text), viewer) : folderLike(db, text.trim(), viewer);
};

const folderOf = async (call: Call): Promise<BrowsedFolder> => {
  const { filter } = call.params;
  const text = filter.trim();
  if (text === String(VIRTUAL_ROOT) || normalized(text) === '/') return virtualRoot(call);
  // NUL cannot occur in file names, and the database rejects it.
  const folder = text.includes('\0') ? undefined : await found(call, text);
  if (!folder) throw notFound('filter', filter);
  return browsed(folder);
};

/** Content hash of a page: MD5 of the PHP serialisation of its type and id pairs. */
const pageMd5 = (rows: Int32Array): string => {
  const hash = createHash('md5').update(`a:${rows.length}:{`);
  for (const [place, row] of rows.entries()) {
    const text = spellFolderRow(row);
    hash.update(`i:${place};s:${text.length}:"${text}";`);
  }
  return hash.update('}').digest('hex');
};

const folderNode = (folder: BrowsedFolder, items: Node): Node =>
  objectNode([
    fieldNode('id', String(folder.id), AS_ATTRIBUTE),
    fieldNode('title', folder.title),
    fieldNode('parent', folder.parentId === null ? null : String(folder.parentId)),
    fieldNode('path', folder.path),
    fieldNode('catalog', String(folder.catalogId)),
    fieldNode('time', seconds(folder.durationMs)),
    fieldNode('items', items, { json: 'key', xml: 'wrapped', item: folderItemObject.kind }),
  ]);

const folders = async (call: Call): Promise<NativeResult> => {
  const { services, viewer } = call;
  const folder = await folderOf(call);
  const { filter: _folder, exact: _exact, ...rest } = call.params;
  const own = [
    { name: 'parent', value: String(folder.id) },
    ...(services.config.ALLOW_VIDEO ? [] : [{ name: 'without_videos', value: '1' }]),
  ];
  const query = listQuery('folder', rest, own, by('name'));
  const list = await services.lists.ids(query, viewer);
  const page = readPage(call, list, async (rows) =>
    (await folderItemsByRows(services.db, rows, viewer)).map((view) => ({ view, parentId: folder.id })),
  );
  const items = itemsFrom(folderItemObject, page.batches, page);
  return {
    kind: 'fields',
    build: (rendering) =>
      objectNode([
        fieldNode('total_count', list.total),
        fieldNode('md5', pageMd5(list.page(rest.offset, rest.limit))),
        fieldNode('folder', folderNode(folder, page.isEmpty ? listNode([]) : renderedList(items.render(rendering), page.isLong))),
      ]),
  };
};

/** Methods about folders. */
export const folderMethods = {
  folders: method({ versions: [8], access: 5, params, run: folders }),
};
