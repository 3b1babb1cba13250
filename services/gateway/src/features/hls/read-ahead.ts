import { Rejection, type TranscodeSource, type TranscodeTarget } from '@continuo/contracts';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Transcodes } from '../../transcode/transcodes.js';

/** Segments that were lately asked to be made ahead, so that a player that asks twice has nothing asked twice. */
const REMEMBERED = 1000;
const REMEMBERED_MS = 30_000;

/** Has segments made before players ask for them, so that starting ffmpeg costs no pause. Nothing waits for it and nothing depends on it. */
export class ReadAhead {
  readonly #asked = new LRUCache<string, true>({ max: REMEMBERED, ttl: REMEMBERED_MS });

  constructor(
    private readonly transcodes: Transcodes,
    private readonly log: Logger,
  ) {}

  /** Has a segment made, where there is room for it. `name` tells it from others. */
  begin(name: string, { source, target }: { readonly source: TranscodeSource; readonly target: TranscodeTarget }): void {
    if (this.#asked.has(name)) return;
    this.#asked.set(name, true);
    this.transcodes.prepare(source, target).catch((error: unknown) => {
      this.#asked.delete(name);
      // Being busy is what this gives way to; whoever asks for the segment hears of everything else.
      if (!(error instanceof Rejection) || error.code !== 'transcode.busy') this.log.info({ err: error }, 'failed to make a segment ahead');
    });
  }
}
