import { OutboundError, type OutboundClient } from '@continuo/chassis';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { ConcurrencyLimiter } from '../../server/concurrency-limiter.js';
import { icyInterval, MAX_ICY_BYTES, readIcyTitle } from './icy-title.js';

/** Reads the present titles of radio stations. */
export interface StationTitles {
  /** Title of the station at an address; undefined when it sends none or cannot be reached. Never throws. */
  titleAt(url: string): Promise<string | undefined>;
}

/** Time that a title is cached, ms. */
const KEPT_MS = 15_000;
const KEPT_STATIONS = 500;
/** Total time for one station, ms. */
const TIMEOUT_MS = 4000;
/** Stations read at the same time; the same number may wait. */
const AT_ONCE = 4;
const WAITING = 20;

/** Reads no stations. */
export const noStationTitles: StationTitles = { titleAt: async () => undefined };

class AskedStations implements StationTitles {
  readonly #kept = new LRUCache<string, Promise<string | undefined>>({ max: KEPT_STATIONS, ttl: KEPT_MS });
  readonly #limiter = new ConcurrencyLimiter(AT_ONCE, WAITING);

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
      return await this.#limiter.run(() => this.#read(url));
    } catch (error) {
      // A silent station is no fault of this server; its address may contain a key and is not logged.
      this.log.debug(
        { fault: error instanceof OutboundError ? error.fault : String(error) },
        'Failed to read the title of a radio station',
      );
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
      // A stream never ends, also one whose body nobody reads, so it is destroyed.
      hangUp.abort();
    }
  }
}

/** Reads stations with the outbound client, which refuses private addresses. */
export const icyStationTitles = (outbound: Pick<OutboundClient, 'open'>, log: Logger): StationTitles => new AskedStations(outbound, log);

/** Reads the current titles of internet radio stations. */
export interface HasStationTitles {
  readonly stationTitles: StationTitles;
}
