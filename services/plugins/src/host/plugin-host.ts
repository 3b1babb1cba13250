import { join } from 'node:path';
import { productVersion, type Metrics, type OutboundClient } from '@continuo/chassis';
import type { ServicePlugins } from '@continuo/contracts';
import type { Logger } from 'pino';
import type { PluginPartName } from '../api/plugin.js';
import { builtInPlugins } from '../providers/built-in.js';
import type { AnswerCache, PluginRateLimiter } from '../requests/answer-cache.js';
import { PluginRequests } from '../requests/plugin-requests.js';
import { locatePlugin } from './locate-plugin.js';
import { PluginFault } from './plugin-fault.js';
import { pluginMetrics, type PluginMetrics } from './plugin-metrics.js';
import type { PluginValues } from './plugin-settings.js';
import { DEFAULT_HEAP_MB } from './plugin-thread.js';
import { RunningPlugin } from './running-plugin.js';

/** The settings of `pluginSettings`, as a service has them. */
export interface PluginHostConfig {
  readonly PLUGINS: readonly string[];
  readonly PLUGIN_SETTINGS: PluginValues;
  readonly PLUGINS_FOLDER?: string | undefined;
  readonly PLUGIN_TIMEOUT_MS: number;
  readonly PLUGIN_CONTACT?: string | undefined;
  readonly CONTINUO_DATA: string;
}

/** Dependencies of {@link PluginHost}. */
export interface PluginHostDependencies {
  readonly config: PluginHostConfig;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly outbound: OutboundClient;
  readonly memory: AnswerCache;
  readonly pace: PluginRateLimiter;
  /** Only plug-ins that have one of these parts are kept running. */
  readonly parts: readonly PluginPartName[];
  /** Plug-ins of the service's own, by name: `file:` addresses of modules. They are there beside those of this package. */
  readonly builtIn?: Readonly<Record<string, string>>;
  readonly now?: () => number;
}

/** Answer of one plug-in. */
export interface PluginAnswer {
  readonly plugin: string;
  readonly title: string;
  readonly answer: unknown;
}

/** A plug-in that is in use or should be, with its state and its settings. */
type PluginHealth = ServicePlugins['plugins'][number];
/** A plug-in that is in use. */
type PluginDescription = Pick<PluginHealth, 'name' | 'title' | 'version' | 'sends' | 'functions'>;

/** A question to plug-ins: `part` and the name of its function. */
export interface PluginQuestion {
  readonly part: PluginPartName;
  readonly function: string;
  readonly query: unknown;
  /** Default: `PLUGIN_TIMEOUT_MS`. */
  readonly timeoutMs?: number;
}

const SERVER = { name: 'continuo', version: productVersion };
/** A request of a plug-in may take longer than whoever asks it waits: what comes is kept for the next one. */
const REQUEST_MS = 15_000;

/**
 * The plug-ins of a service. One that cannot be started is logged and left out; the service runs without it.
 *
 * Usage by a service: `...pluginSettings` in its settings, `...pluginMigrations` in its migrations, `PluginHost.start({ parts: ['lyrics'], … })` at its start,
 * `askAll` wherever several may answer, `ask` for one by name, `stop` at its end. Answers are whatever the plug-in says, so they are read with a schema.
 */
export class PluginHost {
  readonly #plugins: readonly RunningPlugin[];
  readonly #unusable: Readonly<Record<string, string>>;
  readonly #timeoutMs: number;

  private constructor(plugins: readonly RunningPlugin[], unusable: Readonly<Record<string, string>>, timeoutMs: number) {
    this.#plugins = plugins;
    this.#unusable = unusable;
    this.#timeoutMs = timeoutMs;
  }

