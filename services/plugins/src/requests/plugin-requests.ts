import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { OutboundClient, OutboundResponse } from '@continuo/chassis';
import type { PluginRequest, PluginResponse } from '../api/plugin.js';
import { hostsOf, isAmong } from '../host/plugin-values.js';
import type { PluginManifest } from '../host/thread-messages.js';
import type { AnswerCache, CachedAnswer, PluginRateLimiter } from './answer-cache.js';

/** Dependencies of {@link PluginRequests}. */
export interface PluginRequestDependencies {
  readonly outbound: OutboundClient;
  readonly memory: AnswerCache;
  readonly pace: PluginRateLimiter;
  /** User agent: name, version and contact of the operator. */
  readonly userAgent: string;
  /** Longest time that one request may take, with the wait for its turn, ms. */
  readonly timeoutMs: number;
  readonly now: () => number;
  /** Told of what does not work but breaks nothing. */
  readonly warn: (fault: unknown, text: string) => void;
}

/** A shorter wait for a turn is part of any request. */
const NOTABLE_WAIT_MS = 200;
const MAX_BYTES = 1024 * 1024;
const LARGEST_BYTES = 64 * 1024 * 1024;
/** That a service has nothing may change sooner than what it has. */
const NOTHING_KEPT_MS = 86_400_000;
/** After an answer that says "too often" without saying how long. */
const HOLD_OFF_MS = 10_000;
const LONGEST_HOLD_OFF_MS = 3_600_000;
const TIDY_EVERY = 500;

const isAway = (status: number): boolean => status === 429 || status >= 500;
const isGood = (status: number): boolean => (status >= 200 && status < 300) || status === 404 || status === 410;

/** Requests of plug-ins: only to their hosts, in turn, and kept where they say so. */
export class PluginRequests {
  readonly #deps: PluginRequestDependencies;
  /** Requests under way: equal ones are sent once. */
  readonly #underWay = new Map<string, Promise<PluginResponse>>();
  #kept = 0;

  constructor(deps: PluginRequestDependencies) {
    this.#deps = deps;
  }

  /**
   * Does what a plug-in asks for.
   * @param waits is told when the request has to wait for its turn
   * @throws Error when it may not, or when nothing comes back
   */
  async fetch(
    manifest: PluginManifest,
    request: PluginRequest,
    settings: Readonly<Record<string, string>>,
    waits: () => void,
  ): Promise<PluginResponse> {
    const { hostname } = new URL(request.url);
    if (!isAmong(hostname, hostsOf(manifest, settings))) throw new Error(`${hostname} is none of its hosts`);
    const { keepMs } = request;
    if (keepMs === undefined || (request.method ?? 'GET') !== 'GET') return this.#send(manifest, request, waits);
    const key = createHash('sha256').update(request.url).digest('base64url');
    const name = `${manifest.name} ${key}`;
    const present = this.#underWay.get(name) ?? this.#remembered(manifest, request, key, waits);
    this.#underWay.set(name, present);
    try {
      return await present;
    } finally {
      this.#underWay.delete(name);
    }
  }

  async #remembered(manifest: PluginManifest, request: PluginRequest, key: string, waits: () => void): Promise<PluginResponse> {
    const { memory, now } = this.#deps;
    const known = await this.#harmless(() => memory.find(manifest.name, key));
    if (known && known.freshUntilMs > now()) return fromMemory(known, request.url);
    try {
      const answer = await this.#send(manifest, request, waits);
      if (isAway(answer.status) && known) return fromMemory(known, request.url);
      if (isGood(answer.status)) await this.#keep(manifest.name, key, answer, request.keepMs ?? 0);
      return answer;
    } catch (error) {
      // A stale answer is better than none.
      if (known) return fromMemory(known, request.url);
      throw error;
    }
  }

  async #keep(plugin: string, key: string, answer: PluginResponse, keepMs: number): Promise<void> {
    const { memory, now } = this.#deps;
    const forMs = answer.status < 300 ? keepMs : Math.min(keepMs, NOTHING_KEPT_MS);
    const contentType = answer.headers['content-type'] ?? '';
    const kept: CachedAnswer = { status: answer.status, contentType, body: answer.body, freshUntilMs: Math.round(now() + forMs) };
    await this.#harmless(() => memory.keep(plugin, key, kept));
    this.#kept += 1;
    if (this.#kept % TIDY_EVERY === 1) await this.#harmless(() => memory.tidy(now()));
  }

  async #send(manifest: PluginManifest, request: PluginRequest, waits: () => void): Promise<PluginResponse> {
    const { outbound, pace, userAgent, timeoutMs } = this.#deps;
    const waitMs = await pace.turn(manifest.name, manifest.pace?.everyMs ?? 0, timeoutMs / 2);
    if (waitMs === undefined || waitMs > NOTABLE_WAIT_MS) waits();
    if (waitMs === undefined) throw new Error('it has asked its service as often as it may; later again');
    if (waitMs > 0) await pause(waitMs);
    const answer = await outbound.fetch({
      url: request.url,
      method: request.method ?? 'GET',
      headers: { 'user-agent': userAgent, ...request.headers },
      ...(request.body === undefined ? {} : { body: request.body }),
      timeoutMs: Math.max(1, Math.ceil(timeoutMs - waitMs)),
      maxBytes: Math.min(request.maxBytes ?? MAX_BYTES, LARGEST_BYTES),
    });
    if (answer.status === 429 || answer.status === 503) await pace.holdOff(manifest.name, holdOffMs(answer, this.#deps.now()));
    return answer;
  }

  /** A memory that does not work makes things slower, nothing else. */
  async #harmless<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.#deps.warn(error, 'answer cache failed');
      return undefined;
    }
  }
}

const fromMemory = ({ status, contentType, body }: CachedAnswer, url: string): PluginResponse => ({
  status,
  headers: { 'content-type': contentType },
  url,
  body,
});

/** `Retry-After` in seconds or as a date. */
const holdOffMs = ({ headers }: OutboundResponse, nowMs: number): number => {
  const said = headers['retry-after'] ?? '';
  const seconds = Number(said);
  const ms = said !== '' && Number.isFinite(seconds) ? seconds * 1000 : Date.parse(said) - nowMs;
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, LONGEST_HOLD_OFF_MS) : HOLD_OFF_MS;
};
