import { Worker } from 'node:worker_threads';
import type { PluginPartName, PluginRequest, PluginResponse } from '../api/plugin.js';
import { PluginFault } from './plugin-fault.js';
import { settingsFor } from './plugin-values.js';
import { readManifest } from './read-manifest.js';
import type { FromThread, PartOutlines, PluginManifest, ToThread } from './thread-messages.js';

/** Lets a thread that runs from sources resolve the `.js` specifiers of TypeScript modules; compiled code needs none of it. */
const sourceHook = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier.startsWith('.') && context.parentURL?.endsWith('.ts') ? next(specifier.replace(/\\.js$/, '.ts'), context) : next(specifier, context),
  });
`)}`;

/** Largest heap of a plug-in that asks for none, MB. */
export const DEFAULT_HEAP_MB = 128;
const MAX_YOUNG_HEAP_MB = 16;
/** Loading modules and `start` together. */
const START_MS = 30_000;
/** So long after a cancellation a thread that does not answer is stuck. */
const STUCK_GRACE_MS = 2000;

/** Start options of a thread. */
export interface ThreadTerms {
  /** `file:` address of the module. */
  readonly url: string;
  /** Values that the operator has set. */
  readonly valuesOf: (manifest: PluginManifest) => Readonly<Record<string, string>>;
  readonly server: { readonly name: string; readonly version: string };
  readonly maxHeapMb?: number | undefined;
  readonly startMs?: number | undefined;
  /** Fetches for the plug-in, and tells when a request had to wait for its turn. */
  readonly fetch: (
    manifest: PluginManifest,
    request: PluginRequest,
    settings: Readonly<Record<string, string>>,
    waits: () => void,
  ) => Promise<PluginResponse>;
  readonly log: (level: 'debug' | 'info' | 'warn', text: string) => void;
}

interface Question {
  readonly settle: PromiseWithResolvers<unknown>;
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** One life of a plug-in's thread. Ended, it is not started again. */
export class PluginThread {
  readonly #terms: ThreadTerms;
  readonly #worker: Worker;
  readonly #started = Promise.withResolvers<void>();
  readonly #questions = new Map<number, Question>();
  readonly #graces = new Map<number, NodeJS.Timeout>();
  #nextId = 1;
  #settings: Readonly<Record<string, string>> = {};
  #ended: string | undefined;
  /** Known once it has started. */
  manifest: PluginManifest | undefined;
  parts: PartOutlines = {};
  /** When a request had to wait for its turn the last time, by the monotonic clock, ms. */
  waitedAtMs = Number.NEGATIVE_INFINITY;

  private constructor(terms: ThreadTerms) {
    this.#terms = terms;
    const fromSources = import.meta.url.endsWith('.ts');
    this.#worker = new Worker(new URL(fromSources ? './plugin-worker.ts' : './plugin-worker.js', import.meta.url), {
      workerData: { url: terms.url },
      name: 'plugin',
      resourceLimits: { maxOldGenerationSizeMb: terms.maxHeapMb ?? DEFAULT_HEAP_MB, maxYoungGenerationSizeMb: MAX_YOUNG_HEAP_MB },
      execArgv: fromSources ? ['--import', sourceHook] : [],
      // Nothing of the server's settings is a plug-in's business.
      env: {},
    });
    this.#worker.unref();
    this.#worker.on('message', (message: FromThread) => this.#heard(message));
    // `exit` follows; what was wrong is told to whoever waits.
    this.#worker.on('error', (error) => this.#end(textOf(error)));
    this.#worker.on('messageerror', (error) => this.#end(error.message));
    this.#worker.on('exit', () => this.#end('its thread ended'));
  }

  /** Starts a thread and the plug-in in it. @throws Error that says why it cannot be used */
  static async start(terms: ThreadTerms): Promise<PluginThread> {
    const thread = new PluginThread(terms);
    const late = setTimeout(() => thread.#end('it did not start in time'), terms.startMs ?? START_MS);
    try {
      await thread.#started.promise;
      return thread;
    } catch (error) {
      await thread.stop();
      throw error;
    } finally {
      clearTimeout(late);
    }
  }

  /** Why it has ended; undefined while it lives. */
  get ended(): string | undefined {
    return this.#ended;
  }

  get isIdle(): boolean {
    return this.#questions.size === 0;
  }

  /** Asks and waits. @throws PluginFault */
  async ask(part: PluginPartName, name: string, query: unknown, timeoutMs: number): Promise<unknown> {
    if (this.#ended !== undefined) throw new PluginFault('not-running', this.#ended);
    const settle = Promise.withResolvers<unknown>();
    const id = this.#nextId;
    this.#nextId += 1;
    this.#questions.set(id, { settle });
    const late = setTimeout(() => {
      settle.reject(new PluginFault('timeout', `no answer within ${timeoutMs} ms`));
      this.#cancel(id);
    }, timeoutMs);
    try {
      this.#post({ kind: 'ask', id, part, function: name, query });
      return await settle.promise;
    } finally {
      clearTimeout(late);
      this.#questions.delete(id);
    }
  }

  async stop(): Promise<void> {
    this.#end('it was stopped');
    await this.#worker.terminate();
  }

  /** A thread that does not even hear that nobody waits is in an endless loop: it is ended, together with what else it was asked. */
  #cancel(id: number): void {
    this.#graces.set(
      id,
      setTimeout(() => this.#end('its thread was stuck'), STUCK_GRACE_MS),
    );
    this.#post({ kind: 'cancel', id });
  }

  #post(message: ToThread): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread, not a window
    this.#worker.postMessage(message);
  }

  #end(reason: string): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    for (const grace of this.#graces.values()) clearTimeout(grace);
    this.#graces.clear();
    this.#started.reject(new Error(reason));
    for (const { settle } of this.#questions.values()) settle.reject(new PluginFault('failed', reason));
    void this.#worker.terminate();
  }

  #heard(message: FromThread): void {
    switch (message.kind) {
      case 'manifest':
        this.#introduced(message.manifest);
        return;
      case 'ready':
        this.parts = message.parts;
        this.#started.resolve();
        return;
      case 'broken':
        this.#end(message.text);
        return;
      case 'answer':
        this.#questions.get(message.id)?.settle.resolve(message.value);
        return;
      case 'failure':
        this.#questions.get(message.id)?.settle.reject(new PluginFault('failed', message.text));
        return;
      case 'alive':
        clearTimeout(this.#graces.get(message.id));
        this.#graces.delete(message.id);
        return;
      case 'fetch':
        void this.#fetch(message.id, message.request);
        return;
      case 'log':
        this.#terms.log(message.level, String(message.text).slice(0, 1000));
        return;
    }
  }

  #introduced(said: unknown): void {
    try {
      this.manifest = readManifest(said);
      this.#settings = settingsFor(this.manifest, this.#terms.valuesOf(this.manifest));
      this.#post({ kind: 'start', settings: this.#settings, server: this.#terms.server });
    } catch (error) {
      this.#end(textOf(error));
    }
  }

  async #fetch(id: number, request: PluginRequest): Promise<void> {
    try {
      if (!this.manifest) throw new Error('it asks before it says who it is');
      const response = await this.#terms.fetch(this.manifest, request, this.#settings, () => {
        this.waitedAtMs = performance.now();
      });
      this.#post({ kind: 'fetched', id, response });
    } catch (error) {
      this.#post({ kind: 'not-fetched', id, text: textOf(error) });
    }
  }
}
