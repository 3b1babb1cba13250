/** Changed paths of a catalog: folders with everything below them, and single files by their folders. */
export interface Touched {
  /** Relative to the root, none inside another. */
  readonly trees: readonly string[];
  readonly files: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Places that are kept apart; beyond it the whole catalog is looked at. */
const MAX_PLACES = 500;

const holds = (tree: string, path: string): boolean => tree === '' || path === tree || path.startsWith(`${tree}/`);

/** Gathers what is touched until things are quiet. */
export class ChangedPathsBuffer {
  #trees = new Set<string>();
  #files = new Map<string, Set<string>>();
  #count = 0;

  /** A folder appeared, went, or has to be looked at with everything below it. */
  tree(path: string): void {
    if (this.#trees.has(path)) return;
    this.#trees.add(path);
    this.#count += 1;
  }

  /** A file of a folder appeared, changed or went. */
  file(folder: string, name: string): void {
    let names = this.#files.get(folder);
    if (names === undefined) this.#files.set(folder, (names = new Set()));
    if (names.has(name)) return;
    names.add(name);
    this.#count += 1;
  }

  /** Puts back paths whose scan failed. */
  putBack(taken: Touched | 'all'): void {
    if (taken === 'all') return this.tree('');
    for (const path of taken.trees) this.tree(path);
    for (const [folder, names] of taken.files) for (const name of names) this.file(folder, name);
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** Removes and returns the gathered paths; `all` when there are too many to scan one by one. */
  take(): Touched | 'all' {
    const [trees, files, count] = [this.#trees, this.#files, this.#count];
    [this.#trees, this.#files, this.#count] = [new Set(), new Map(), 0];
    if (count > MAX_PLACES || trees.has('')) return 'all';
    const tops: string[] = [];
    for (const path of [...trees].toSorted()) if (!tops.some((top) => holds(top, path))) tops.push(path);
    return { trees: tops, files: new Map([...files].filter(([folder]) => !tops.some((top) => holds(top, folder)))) };
  }
}
