import type { FolderId } from '@continuo/contracts';

/** A folder as it is first met. */
export interface NewFolder {
  readonly folderId: FolderId;
  readonly parentId: FolderId | null;
  readonly path: string;
  readonly name: string;
}

/** Gives folders ids in the order in which they are met, parents first, from 1 for the root. */
export class FolderTree {
  readonly #ids = new Map<string, FolderId>();

  /** Folders of the path that were not met before, from the root down; the last one is the path's own unless it was known. */
  meet(path: string): NewFolder[] {
    const segments = path === '' ? [] : path.split('/');
    const news: NewFolder[] = [];
    let parentId: FolderId | null = null;
    for (let depth = 0; depth <= segments.length; depth += 1) {
      const own = segments.slice(0, depth).join('/');
      const known = this.#ids.get(own);
      const folderId: FolderId = known ?? ((this.#ids.size + 1) as FolderId);
      if (known === undefined) {
        this.#ids.set(own, folderId);
        news.push({ folderId, parentId, path: own, name: segments[depth - 1] ?? '' });
      }
      parentId = folderId;
    }
    return news;
  }

  /** The id of a folder that was met. */
  idOf(path: string): FolderId {
    const id = this.#ids.get(path);
    if (id === undefined) throw new Error(`${path} has not been met`);
    return id;
  }
}
