import { decision, type AggregateRunner } from '@continuo/chassis';
import type { CatalogId, CommandMessage, FolderId, LogPosition } from '@continuo/contracts';
import type { IdentityRegistry } from '../identity/identity-registry.js';
import { folderAggregate, type FolderRef } from './folder.decider.js';

const MAX_KNOWN_FOLDERS = 500_000;

const parentOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '');

/** The folders above a path, from the root down; none above the root. */
export const ancestorsOf = (path: string): string[] => {
  if (path === '') return [];
  const segments = path.split('/');
  return segments.map((_, depth) => segments.slice(0, depth).join('/'));
};

/** Names the folders of catalogs and sees to it that the log knows them. */
export class FolderTree {
  /** Folders that this process knows to be in the log as present, so that their subfolders need not ask again. */
  readonly #discovered = new Set<number>();

  constructor(
    private readonly aggregates: AggregateRunner,
    private readonly registry: IdentityRegistry,
  ) {}

  /** A folder under its id, with that of the folder above it. */
  async folder(catalogId: CatalogId, path: string): Promise<FolderRef> {
    const parent = path === '' ? undefined : parentOf(path);
    const paths = parent === undefined ? [path] : [path, parent];
    const [own, above] = await this.registry.resolve(
      'folder',
      paths.map((p) => ({ key: `${catalogId}|${p}`, name: p })),
    );
    if (!own) throw new Error(`folder ${path} was not resolved`);
    return {
      folderId: own.id as FolderId,
      catalogId,
      path,
      parentId: above ? (above.id as FolderId) : null,
      name: path.slice(path.lastIndexOf('/') + 1),
    };
  }

  /** Every folder above gets its own event first, so that the tree can be browsed from the root. */
  async discoverAncestors(data: { readonly catalogId: CatalogId; readonly path: string }, message: CommandMessage): Promise<LogPosition[]> {
    const positions: LogPosition[] = [];
    for (const path of ancestorsOf(data.path)) {
      const ancestor = await this.folder(data.catalogId, path);
      if (this.#discovered.has(ancestor.folderId)) continue;
      const { actor, correlationId, causationId, at } = message;
      const { position } = await this.aggregates.run(
        [decision(folderAggregate, ancestor.folderId, { type: 'discover', folder: ancestor })],
        {
          actor,
          correlationId,
          causationId,
          at,
          assumeNew: this.registry.claimNewFolder(ancestor.folderId),
        },
      );
      if (position) positions.push(position);
      if (this.#discovered.size > MAX_KNOWN_FOLDERS) this.#discovered.clear();
      this.#discovered.add(ancestor.folderId);
    }
    return positions;
  }

  /** The folder is gone: should it come back, it is discovered anew. */
  forget(folderId: FolderId): void {
    this.#discovered.delete(folderId);
  }
}
