import type { PluginPartName } from '../api/plugin.js';
import { Circuit } from './circuit.js';
import { PluginFault } from './plugin-fault.js';
import { PluginThread, type ThreadTerms } from './plugin-thread.js';
import type { PartOutlines, PluginManifest } from './thread-messages.js';

/** A thread that nobody needs for so long is ended: it starts again in milliseconds. */
const IDLE_MS = 300_000;
const WATCH_MS = 30_000;

/** Events of a plug-in. */
export interface PluginEvents {
  /** After each question. */
  answered(outcome: 'answered' | 'nothing' | PluginFault['kind'], part: PluginPartName, seconds: number): void;
  /** It is left alone until then, epoch ms. */
  rests(untilMs: number, cause: PluginFault): void;
}

/** A plug-in in use: its thread is started again when it ended, and it rests after too many failures. */
export class RunningPlugin {
  readonly manifest: PluginManifest;
  readonly parts: PartOutlines;
  readonly #terms: ThreadTerms;
  readonly #events: PluginEvents;
  readonly #circuit: Circuit;
  readonly #watch: NodeJS.Timeout;
  #thread: Promise<PluginThread>;
  #usedAtMs = Date.now();
  #lastFault: string | undefined;
  #asked = 0;
  #failed = 0;
  #isStopped = false;

  private constructor(thread: PluginThread, terms: ThreadTerms, events: PluginEvents, circuit: Circuit) {
    this.manifest = thread.manifest as PluginManifest;
    this.parts = thread.parts;
    this.#thread = Promise.resolve(thread);
    this.#terms = { ...terms, maxHeapMb: this.manifest.maxHeapMb };
    this.#events = events;
    this.#circuit = circuit;
    this.#watch = setInterval(() => void this.#endIdle(), WATCH_MS);
    this.#watch.unref();
  }

  /** Loads a plug-in and starts it. @throws Error that says why it cannot be used */
  static async start(terms: ThreadTerms, events: PluginEvents, circuit: Circuit = new Circuit()): Promise<RunningPlugin> {
    const thread = await PluginThread.start(terms);
    // The heap that it asks for is known only now; nothing has been asked of the first thread.
    const wished = thread.manifest?.maxHeapMb;
    if (wished === undefined) return new RunningPlugin(thread, terms, events, circuit);
    await thread.stop();
    return new RunningPlugin(await PluginThread.start({ ...terms, maxHeapMb: wished }), terms, events, circuit);
  }

  get name(): string {
    return this.manifest.name;
  }

  /** Whether it has a part, or a function of one. */
  has(part: PluginPartName, name?: string): boolean {
    const outline = this.parts[part];
    return outline !== undefined && (name === undefined || outline.functions.includes(name));
  }

  /** Text of the failure of the last question; undefined when that was answered. */
  get lastFault(): string | undefined {
    return this.#lastFault;
  }

  /** Number of questions. */
  get asked(): number {
    return this.#asked;
  }

  /** Number of questions that it could not answer. */
  get failed(): number {
    return this.#failed;
  }

  /** Values of its settings that the operator has given. */
  get values(): Readonly<Record<string, string>> {
    return this.#terms.valuesOf(this.manifest);
  }

  /** Epoch ms until which it rests; undefined: it may be asked. */
  get restsUntilMs(): number | undefined {
    return this.#circuit.openUntilMs;
  }

  /**
   * Asks, and waits for the answer at most `timeoutMs`. The answer is what the plug-in says, of whatever shape: whoever asks checks it.
   * @throws PluginFault
   */
  async ask(part: PluginPartName, name: string, query: unknown, timeoutMs: number): Promise<unknown> {
    if (this.#isStopped) throw new PluginFault('not-running', `${this.name}: the server is stopping`);
    this.#asked += 1;
    const startedAtMs = performance.now();
    const seconds = (): number => (performance.now() - startedAtMs) / 1000;
    if (!this.#circuit.enter()) {
      this.#failed += 1;
      this.#events.answered('resting', part, 0);
      throw new PluginFault('resting', `${this.name}: it has failed too often and rests`);
    }
    let thread: PluginThread | undefined;
    try {
      thread = await this.#alive();
      this.#usedAtMs = Date.now();
      const answer = await thread.ask(part, name, query, timeoutMs);
      this.#usedAtMs = Date.now();
      this.#circuit.succeeded();
      this.#lastFault = undefined;
      this.#events.answered(answer === undefined ? 'nothing' : 'answered', part, seconds());
      return answer;
    } catch (error) {
      const fault = this.#faultOf(error, thread !== undefined && thread.waitedAtMs >= startedAtMs);
      this.#events.answered(fault.kind, part, seconds());
      this.#lastFault = fault.message;
      this.#failed += 1;
      if (fault.kind === 'busy') this.#circuit.undecided();
      else if (this.#circuit.failed()) this.#events.rests(this.#circuit.openUntilMs ?? Date.now(), fault);
      throw fault;
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#watch);
    const [thread] = await Promise.allSettled([this.#thread]);
    if (thread.status === 'fulfilled') await thread.value.stop();
  }

  #faultOf(error: unknown, hasWaited: boolean): PluginFault {
    const told = error instanceof PluginFault ? error.kind : 'not-running';
    const kind = hasWaited && told !== 'not-running' ? 'busy' : told;
    return new PluginFault(kind, `${this.name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }

  /** The thread, started anew when the last one ended. */
  async #alive(): Promise<PluginThread> {
    const [present] = await Promise.allSettled([this.#thread]);
    if (present.status === 'fulfilled' && present.value.ended === undefined) return present.value;
    // Of several that find it ended only the first starts one.
    if (this.#isStopped) throw new Error('the server is stopping');
    const current = this.#thread;
    const [again] = await Promise.allSettled([current]);
    if (current === this.#thread && (again.status === 'rejected' || again.value.ended !== undefined))
      this.#thread = PluginThread.start(this.#terms);
    return this.#thread;
  }

  async #endIdle(): Promise<void> {
    const [thread] = await Promise.allSettled([this.#thread]);
    if (thread.status === 'fulfilled' && thread.value.isIdle && Date.now() - this.#usedAtMs > IDLE_MS) await thread.value.stop();
  }
}
