import pg from 'pg';

/** Uses after which a statement is worth preparing: rare ones would only take up memory on the server. */
const HOT_USES = 5;
/** Texts whose uses are counted; those of rules and lists differ each time. */
const MAX_TEXTS = 1000;
const MAX_TEXT_LENGTH = 20_000;
/** The server keeps the plan of each, some ten KB, for as long as the connection lives. */
const MAX_PER_CONNECTION = 100;
/** Errors of a statement that was prepared for a view which has other columns by now. */
const FEATURE_NOT_SUPPORTED = '0A000';
const IS_PLANNABLE = /^\s*(select|with|insert|update|delete|merge)\b/i;

interface Statement {
  uses: number;
  /** Absent until it is hot. */
  name: string | undefined;
}

/** Names of statements that are used again and again, by their text; connections share them. */
class StatementNames {
  readonly #statements = new Map<string, Statement>();
  #given = 0;

  /** Name under which a statement is to be prepared; undefined when it is not worth it. */
  use(text: string): string | undefined {
    const known = this.#statements.get(text);
    if (!known) {
      if (text.length <= MAX_TEXT_LENGTH && IS_PLANNABLE.test(text)) this.#count(text);
      return undefined;
    }
    known.uses += 1;
    if (known.uses >= HOT_USES) known.name ??= this.#next();
    return known.name;
  }

  /** Gives a statement another name, so that each connection prepares it anew. */
  renew(text: string): void {
    this.#statements.set(text, { uses: HOT_USES, name: this.#next() });
  }

  #count(text: string): void {
    if (this.#statements.size >= MAX_TEXTS) this.#forgetColdest();
    this.#statements.set(text, { uses: 1, name: undefined });
  }

  #forgetColdest(): void {
    for (const [text, { name }] of this.#statements) if (name === undefined) this.#statements.delete(text);
    if (this.#statements.size >= MAX_TEXTS) this.#statements.clear();
  }

  #next(): string {
    this.#given += 1;
    return `continuo_${this.#given}`;
  }
}

const names = new StatementNames();

/** The parts of a connection that the types of its library leave out. */
interface Wire {
  readonly pipeline?: boolean;
  readonly connection?: { readonly stream?: { cork?(): void; uncork?(): void } };
}

/** Has statements of a pipelined connection that are asked at the same moment leave in one write. */
const gatherWrites = (client: pg.PoolClient): (() => void) => {
  const { pipeline, connection } = client as unknown as Wire;
  let isGathering = false;
  return () => {
    if (!pipeline || isGathering) return;
    isGathering = true;
    connection?.stream?.cork?.();
    // After all that is asked in this turn of the event loop.
    process.nextTick(() => {
      isGathering = false;
      connection?.stream?.uncork?.();
    });
  };
};

type Ask = (query: pg.QueryConfig) => Promise<pg.QueryResult>;

/**
 * Lets a connection prepare the statements that are used again and again: the server parses and plans them once, and their text crosses the wire once. A statement whose view has got
 * other columns since is asked anew; within a transaction its error stands, and the next attempt succeeds.
 */
export const prepareHotStatements = (client: pg.PoolClient): void => {
  const plain = client.query.bind(client) as (...args: unknown[]) => unknown;
  const ask = plain as Ask;
  const prepared = new Set<string>();
  const nameFor = (text: string): string | undefined => {
    const name = names.use(text);
    if (name === undefined || prepared.has(name)) return name;
    if (prepared.size >= MAX_PER_CONNECTION) return undefined;
    prepared.add(name);
    return name;
  };
  const gather = gatherWrites(client);
  const query = (...args: unknown[]): unknown => {
    gather();
    const [text, values] = args;
    const name = typeof text === 'string' && Array.isArray(values) && args.length === 2 ? nameFor(text) : undefined;
    if (name === undefined) return plain(...args);
    return ask({ name, text: text as string, values: values as unknown[] }).catch((error: unknown) => {
      if (!isOutdated(error)) throw error;
      names.renew(text as string);
      if (client.getTransactionStatus() !== 'I') throw error;
      return ask({ text: text as string, values: values as unknown[] });
    });
  };
  client.query = query as typeof client.query;
};

const isOutdated = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === FEATURE_NOT_SUPPORTED && error.routine === 'RevalidateCachedQuery';