  /** Starts the configured plug-ins that have a wanted part, all at the same time. Throws for none of them. */
  static async start(tools: PluginHostDependencies): Promise<PluginHost> {
    const { config, log } = tools;
    const metrics = pluginMetrics(tools.metrics.registry);
    const requests = requestsOf(tools);
    const unusable: Record<string, string> = {};
    const started = await Promise.all(
      config.PLUGINS.map(async (name) => {
        try {
          return await startOne(name, tools, { requests, metrics });
        } catch (error) {
          unusable[name] = error instanceof Error ? error.message : String(error);
          log.error({ plugin: name, reason: unusable[name] }, 'plug-in is unusable');
          return undefined;
        }
      }),
    );
    const plugins: RunningPlugin[] = [];
    for (const plugin of started) {
      if (plugin === undefined) continue;
      const isTwice = plugins.some(({ name }) => name === plugin.name);
      if (!isTwice && tools.parts.some((part) => plugin.has(part))) plugins.push(plugin);
      else await plugin.stop();
      if (isTwice) log.error({ plugin: plugin.name }, 'plug-in is configured twice; the first is used');
    }
    for (const { manifest, parts } of plugins)
      log.info({ plugin: manifest.name, version: manifest.version, parts: Object.keys(parts), sends: manifest.sends }, 'plug-in started');
    return new PluginHost(plugins, unusable, config.PLUGIN_TIMEOUT_MS);
  }

  /** Plug-ins with a part, or with a function of one, in the configured order; also those that rest. */
  having(part: PluginPartName, name?: string): readonly RunningPlugin[] {
    return this.#plugins.filter((plugin) => plugin.has(part, name));
  }

  /** One by name. */
  named(name: string): RunningPlugin | undefined {
    return this.#plugins.find((plugin) => plugin.name === name);
  }

  /** Asks all plug-ins that have the function, at the same time. Answers in the configured order, of those that have one; a fault is no answer. */
  async askAll(question: PluginQuestion): Promise<readonly PluginAnswer[]> {
    return (await this.askEach(question)).answers;
  }

  /**
   * The same, and names of those that could not answer: which is something else than having nothing to say.
   * @param onAnswer told of each answer as soon as it is there
   */
  async askEach(
    question: PluginQuestion,
    onAnswer?: (answer: PluginAnswer) => void,
  ): Promise<{ readonly answers: readonly PluginAnswer[]; readonly failed: readonly string[] }> {
    const failed: string[] = [];
    const asked = this.having(question.part, question.function).map(async (plugin): Promise<PluginAnswer | undefined> => {
      const answer = await this.#answerOf(plugin, question, () => failed.push(plugin.name));
      if (answer === undefined || answer === null) return undefined;
      const one = { plugin: plugin.name, title: plugin.manifest.title, answer };
      onAnswer?.(one);
      return one;
    });
    return { answers: (await Promise.all(asked)).filter((answer) => answer !== undefined), failed };
  }

  /** Asks one by name. Undefined: it is not in use, has no answer, or failed. */
  async askOne(name: string, question: PluginQuestion): Promise<unknown> {
    const plugin = this.named(name);
    return plugin?.has(question.part, question.function) ? this.#answerOf(plugin, question) : undefined;
  }

  /** Asks one plug-in after the other until one has an answer that `accepts` takes; `failed` is told of those that could not answer. */
  async askFirst<T>(
    question: PluginQuestion,
    accepts: (answer: unknown) => T | undefined,
    failed?: (plugin: string) => void,
  ): Promise<(PluginAnswer & { readonly answer: T }) | undefined> {
    for (const plugin of this.having(question.part, question.function)) {
      const said = await this.#answerOf(plugin, question, () => failed?.(plugin.name));
      const answer = said === undefined || said === null ? undefined : accepts(said);
      if (answer !== undefined) return { plugin: plugin.name, title: plugin.manifest.title, answer };
    }
    return undefined;
  }

  /** Describes the plug-ins in use: functions like `lyrics.find`. */
  describe(): PluginDescription[] {
    return this.#plugins.map(descriptionOf);
  }

