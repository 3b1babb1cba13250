import { parentPort, workerData } from 'node:worker_threads';
import type { Plugin, PluginParts, PluginRequest, PluginResponse } from '../api/plugin.js';
import { jsonOf } from './json-answer.js';
import type { FromThread, PartOutline, ToThread } from './thread-messages.js';

// The entry point of the thread of one plug-in. It imports nothing of the chassis, so that it starts in milliseconds and can run from sources as well.
const port = parentPort;
if (port === null) throw new Error('this module runs in a worker thread only');
const { url } = workerData as { readonly url: string };

type Functions = Readonly<Record<string, unknown>>;
const functionsOf = (part: object): string[] => {
  const names = new Set<string>();
  for (let level: object | null = part; level !== null && level !== Object.prototype; level = Object.getPrototypeOf(level) as object | null)
    for (const name of Object.getOwnPropertyNames(level)) if (typeof (part as Functions)[name] === 'function') names.add(name);
  names.delete('constructor');
  return [...names];
};

const post = (message: FromThread): void => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread, not a window
  port.postMessage(message);
};
const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

let plugin: Plugin | undefined;
let parts: PluginParts = {};
let nextFetch = 1;
const fetches = new Map<number, PromiseWithResolvers<PluginResponse>>();
const questions = new Map<number, AbortController>();

const fetchThere = (request: PluginRequest): Promise<PluginResponse> => {
  const waiting = Promise.withResolvers<PluginResponse>();
  const id = nextFetch;
  nextFetch += 1;
  fetches.set(id, waiting);
  post({ kind: 'fetch', id, request });
  return waiting.promise;
};

const outlineOf = (part: object): PartOutline => {
  const values = Object.fromEntries(Object.entries(part).filter(([, value]) => typeof value !== 'function'));
  return { functions: functionsOf(part), values };
};

const start = async ({ settings, server }: Extract<ToThread, { kind: 'start' }>): Promise<void> => {
  const fetchJson = async <T>(request: PluginRequest): Promise<T | undefined> => jsonOf(await fetchThere(request)) as T | undefined;
  const log = (level: 'debug' | 'info' | 'warn', text: string): void => post({ kind: 'log', level, text });
  parts = (await plugin?.start({ settings, server, fetch: fetchThere, fetchJson, log })) ?? {};
  post({ kind: 'ready', parts: Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, outlineOf(part as object)])) });
};

const answer = async (question: Extract<ToThread, { kind: 'ask' }>): Promise<void> => {
  const abort = new AbortController();
  questions.set(question.id, abort);
  try {
    const part = parts[question.part] as unknown as Readonly<Record<string, unknown>> | undefined;
    const asked = part?.[question.function];
    if (typeof asked !== 'function') throw new Error(`it has no ${question.part}.${question.function}`);
    const value: unknown = await (asked.call(part, question.query, { signal: abort.signal }) as Promise<unknown>);
    post({ kind: 'answer', id: question.id, value });
  } catch (error) {
    // Also when the answer cannot be copied: then nothing has left yet.
    post({ kind: 'failure', id: question.id, text: textOf(error) });
  } finally {
    questions.delete(question.id);
  }
};

const settle = (message: Extract<ToThread, { kind: 'fetched' | 'not-fetched' }>): void => {
  const waiting = fetches.get(message.id);
  fetches.delete(message.id);
  if (message.kind === 'fetched') waiting?.resolve(message.response);
  else waiting?.reject(new Error(message.text));
};

port.on('message', (message: ToThread) => {
  switch (message.kind) {
    case 'start':
      start(message).catch((error: unknown) => post({ kind: 'broken', text: textOf(error) }));
      return;
    case 'ask':
      void answer(message);
      return;
    case 'cancel':
      questions.get(message.id)?.abort(new Error('nobody waits for this any more'));
      post({ kind: 'alive', id: message.id });
      return;
    case 'fetched':
    case 'not-fetched':
      settle(message);
      return;
  }
});

const { default: loaded } = (await import(url)) as { readonly default?: Plugin };
plugin = loaded;
const { start: _, ...manifest } = { ...loaded };
post({ kind: 'manifest', manifest: typeof loaded?.start === 'function' ? manifest : undefined });
