import type { TranscodeSource, TranscodeTarget } from '@continuo/contracts';
import { Rejection } from '@continuo/contracts';
import type { Logger } from 'pino';
import { finished } from 'node:stream/promises';
import type { Transcodes } from '../transcode/transcodes.js';

/** Segments that are made ahead at the same time by one gateway; more are left to be made when they are asked for. */
const AT_ONCE = 4;
/** A segment that takes longer is not made ahead but late. */
const TIMEOUT_MS = 60_000;

/** Has segments made before players ask for them, so that starting ffmpeg costs no pause. Nothing waits for it and nothing depends on it. */
export class ReadAhead {
  readonly #underWay = new Map<string, AbortController>();

  constructor(
    private readonly transcodes: Transcodes,
    private readonly log: Logger,
  ) {}

  /** Has a segment made unless it is being made, or too many others are. `name` tells it from others. */
  begin(name: string, source: TranscodeSource, target: TranscodeTarget): void {
    if (this.#underWay.has(name) || this.#underWay.size >= AT_ONCE) return;
    const stop = new AbortController();
    this.#underWay.set(name, stop);
    const timer = setTimeout(() => stop.abort(), TIMEOUT_MS);
    void this.#make(source, target, stop.signal)
      .catch((error: unknown) => {
        // Being busy is what this gives way to; whoever asks for the segment hears of everything else.
        const isExpected = stop.signal.aborted || (error instanceof Rejection && error.code === 'transcode.busy');
        if (!isExpected) this.log.info({ err: error }, 'a segment could not be made ahead');
      })
      .finally(() => {
        clearTimeout(timer);
        this.#underWay.delete(name);
      });
  }

  /** Gives up whatever is being made ahead. */
  close(): void {
    for (const stop of this.#underWay.values()) stop.abort();
  }

  async #make(source: TranscodeSource, target: TranscodeTarget, signal: AbortSignal): Promise<void> {
    const found = await this.transcodes.open(source, target);
    if (found.state === 'finished') return;
    const { body } = found;
    const onAbort = (): void => void body.destroy();
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    try {
      // Read to its end and thrown away: the worker keeps what it has made.
      body.resume();
      await finished(body);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }
}
