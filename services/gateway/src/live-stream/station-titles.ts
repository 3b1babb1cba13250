import { OutboundError, type OutboundClient } from '@continuo/chassis';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { Places } from '../http/places.js';
import { icyInterval, MAX_ICY_BYTES, readIcyTitle } from './icy-title.js';

/** Says what stations play at the moment. */
export interface StationTitles {
  /** What the station at an address says that it plays; undefined when it does not say, or cannot be asked. Never throws. */
  titleAt(url: string): Promise<string | undefined>;
}

/** As long as a title counts; so many people ask a station once. */
const KEPT_MS = 15_000;
const KEPT_STATIONS = 500;
/** The whole time that a station has. */
const TIMEOUT_MS = 4000;
/** So many stations are asked at the same time, and so many more may wait. */
const AT_ONCE = 4;
const WAITING = 20;

/** For servers that ask no stations. */
export const silentStations: StationTitles = { titleAt: async () => undefined };

class AskedStations implements StationTitles {
  readonly #kept = new LRUCache<string, Promise<string | undefined>>({ max: KEPT_STATIONS, ttl: KEPT_MS });
  readonly #places = new Places(AT_ONCE, WAITING);

  constructor(
    private readonly outbound: Pick<OutboundClient, 'open'>,
    private readonly log: Logger,
  ) {}

  titleAt(url: string): Promise<string | undefined> {
    const known = this.#kept.get(url);
    if (known) return known;
    const asked = this.#asked(url);
    this.#kept.set(url, asked);
    return asked;
  }

  async #asked(url: string): Promise<string | undefined> {
    try {
      return await this.#places.run(() => this.#read(url));
    } catch (error) {
      // That a station is silent is no trouble of this server; its address stays out of the log, it may hold a key.
      this.log.debug({ fault: error instanceof OutboundError ? error.fault : String(error) }, 'a station was not heard');
      return undefined;
    }
  }

  async #read(url: string): Promise<string | undefined> {
    const hangUp = new AbortController();
    const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_ICY_BYTES, maxRedirects: 3 };
    try {
      const answer = await this.outbound.open({ url, headers: { 'icy-metadata': '1' }, ...limits, signal: hangUp.signal });
      const interval = answer.status === 200 ? icyInterval(answer.headers['icy-metaint']) : undefined;
      return interval === undefined ? undefined : await readIcyTitle(answer.body, interval);
    } finally {
      // A station goes on for ever; a body that nobody began to read would, too.
      hangUp.abort();
    }
  }
}

/** Asks stations by the one client that everything goes out by, which refuses what is not public (threats.md row 6). */
export const askedStations = (outbound: Pick<OutboundClient, 'open'>, log: Logger): StationTitles => new AskedStations(outbound, log);
