import { createHash } from 'node:crypto';

const ZERO = 48;
const NINE = 57;
const MINUS = 45;

/** Reads `{1,2,3}`, the text form of an array of ids. */
export const parseIds = (text: string | null): Int32Array => {
  if (text === null || text === '{}') return new Int32Array(0);
  let commas = 1;
  for (let index = text.indexOf(','); index >= 0; index = text.indexOf(',', index + 1)) commas += 1;
  const ids = new Int32Array(commas);
  let at = 0;
  let id = 0;
  let sign = 1;
  for (let index = 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code >= ZERO && code <= NINE) {
      id = id * 10 + code - ZERO;
    } else if (code === MINUS) {
      sign = -1;
    } else {
      ids[at] = sign * id;
      at += 1;
      id = 0;
      sign = 1;
    }
  }
  return ids;
};

/** The public spelling of an id, for lists whose ids are texts, such as `folder-12`. */
export type Spelling = (id: number) => string;

const CHUNK = 8192;

/**
 * The content hash of a list: MD5 over the PHP serialisation of its ordered ids. Equal lists have equal hashes.
 * @param spell how ids are spelt that are texts
 */
export const listMd5 = (ids: Int32Array, spell?: Spelling): string => {
  const asText = (id: number): string => {
    const text = spell?.(id) ?? '';
    return `s:${Buffer.byteLength(text)}:"${text}"`;
  };
  const hash = createHash('md5').update(`a:${ids.length}:{`);
  for (let start = 0; start < ids.length; start += CHUNK) {
    let text = '';
    const end = Math.min(start + CHUNK, ids.length);
    for (let index = start; index < end; index += 1) {
      const id = ids[index] ?? 0;
      text += spell ? `i:${index};${asText(id)};` : `i:${index};i:${id};`;
    }
    hash.update(text);
  }
  return hash.update('}').digest('hex');
};

let madeSoFar = 0;

/** The ordered ids of everything that matches a list's conditions. */
export class IdList {
  /** Tells this list from every other one of this process, equal ones included. */
  readonly serial = (madeSoFar += 1);
  private hash: string | undefined;

  /**
   * @param hash the content hash where it is known, or another text that serves as one
   * @param spell how ids are spelt that are texts; in the list itself they are numbers, negative for the second kind of thing in it
   */
  constructor(
    readonly ids: Int32Array,
    hash?: string,
    readonly spell?: Spelling,
  ) {
    this.hash = hash;
  }

  /** Number of matches before paging. */
  get total(): number {
    return this.ids.length;
  }

  get sizeBytes(): number {
    return this.ids.byteLength;
  }

  /** See {@link listMd5}; computed once. */
  get md5(): string {
    return (this.hash ??= listMd5(this.ids, this.spell));
  }

  /** The same ids in a random order, made in memory: the database would have to order all of its rows. */
  shuffled(): IdList {
    const ids = this.ids.slice();
    for (let last = ids.length - 1; last > 0; last -= 1) {
      const other = Math.floor(Math.random() * (last + 1));
      const id = ids[last] ?? 0;
      ids[last] = ids[other] ?? 0;
      ids[other] = id;
    }
    // Nobody can page through a random order, so the hash of what it orders does for it.
    return new IdList(ids, this.md5, this.spell);
  }

  /** The ids at positions; those beyond the end are left out. */
  at(positions: readonly number[]): Int32Array {
    return Int32Array.from(positions.flatMap((position) => this.ids[position] ?? []));
  }

  /** The ids of a page. Without a limit, all from the offset on. */
  page(offset: number, limit: number | undefined): Int32Array {
    return this.ids.subarray(offset, limit === undefined ? undefined : offset + limit);
  }
}