  /** Describes the plug-ins in use and those that could not be started. */
  health(): PluginHealth[] {
    const running = this.#plugins.map((plugin): PluginHealth => {
      const { manifest, asked, failed, restsUntilMs = null, lastFault: problem = null } = plugin;
      const state = restsUntilMs === null ? 'ready' : 'resting';
      const limits = { requestEveryMs: manifest.pace?.everyMs ?? null, maxHeapMb: manifest.maxHeapMb ?? DEFAULT_HEAP_MB };
      return { ...descriptionOf(plugin), state, restsUntilMs, problem, ...limits, asked, failed, settings: settingsOf(plugin) };
    });
    const unusable = Object.entries(this.#unusable).map(([name, problem]): PluginHealth => ({
      ...unknown(name),
      state: 'unusable',
      restsUntilMs: null,
      problem,
      requestEveryMs: null,
      maxHeapMb: null,
      asked: 0,
      failed: 0,
      settings: [],
    }));
    return [...running, ...unusable];
  }

  /** State of each plug-in, for the readiness check. */
  states(): Readonly<Record<string, string>> {
    const running = this.#plugins.map(({ name, restsUntilMs }) => [
      `plugin-${name}`,
      restsUntilMs === undefined ? 'ready' : `rests until ${new Date(restsUntilMs).toISOString()}`,
    ]);
    const others = Object.entries(this.#unusable).map(([name, reason]) => [`plugin-${name}`, `unusable: ${reason}`]);
    return Object.fromEntries([...running, ...others]) as Record<string, string>;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#plugins.map((plugin) => plugin.stop()));
  }

  /** A fault has been counted and logged by the plug-in itself, and is nobody else's. */
  async #answerOf(plugin: RunningPlugin, question: PluginQuestion, failed?: () => void): Promise<unknown> {
    const { part, function: name, query, timeoutMs } = question;
    try {
      return await plugin.ask(part, name, query, timeoutMs ?? this.#timeoutMs);
    } catch (error) {
      if (!(error instanceof PluginFault)) throw error;
      failed?.();
      return undefined;
    }
  }
}

const descriptionOf = ({ manifest: { name, title, version, sends }, parts }: RunningPlugin): PluginDescription => ({
  name,
  title,
  version,
  sends,
  functions: Object.entries(parts).flatMap(([part, outline]) => outline.functions.map((one) => `${part}.${one}`)),
});

const unknown = (name: string): PluginDescription => ({ name, title: name, version: '', sends: '', functions: [] });

const settingsOf = ({ manifest, values }: RunningPlugin): PluginHealth['settings'] =>
  Object.entries(manifest.settings ?? {}).map(([name, { about, required = false, secret = false, default: usual = null }]) => ({
    name,
    about,
    value: secret ? null : (values[name] ?? usual),
    isSet: values[name] !== undefined,
    isSecret: secret,
    isRequired: required,
  }));

const requestsOf = ({ config, log, outbound, memory, pace, now = Date.now }: PluginHostDependencies): PluginRequests =>
  new PluginRequests({
    outbound,
    memory,
    pace,
    userAgent: `${SERVER.name}/${SERVER.version}${config.PLUGIN_CONTACT === undefined ? '' : ` ( ${config.PLUGIN_CONTACT} )`}`,
    timeoutMs: REQUEST_MS,
    now,
    warn: (error, text) => log.warn({ err: error }, text),
  });

const startOne = async (
  name: string,
  { config, log, builtIn }: PluginHostDependencies,
  { requests, metrics }: { readonly requests: PluginRequests; readonly metrics: PluginMetrics },
): Promise<RunningPlugin> => {
  const folder = config.PLUGINS_FOLDER ?? join(config.CONTINUO_DATA, 'plugins');
  const url = await locatePlugin(name, { builtIn: { ...builtInPlugins, ...builtIn }, folder });
  // Settings are named like the plug-in, or like what stands in `PLUGINS`, which is the same for built-in ones.
  const values = config.PLUGIN_SETTINGS;
  const pluginLog = log.child({ plugin: name });
  return RunningPlugin.start(
    {
      url,
      valuesOf: (manifest) => values[manifest.name] ?? values[name] ?? {},
      server: SERVER,
      fetch: (...request) => requests.fetch(...request),
      log: (level, text) => pluginLog[level](text),
    },
    {
      answered: (outcome, part, seconds) => {
        metrics.answers.inc({ plugin: name, part, outcome });
        metrics.seconds.observe({ plugin: name, part }, seconds);
      },
      rests: (untilMs, cause) =>
        pluginLog.warn({ until: new Date(untilMs).toISOString(), reason: cause.message }, 'plug-in keeps failing; its circuit is open'),
    },
  );
};
