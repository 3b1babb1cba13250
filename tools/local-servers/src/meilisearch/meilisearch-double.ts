import type { AddressInfo } from 'node:net';
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { FilterFault } from './double-filter.js';
import { DoubleIndex } from './double-index.js';
import * as requests from './double-requests.js';
import { DoubleTasks, TaskFault } from './double-tasks.js';
import type { TestMeilisearch } from './test-meilisearch.js';

/** A refusal in the server's own form. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

const STATE_PATHS = new Set(['/health', '/version']);

/**
 * Stands in for a Meilisearch server where none can be had: it takes what the documented interface takes and nothing else, carries tasks out
 * later and one after the other, indexes and ranks in a simple way, and can be slow, stuck, failing, away, emptied, or young. What it had to refuse is
 * kept in `refusals`. How well the real server ranks it cannot tell.
 */
export class MeilisearchDouble implements TestMeilisearch {
  readonly tasks = new DoubleTasks();
  readonly refusals: string[] = [];
  readonly indexes = new Map<string, DoubleIndex>();
  /** Requests so far, by method and route. */
  readonly requests = new Map<string, number>();
  version = '1.54.0';
  /** Requests are answered after so long, ms. */
  answerMs = 0;
  /** Answers the next requests with these statuses and a body that is not JSON, as a proxy does. */
  readonly proxyFaults: number[] = [];
  #app: FastifyInstance | undefined;
  #port = 0;

  constructor(readonly key = 'a key of the double') {}

