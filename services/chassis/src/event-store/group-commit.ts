/** An append that may share an atomic batch with others. */
export interface Groupable {
  /** Subjects that it writes; two appends to one subject never share a batch. */
  readonly subjects: readonly string[];
  /** Number of its events. */
  readonly size: number;
  /** True for bulk work, which may wait a moment for more of its kind. */
  readonly isPatient?: boolean;
}

/** Writes appends to the log. */
export interface GroupWriter<A extends Groupable> {
  /** Writes one append; answers the position of its last event. */
  readonly alone: (append: A) => Promise<Written>;
  /** Writes several together or none of them, one after the other; answers the position of the last event of all. */
  readonly together: (appends: readonly A[]) => Promise<Written>;
  /** True for a failure after which nothing was written and each may be tried by itself. */
  readonly isRefusal: (error: unknown) => boolean;
}

/** Position of the last event. */
export interface Written {
  readonly position: number;
  readonly isRepeat?: boolean;
}

interface Waiting<A> {
  readonly append: A;
  readonly resolve: (written: Written) => void;
  readonly reject: (error: unknown) => void;
}

/** A batch costs the server as much as some thirty single messages, most of it for being a batch. */
const SINGLES_AT_A_TIME = 32;
const WORTH_A_BATCH = 24;
const BATCHES_AT_A_TIME = 2;
const MOST_EVENTS = 1000;
/** Rest after a batch, in which appends of bulk work gather: the server creates and deletes a folder with files for each batch. */
const REST_MS = 100;
/** So many do not wait for more. */
const ENOUGH = 10;
/** After a refusal appends go alone for a while, longer each time: other replicas write the same things, and one of them spoils a whole batch. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Lets appends that come at the same time share atomic batches, as databases share a write to the disk: who comes while the log is busy goes with the next batch. Alone,
 * nobody waits. Each append is still there whole or not at all.
 */
export class GroupCommit<A extends Groupable> {
  readonly #writer: GroupWriter<A>;
  readonly #now: () => number;
  readonly #waiting: Waiting<A>[] = [];
  #singles = 0;
  #batches = 0;
  #pauseMs = FIRST_PAUSE_MS;
  #aloneUntilMs = 0;
  #restUntilMs = 0;
  #hasTimer = false;

  constructor(writer: GroupWriter<A>, now: () => number) {
    this.#writer = writer;
    this.#now = now;
  }

  append(append: A): Promise<Written> {
    if (this.#now() < this.#aloneUntilMs) return this.#writer.alone(append);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ append, resolve, reject });
      this.#pump();
    });
  }

  #pump(): void {
    const isResting = this.#isResting();
    for (;;) {
      const ready = isResting ? this.#waiting.filter(({ append }) => !append.isPatient) : this.#waiting;
      const [next] = ready;
      const hasLists = ready.some(({ append }) => append.size > 1);
      if (this.#batches < BATCHES_AT_A_TIME && (hasLists || ready.length >= WORTH_A_BATCH)) void this.#writeTogether(this.#taken());
      else if (next?.append.size === 1 && this.#singles < SINGLES_AT_A_TIME) {
        this.#waiting.splice(this.#waiting.indexOf(next), 1);
        void this.#writeSingle(next);
      } else return;
    }
  }

  /** True while bulk work waits for more of its kind; the rest ends by itself. */
  #isResting(): boolean {
    const patient = this.#waiting.filter(({ append }) => append.isPatient).length;
    const leftMs = this.#restUntilMs - this.#now();
    if (patient === 0 || patient >= ENOUGH || leftMs <= 0) return false;
    if (this.#hasTimer) return true;
    this.#hasTimer = true;
    setTimeout(() => {
      this.#hasTimer = false;
      this.#pump();
    }, leftMs);
    return true;
  }

  /** As many of those that wait as one batch holds, in their order; the rest goes on waiting. */
  #taken(): Waiting<A>[] {
    const subjects = new Set<string>();
    const [taken, left]: [Waiting<A>[], Waiting<A>[]] = [[], []];
    let events = 0;
    for (const one of this.#waiting.splice(0)) {
      const { size, subjects: own } = one.append;
      const fits = events + size <= MOST_EVENTS && own.every((subject) => !subjects.has(subject));
      // What waits behind an append to the same subject must not overtake it.
      for (const subject of own) subjects.add(subject);
      (fits ? taken : left).push(one);
      if (fits) events += size;
    }
    this.#waiting.push(...left);
    return taken;
  }

  async #writeSingle(one: Waiting<A>): Promise<void> {
    this.#singles += 1;
    await this.#writeAlone(one);
    this.#singles -= 1;
    this.#pump();
  }

  async #writeAlone({ append, resolve, reject }: Waiting<A>): Promise<void> {
    await this.#writer.alone(append).then(resolve, reject);
  }

  async #writeTogether(group: readonly Waiting<A>[]): Promise<void> {
    this.#batches += 1;
    const [only] = group;
    if (only && group.length === 1) await this.#writeAlone(only);
    else await this.#writeGroup(group);
    this.#batches -= 1;
    if (group.some(({ append }) => append.isPatient)) this.#restUntilMs = this.#now() + REST_MS;
    this.#pump();
  }

  async #writeGroup(group: readonly Waiting<A>[]): Promise<void> {
    try {
      const { position } = await this.#writer.together(group.map(({ append }) => append));
      this.#pauseMs = FIRST_PAUSE_MS;
      let end = position - group.reduce((sum, { append }) => sum + append.size, 0);
      for (const { append, resolve } of group) {
        end += append.size;
        resolve({ position: end });
      }
    } catch (error) {
      if (!this.#writer.isRefusal(error)) {
        for (const { reject } of group) reject(error);
        return;
      }
      this.#aloneUntilMs = this.#now() + this.#pauseMs;
      this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
      await Promise.all(group.map((one) => this.#writeAlone(one)));
    }
  }
}
