import { fork, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { programOf, repository } from '../config.js';
import type { Part } from './part.js';

/** Start options of a service. */
export interface ServiceSpec {
  /** Name of the part, for example `library-2`. */
  readonly name: string;
  /** Folder below `services/`. */
  readonly service: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly healthPort: number;
  /** File that gets everything that the service prints, over all its lives. */
  readonly outputFile: string;
  /** The program, when it is not the service of this repository as it was built last. */
  readonly program?: string;
}

/** A life of a service that ended without being killed by us. */
export interface UnexpectedExit {
  readonly name: string;
  readonly pid: number;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const STOP_MS = 30_000;
const RESTART_AFTER_MS = 500;
/** Ends the service when the process that started it is gone, even by kill -9: nothing may be left behind. */
const TETHER = `data:text/javascript,${encodeURIComponent("process.on('disconnect',()=>process.exit(1));process.channel?.unref()")}`;

/** A service in its own process. One that ends by itself is started again, as an orchestrator would, and remembered. */
export class ServiceProcess implements Part {
  readonly #spec: ServiceSpec;
  readonly #selfExits: UnexpectedExit[] = [];
  #child: ChildProcess;
  #wanted = true;

  constructor(spec: ServiceSpec) {
    this.#spec = spec;
    this.#child = this.#spawn();
  }

  get name(): string {
    return this.#spec.name;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get selfExits(): readonly UnexpectedExit[] {
    return this.#selfExits;
  }

  /** Value of one of its settings. */
  setting(name: string): string | undefined {
    return this.#spec.environment[name];
  }

  /** Exit of its last process; undefined while it runs. */
  get exit(): Pick<UnexpectedExit, 'code' | 'signal'> | undefined {
    const { exitCode: code, signalCode: signal } = this.#child;
    return code === null && signal === null ? undefined : { code, signal };
  }

  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  revive(): Promise<void> {
    this.#wanted = true;
    this.#child = this.#spawn();
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_MS);
    await this.#end('SIGTERM');
    clearTimeout(timer);
  }

  /** Whether it says that it can take work. */
  async isReady(): Promise<boolean> {
    try {
      const answer = await fetch(`http://127.0.0.1:${this.#spec.healthPort}/health/ready`, { signal: AbortSignal.timeout(2000) });
      return answer.status === 200;
    } catch {
      // Not there (yet) is the answer that was asked for.
      return false;
    }
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    this.#wanted = false;
    const child = this.#child;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await gone;
  }

  #spawn(): ChildProcess {
    const { service, environment, outputFile, healthPort, program } = this.#spec;
    const output = openSync(outputFile, 'a');
    const child = fork(program ?? programOf(service), [], {
      cwd: repository,
      env: { ...environment, HEALTH_PORT: String(healthPort), HEALTH_HOST: '127.0.0.1' },
      execArgv: ['--import', TETHER],
      stdio: ['ignore', output, output, 'ipc'],
    });
    closeSync(output);
    child.once('exit', (code, signal) => void this.#noteExit(child, code, signal));
    return child;
  }

  async #noteExit(child: ChildProcess, code: number | null, signal: NodeJS.Signals | null): Promise<void> {
    if (!this.#wanted || child !== this.#child) return;
    this.#selfExits.push({ name: this.name, pid: child.pid ?? 0, code, signal });
    await delay(RESTART_AFTER_MS);
    if (this.#wanted && child === this.#child) this.#child = this.#spawn();
  }
}
