/** Where an earlier page of a list ended. */
interface Mark {
  readonly offset: number;
  /** Id of the last row before `offset`. */
  readonly lastId: number;
}

/** Where to start reading: after this id, then skip so many rows. */
export interface PageStart {
  readonly afterId: number;
  readonly skip: number;
}

const LISTS = 64;
const MARKS_PER_LIST = 4096;

/**
 * Remembers where the pages of long lists ended, so that a client which copies a library page by page is served by key instead of by an offset that
 * grows. A list's name must hold its version: marks of an older version are never asked for and make room in their turn. A lost mark costs time,
 * nothing else.
 */
export class PageMarks {
  private readonly lists = new Map<string, Mark[]>();
  /** Lists in which somebody jumped far from every mark. */
  private readonly jumped = new Set<string>();

  /** The nearest known place at or before an offset. */
  startOf(list: string, offset: number): PageStart {
    const marks = this.lists.get(list) ?? [];
    const mark = marks[firstAfter(marks, offset) - 1];
    return mark ? { afterId: mark.lastId, skip: offset - mark.offset } : { afterId: 0, skip: offset };
  }

  /**
   * Notes a jump far from every known place; true when it is not the first one in this list. One such jump belongs to every new version that a copying
   * client meets; several mean that marks all over the list are worth their price.
   */
  jumpsAgain(list: string): boolean {
    if (this.jumped.has(list)) return true;
    this.jumped.add(list);
    const [oldest] = this.jumped;
    if (this.jumped.size > LISTS && oldest !== undefined) this.jumped.delete(oldest);
    return false;
  }

  /** Notes that the rows before `offset` end with this id. */
  note(list: string, offset: number, lastId: number): void {
    const marks = this.lists.get(list) ?? [];
    this.lists.delete(list);
    this.lists.set(list, marks);
    const place = firstAfter(marks, offset);
    if (marks[place - 1]?.offset !== offset && marks.length < MARKS_PER_LIST) marks.splice(place, 0, { offset, lastId });
    const [oldest] = this.lists.keys();
    if (this.lists.size > LISTS && oldest !== undefined) this.lists.delete(oldest);
  }
}

/** Index of the first mark whose offset is greater. */
const firstAfter = (marks: readonly Mark[], offset: number): number => {
  let low = 0;
  let high = marks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((marks[middle]?.offset ?? Infinity) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
};
