import { randomUUID } from 'node:crypto';
import type { CommandClient } from '@continuo/chassis';
import { describePlugins } from '@continuo/contracts';
import type { Logger } from 'pino';

/** Lists the functions of the plug-ins. */
export interface PluginDirectory {
  /** Whether some plug-in has a function, such as `metadata.artist`. Never throws: an unavailable service counts as no plug-ins. */
  can(name: string): Promise<boolean>;
}

/** Plug-ins come and go with a start of their service. */
const KEPT_MS = 30_000;
const TIMEOUT_MS = 1500;

/** Asks the ingestion service and caches its answer for 30 s. */
export class CommandPluginDirectory implements PluginDirectory {
  #functions: Promise<ReadonlySet<string>> = Promise.resolve(new Set());
  #askedAtMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly tools: { readonly commands: CommandClient; readonly now: () => number; readonly log: Logger }) {}

  async can(name: string): Promise<boolean> {
    const nowMs = this.tools.now();
    if (nowMs - this.#askedAtMs > KEPT_MS) {
      this.#askedAtMs = nowMs;
      this.#functions = this.#asked(this.#functions);
    }
    return (await this.#functions).has(name);
  }

  /** Keeps the last answer while the service is unavailable. */
  async #asked(before: Promise<ReadonlySet<string>>): Promise<ReadonlySet<string>> {
    const context = { actor: 'system', correlationId: randomUUID(), causationId: 'plugin-directory' } as const;
    try {
      const { result } = await this.tools.commands.send(describePlugins, {}, context, { timeoutMs: TIMEOUT_MS });
      return new Set(result.plugins.flatMap(({ functions }) => functions));
    } catch (error) {
      this.tools.log.debug({ err: error }, 'failed to list plug-ins; the last answer is kept');
      return before;
    }
  }
}

/** Knows the capabilities that plug-ins offer. */
export interface HasPlugins {
  readonly plugins: PluginDirectory;
}