  static async start(key?: string): Promise<MeilisearchDouble> {
    const double = new MeilisearchDouble(key);
    await double.up();
    return double;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Listens (again), on the same port. */
  async up(): Promise<void> {
    const app = fastify({ bodyLimit: 100 * 1024 * 1024, forceCloseConnections: true });
    this.#routes(app);
    await app.listen({ host: '127.0.0.1', port: this.#port });
    this.#port = (app.server.address() as AddressInfo).port;
    this.#app = app;
  }

  /** Stops listening and cuts connections off; keeps what it has. */
  async down(): Promise<void> {
    await this.#app?.close();
    this.#app = undefined;
  }

  /** As when the folder of the server is emptied. */
  loseEverything(): void {
    this.indexes.clear();
    this.tasks.clear();
  }

  documentsIn(index: string): Promise<number | undefined> {
    return Promise.resolve(this.indexes.get(index)?.documents.size);
  }

  refused(): Promise<readonly string[]> {
    return Promise.resolve(this.refusals);
  }

  async stop(): Promise<void> {
    this.tasks.stop();
    await this.down();
  }

  #routes(app: FastifyInstance): void {
    // The client names the type of a body also where it sends none.
    app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
      try {
        done(null, body === '' ? undefined : (JSON.parse(String(body)) as unknown));
      } catch {
        done(new Refusal(400, 'malformed_payload', 'The payload is no JSON.'));
      }
    });
    app.addHook('preValidation', async (request, reply) => this.#before(request, reply));
    app.setErrorHandler((error, request, reply) => this.#refuse(error, request, reply));
    app.setNotFoundHandler((request) => {
      throw new Refusal(404, 'not_found', `${request.method} ${request.url} is not known to the double`);
    });
    app.get('/health', () => ({ status: 'available' }));
    app.get('/version', () => ({ commitSha: 'unknown', commitDate: 'unknown', pkgVersion: this.version }));
    app.get('/tasks', (request) => this.tasks.list(parsed(requests.tasksQuery, request.query, 'invalid_task_filters')));
    app.get<{ Params: { uid: string } }>('/tasks/:uid', ({ params: { uid } }) => {
      const [task] = this.tasks.list({ uids: [Number(uid)] }).results;
      if (!task) throw new Refusal(404, 'task_not_found', `Task \`${uid}\` not found.`);
      return task;
    });
    this.#indexRoutes(app);
    this.#documentRoutes(app);
    app.post('/swap-indexes', (request, reply) => {
      const swaps = parsed(requests.swapBody, request.body, 'invalid_swap_indexes');
      return reply.status(202).send(this.tasks.enqueue('indexSwap', null, () => this.#swap(swaps.map(({ indexes }) => indexes))));
    });
    app.post('/multi-search', (request) => {
      const { queries } = parsed(requests.multiSearchBody, request.body, 'bad_request');
      return { results: queries.map((query) => this.#search(query)) };
    });
  }

  #indexRoutes(app: FastifyInstance): void {
    app.get('/indexes', (request) => {
      const { offset = 0, limit = 20 } = parsed(requests.pageQuery, request.query, 'invalid_index_limit');
      const all = [...this.indexes.keys()].toSorted().map((uid) => this.#tellIndex(uid));
      return { results: all.slice(offset, offset + limit), offset, limit, total: all.length };
    });
    app.post('/indexes', (request, reply) => {
      const { uid, primaryKey } = parsed(requests.createIndexBody, request.body, 'bad_request');
      const create = (): void => {
        if (this.indexes.has(uid)) throw new TaskFault('index_already_exists', `Index \`${uid}\` already exists.`);
        this.indexes.set(uid, new DoubleIndex(primaryKey ?? null));
      };
      return reply.status(202).send(this.tasks.enqueue('indexCreation', uid, create));
    });
    app.delete<{ Params: { uid: string } }>('/indexes/:uid', ({ params: { uid } }, reply) => {
      const drop = (): void => {
        if (!this.indexes.delete(uid)) throw new TaskFault('index_not_found', `Index \`${uid}\` not found.`);
      };
      return reply.status(202).send(this.tasks.enqueue('indexDeletion', uid, drop));
    });
    app.patch<{ Params: { uid: string } }>('/indexes/:uid/settings', (request, reply) => {
      const settings = parsed(requests.settingsBody, request.body, 'bad_request');
      const { uid } = request.params;
      return reply.status(202).send(this.tasks.enqueue('settingsUpdate', uid, () => this.#orNew(uid, null).configure(settings)));
    });
    app.get<{ Params: { uid: string } }>('/indexes/:uid/stats', ({ params: { uid } }) => ({
      numberOfDocuments: this.#index(uid).documents.size,
      rawDocumentDbSize: 0,
      avgDocumentSize: 0,
      isIndexing: false,
      numberOfEmbeddings: 0,
      numberOfEmbeddedDocuments: 0,
      fieldDistribution: {},
    }));
  }

  #documentRoutes(app: FastifyInstance): void {
    app.get<{ Params: { uid: string; id: string } }>('/indexes/:uid/documents/:id', ({ params: { uid, id } }) => {
      const document = this.#index(uid).documents.get(id);
      if (!document) throw new Refusal(404, 'document_not_found', `Document \`${id}\` not found.`);
      return document;
    });
    for (const method of ['POST', 'PUT'] as const)
      app.route<{ Params: { uid: string } }>({
        method,
        url: '/indexes/:uid/documents',
        handler: (request, reply) => {
          const query = parsed(requests.documentsQuery, request.query, 'bad_request');
          const documents = parsed(requests.documentsBody, request.body, 'malformed_payload');
          const { uid } = request.params;
          const write = (): void => this.#write(uid, documents, { isPartial: method === 'PUT', ...query });
          return reply.status(202).send(this.tasks.enqueue('documentAdditionOrUpdate', uid, write));
        },
      });
    app.post<{ Params: { uid: string } }>('/indexes/:uid/documents/delete-batch', (request, reply) => {
      const ids = parsed(requests.deleteBatchBody, request.body, 'malformed_payload');
      const { uid } = request.params;
      const remove = (): void => {
        const index = this.indexes.get(uid);
        if (!index) throw new TaskFault('index_not_found', `Index \`${uid}\` not found.`);
        for (const id of ids) index.remove(String(id));
      };
      return reply.status(202).send(this.tasks.enqueue('documentDeletion', uid, remove));
    });
  }

  async #before(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const route = `${request.method} ${request.routeOptions.url ?? 'unknown'}`;
    this.requests.set(route, (this.requests.get(route) ?? 0) + 1);
    if (this.answerMs > 0) await new Promise((resolve) => setTimeout(resolve, this.answerMs));
    const fault = this.proxyFaults.shift();
    if (fault !== undefined) return void (await reply.status(fault).type('text/html').send('<html>not now</html>'));
    if (this.key !== '' && !(STATE_PATHS.has(request.url) && request.url === '/health')) {
      const { authorization } = request.headers;
      if (authorization === undefined) throw new Refusal(401, 'missing_authorization_header', 'The Authorization header is missing.');
      if (authorization !== `Bearer ${this.key}`) throw new Refusal(403, 'invalid_api_key', 'The provided API key is invalid.');
    }
    if (!isUnicode(request.body)) throw new Refusal(400, 'malformed_payload', 'The payload is not well-formed Unicode.');
  }

  #refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const status = error instanceof Refusal ? error.status : 400;
    const code = error instanceof Refusal ? error.code : 'bad_request';
    const message = error instanceof Error ? error.message : String(error);
    if (status === 400 || code === 'not_found') this.refusals.push(`${request.method} ${request.url}: ${message}`);
    return reply
      .status(status)
      .send({ message, code, type: status === 403 || status === 401 ? 'auth' : 'invalid_request', link: `errors#${code}` });
  }

  #index(uid: string): DoubleIndex {
    const index = this.indexes.get(uid);
    if (!index) throw new Refusal(404, 'index_not_found', `Index \`${uid}\` not found.`);
    return index;
  }

  /** Documents and settings for an index that does not exist make it. */
  #orNew(uid: string, primaryKey: string | null): DoubleIndex {
    const index = this.indexes.get(uid) ?? new DoubleIndex(primaryKey);
    this.indexes.set(uid, index);
    return index;
  }

  #tellIndex(uid: string): Record<string, unknown> {
    const index = this.#index(uid);
    return { uid, createdAt: index.createdAt, updatedAt: index.createdAt, primaryKey: index.primaryKey };
  }

  #write(
    uid: string,
    documents: readonly Record<string, unknown>[],
    how: z.infer<typeof requests.documentsQuery> & { isPartial: boolean },
  ): void {
    const index = this.#orNew(uid, how.primaryKey ?? null);
    index.primaryKey ??= how.primaryKey ?? 'id';
    const keys = documents.map((document) => keyOf(document[index.primaryKey ?? 'id']));
    documents.forEach((document, place) => {
      const key = keys[place] ?? '';
      const before = index.documents.get(key);
      if (before === undefined && how.skipCreation === 'true') return;
      index.put(key, how.isPartial ? { ...before, ...document } : document);
    });
  }

  #swap(pairs: readonly (readonly [string, string])[]): void {
    const missing = pairs.flat().find((uid) => !this.indexes.has(uid));
    if (missing !== undefined) throw new TaskFault('index_not_found', `Index \`${missing}\` not found.`);
    for (const [a, b] of pairs) {
      const [first, second] = [this.indexes.get(a), this.indexes.get(b)];
      if (second) this.indexes.set(a, second);
      if (first) this.indexes.set(b, first);
    }
  }

