/** Position at which an earlier page of a list ended. */
interface Cursor {
  readonly offset: number;
  /** Id of the last row before `offset`. */
  readonly lastId: number;
}

/** Keyset start of a page: read after this id, then skip rows. */
export interface PageStart {
  readonly afterId: number;
  readonly skip: number;
}

const LISTS = 64;
const CURSORS_PER_LIST = 4096;

/**
 * Keeps keyset cursors of long lists, so that a client which copies a library page by page is served by key instead of by an offset that
 * grows. A list's name must hold its version: cursors of an older version are never asked for and are evicted in time. A lost cursor costs time,
 * nothing else.
 */
export class PageCursors {
  private readonly lists = new Map<string, Cursor[]>();
  /** Lists in which a client jumped far from every cursor. */
  private readonly jumped = new Set<string>();

  /** Returns the nearest cursor at or before an offset. */
  startOf(list: string, offset: number): PageStart {
    const cursors = this.lists.get(list) ?? [];
    const cursor = cursors[firstAfter(cursors, offset) - 1];
    return cursor ? { afterId: cursor.lastId, skip: offset - cursor.offset } : { afterId: 0, skip: offset };
  }

  /**
   * Records a jump far from every cursor; true when it is not the first one in this list. One such jump belongs to every new version that a copying
   * client reads; several mean that cursors all over the list pay off.
   */
  jumpsAgain(list: string): boolean {
    if (this.jumped.has(list)) return true;
    this.jumped.add(list);
    const [oldest] = this.jumped;
    if (this.jumped.size > LISTS && oldest !== undefined) this.jumped.delete(oldest);
    return false;
  }

  /** Records that the rows before `offset` end with this id. */
  note(list: string, offset: number, lastId: number): void {
    const cursors = this.lists.get(list) ?? [];
    this.lists.delete(list);
    this.lists.set(list, cursors);
    const index = firstAfter(cursors, offset);
    if (cursors[index - 1]?.offset !== offset && cursors.length < CURSORS_PER_LIST) cursors.splice(index, 0, { offset, lastId });
    const [oldest] = this.lists.keys();
    if (this.lists.size > LISTS && oldest !== undefined) this.lists.delete(oldest);
  }
}

/** Returns the index of the first cursor with a greater offset. */
const firstAfter = (cursors: readonly Cursor[], offset: number): number => {
  let low = 0;
  let high = cursors.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cursors[middle]?.offset ?? Infinity) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Keeps the cursors of paged reading. */
export interface HasPageCursors {
  readonly marks: PageCursors;
}
