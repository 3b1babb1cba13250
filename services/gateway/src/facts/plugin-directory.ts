import { randomUUID } from 'node:crypto';
import type { CommandClient } from '@continuo/chassis';
import { describePlugins } from '@continuo/contracts';
import type { Logger } from 'pino';

/** Knows what plug-ins can be asked. */
export interface PluginDirectory {
  /** Whether some plug-in has a function, such as `metadata.artist`. Never throws: nobody to say it is nobody to ask. */
  can(name: string): Promise<boolean>;
}

/** For servers without plug-ins. */
export const noPlugins: PluginDirectory = { can: async () => false };

/** Plug-ins come and go with a start of their service. */
const KEPT_MS = 30_000;
const TIMEOUT_MS = 1500;

/** What the ingestion service says, remembered for a short time. */
export class AskedPluginDirectory implements PluginDirectory {
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

  /** Nobody waits for a service that is away more than once in a while. */
  async #asked(before: Promise<ReadonlySet<string>>): Promise<ReadonlySet<string>> {
    const context = { actor: 'system', correlationId: randomUUID(), causationId: 'plugin-directory' } as const;
    try {
      const { result } = await this.tools.commands.send(describePlugins, {}, context, { timeoutMs: TIMEOUT_MS });
      return new Set(result.plugins.flatMap(({ functions }) => functions));
    } catch (error) {
      this.tools.log.debug({ err: error }, 'nobody says which plug-ins there are');
      return before;
    }
  }
}