  #search(query: requests.SearchQueryBody): Record<string, unknown> {
    const { indexUid, q = '', offset = 0, limit = 20, attributesToRetrieve } = query;
    const index = this.#index(indexUid);
    try {
      const all = index.search(query).slice(0, index.settings.pagination?.maxTotalHits ?? 1000);
      const shown = (attributesToRetrieve ?? ['*']).filter((name) => (index.settings.displayedAttributes ?? [name]).includes(name));
      const hits = all.slice(offset, offset + limit).map((key) => {
        const document = index.documents.get(key) ?? {};
        return shown.includes('*') ? document : Object.fromEntries(shown.map((name) => [name, document[name]]));
      });
      return { indexUid, hits, query: q ?? '', processingTimeMs: 1, limit, offset, estimatedTotalHits: all.length };
    } catch (error) {
      if (error instanceof FilterFault) throw new Refusal(400, 'invalid_search_filter', error.message);
      throw error;
    }
  }
}

const parsed = <S extends z.ZodType>(schema: S, value: unknown, code: string): z.output<S> => {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new Refusal(400, code, result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '));
};

const keyOf = (value: unknown): string => {
  if (typeof value === 'number' && Number.isInteger(value)) return String(value);
  if (typeof value === 'string' && /^[a-zA-Z0-9_-]{1,511}$/.test(value)) return value;
  throw new TaskFault(value === undefined ? 'missing_document_id' : 'invalid_document_id', 'Document identifier is invalid.');
};

const isUnicode = (value: unknown): boolean => {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, inner]) => key.isWellFormed() && isUnicode(inner));
};
