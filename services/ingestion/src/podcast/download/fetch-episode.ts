import { open, readFile, rename, rm, stat, statfs, writeFile, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OutboundError, type OutboundClient, type OutboundFlow } from '@continuo/chassis';
import { z } from 'zod';
import { DownloadFault } from './download-fault.js';
import { fileFault, removePart, type EpisodePath } from './episode-path.js';

/** Limits of one download. */
export interface DownloadLimits {
  readonly maxBytes: number;
  /** For one attempt, ms; what has arrived by then is kept. */
  readonly timeoutMs: number;
  /** Longest silence, ms. */
  readonly stallMs: number;
  /** Room that stays free on the disk. */
  readonly keepFreeBytes: number;
}

/** Dependencies of a download. */
export interface FetchDependencies {
  readonly outbound: OutboundClient;
  readonly limits: DownloadLimits;
}

/** A file that has arrived whole, still under its hidden name. */
export interface Arrived {
  readonly sizeBytes: number;
  /** MIME type by the server, in lower case; empty when absent. */
  readonly mime: string;
}

/** Note beside a partial download: it may be resumed while the server has the same file. */
const partNote = z.object({ url: z.string(), validator: z.string().nullable(), totalBytes: z.int().nullable(), mime: z.string() });
type PartNote = z.infer<typeof partNote>;

interface Beginning {
  readonly note: PartNote;
  readonly haveBytes: number;
}

type Place = Pick<EpisodePath, 'part' | 'note'>;

const ACCEPTED = 'audio/*, video/*;q=0.9, application/ogg;q=0.9, */*;q=0.1';
/** Hosts of podcasts count listeners by sending them through several houses. */
const MAX_REDIRECTS = 12;
/** Answers after which another attempt makes sense. */
const PASSING: ReadonlySet<number> = new Set([408, 421, 425, 429, 500, 502, 503, 504]);
const WORTH_ANOTHER_TRY: ReadonlySet<OutboundError['fault']> = new Set(['unresolved', 'unreachable', 'timeout', 'malformed']);
/** Types of what is surely no sound; everything else is looked into when it is here. */
const NO_MEDIA = /^(?:text\/(?!plain)|image\/|font\/|application\/(?:json|xml|xhtml|rss|atom|pdf|zip|javascript|problem)|multipart\/)/;

const typeOf = (header: string | undefined): string => header?.split(';')[0]?.trim().toLowerCase() ?? '';

/** Reads the partial file of an earlier attempt. */
const beginningOf = async ({ part, note }: Place, url: string): Promise<Beginning | undefined> => {
  try {
    const known = partNote.safeParse(JSON.parse(await readFile(note, 'utf8')));
    const { size } = await stat(part);
    return known.success && known.data.url === url && size > 0 ? { note: known.data, haveBytes: size } : undefined;
  } catch {
    // Nothing is there, or it cannot be used: the file is fetched from its beginning.
    return undefined;
  }
};

/** A tag or time that tells one file from the next under the same address (RFC 9110, section 13.1.5); null where going on would be a guess. */
const validatorOf = ({ headers }: OutboundFlow): string | null => {
  if (typeOf(headers['content-encoding']) !== '') return null;
  const { etag, 'last-modified': time } = headers;
  if (etag?.startsWith('"')) return etag;
  return time !== undefined && !Number.isNaN(Date.parse(time)) ? time : null;
};

const lengthOf = ({ headers }: OutboundFlow): number | null => {
  const length = headers['content-length'];
  return length !== undefined && /^\d{1,15}$/.test(length) && typeOf(headers['content-encoding']) === '' ? Number(length) : null;
};

interface ContentRange {
  readonly start: number;
  readonly totalBytes: number | null;
}

const rangeOf = ({ headers }: OutboundFlow): ContentRange | undefined => {
  const found = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15}|\*)$/.exec(headers['content-range']?.trim() ?? '');
  return found ? { start: Number(found[1]), totalBytes: found[2] === '*' ? null : Number(found[2]) } : undefined;
};

/** Fetches the file of an episode to the place of its part, from where an earlier attempt stopped, if the server can tell that it still has the same file. */
export class EpisodeFetch {
  constructor(
    private readonly deps: FetchDependencies,
    private readonly url: string,
    private readonly place: Place,
  ) {}

  /** @throws DownloadFault when the file does not come; the reason of `signal` when that fires */
  async run(signal: AbortSignal): Promise<Arrived> {
    const beginning = await beginningOf(this.place, this.url);
    if (beginning && beginning.haveBytes === beginning.note.totalBytes)
      return { sizeBytes: beginning.haveBytes, mime: beginning.note.mime };
    return this.#attempt(beginning && beginning.note.validator !== null ? beginning : undefined, signal);
  }

  async #attempt(beginning: Beginning | undefined, signal: AbortSignal): Promise<Arrived> {
    const stall = new AbortController();
    const both = AbortSignal.any([signal, stall.signal]);
    const answer = await this.#ask(beginning, both, stall);
    try {
      const range = answer.status === 206 ? rangeOf(answer) : undefined;
      if (beginning && answer.status === 206 && range?.start === beginning.haveBytes)
        return await this.#receive(answer, {
          note: { ...beginning.note, totalBytes: range.totalBytes ?? beginning.note.totalBytes },
          stall,
          signal,
          from: range.start,
        });
      if (answer.status === 200) return await this.#receive(answer, { note: await this.#begin(answer), stall, signal, from: 0 });
      if (!beginning || (answer.status !== 206 && answer.status !== 416)) throw refusedBy(answer.status);
    } finally {
      await answer.body.return();
    }
    // The partial file does not match the server's: the whole file is fetched.
    await removePart(this.place);
    return this.#attempt(undefined, signal);
  }

  async #ask(beginning: Beginning | undefined, signal: AbortSignal, stall: AbortController): Promise<OutboundFlow> {
    const { outbound, limits } = this.deps;
    const range: Record<string, string> = beginning
      ? { range: `bytes=${beginning.haveBytes}-`, 'if-range': beginning.note.validator ?? '' }
      : {};
    const timer = setTimeout(() => stall.abort(), limits.stallMs);
    try {
      return await outbound.open({
        url: this.url,
        headers: { accept: ACCEPTED, 'accept-encoding': 'identity', ...range },
        maxBytes: Math.max(1, limits.maxBytes - (beginning?.haveBytes ?? 0)),
        timeoutMs: limits.timeoutMs,
        maxRedirects: MAX_REDIRECTS,
        signal,
      });
    } catch (error) {
      throw this.#explained(error, { signal, stall, gained: 0 });
    } finally {
      clearTimeout(timer);
    }
  }

  /** A new file takes the place of what was there: whoever still writes into that, writes into nothing that anybody reads. */
  async #begin(answer: OutboundFlow): Promise<PartNote> {
    const { limits } = this.deps;
    const mime = typeOf(answer.headers['content-type']);
    if (NO_MEDIA.test(mime)) throw new DownloadFault('refused', `the server sent ${mime.slice(0, 60)}, which is no sound`);
    const totalBytes = lengthOf(answer);
    if (totalBytes === 0) throw new DownloadFault('disturbed', 'the server sent an empty file');
    if (totalBytes !== null && totalBytes > limits.maxBytes) throw tooLarge(limits.maxBytes);
    await this.#requireRoom(totalBytes ?? 0);
    const note: PartNote = { url: this.url, validator: validatorOf(answer), totalBytes, mime };
    try {
      await removePart(this.place);
      // Whole or not at all, and before the first byte of the part.
      await writeFile(`${this.place.note}.new`, JSON.stringify(note), { flush: true });
      await rename(`${this.place.note}.new`, this.place.note);
    } catch (error) {
      throw fileFault(error, 'the folder of the podcast cannot be written');
    }
    return note;
  }

  async #requireRoom(bytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(dirname(this.place.part)).catch((error: unknown) => {
      throw fileFault(error, 'the folder of the podcast cannot be looked at');
    });
    if (bavail * bsize < bytes + this.deps.limits.keepFreeBytes)
      throw new DownloadFault('no-room', 'there is no room for it on the disk of the catalog');
  }

  async #receive(
    answer: OutboundFlow,
    { note, stall, signal, from }: { note: PartNote; stall: AbortController; signal: AbortSignal; from: number },
  ): Promise<Arrived> {
    const handle = await open(this.place.part, from === 0 ? 'wx' : 'r+').catch((error: unknown) => {
      throw fileFault(error, 'the folder of the podcast cannot be written');
    });
    const progress = { atBytes: from };
    const timer = setInterval(() => this.#watch(progress, stall), this.deps.limits.stallMs);
    try {
      await this.#write(answer, handle, progress);
      await handle.sync();
    } catch (error) {
      throw await this.#interrupted(error, { signal, stall, gained: progress.atBytes - from });
    } finally {
      clearInterval(timer);
      await handle.close();
    }
    return this.#whole(progress.atBytes, note, progress.atBytes - from);
  }

  #heardAt = -1;
  #watch({ atBytes }: { readonly atBytes: number }, stall: AbortController): void {
    if (atBytes === this.#heardAt) stall.abort();
    this.#heardAt = atBytes;
  }

  /** At its place each time, not at the end of the file: one who was thought dead, and still writes, writes the same there. */
  async #write(answer: OutboundFlow, handle: FileHandle, progress: { atBytes: number }): Promise<void> {
    let sinceLook = 0;
    for await (const chunk of answer.body) {
      await writeAll(handle, chunk, progress.atBytes);
      progress.atBytes += chunk.byteLength;
      sinceLook += chunk.byteLength;
      if (sinceLook < ROOM_EVERY_BYTES) continue;
      sinceLook = 0;
      await this.#requireRoom(0);
    }
  }

  async #interrupted(error: unknown, how: { signal: AbortSignal; stall: AbortController; gained: number }): Promise<unknown> {
    const fault = isOfFiles(error) ? fileFault(error, 'the file cannot be written') : this.#explained(error, how);
    // A partial file that fills the disk is removed.
    if (fault instanceof DownloadFault && fault.trouble !== 'disturbed') await removePart(this.place);
    return fault;
  }

  /** A fault in words, unless it is the wish of whoever asked. */
  #explained(error: unknown, { signal, stall, gained }: { signal: AbortSignal; stall?: AbortController; gained: number }): unknown {
    if (error instanceof DownloadFault) return error;
    const isStalled = stall?.signal.aborted === true;
    if (signal.aborted && !isStalled) return signal.reason ?? error;
    if (isStalled)
      return new DownloadFault('disturbed', `the server was silent for ${this.deps.limits.stallMs} ms`, gained, { cause: error });
    if (!(error instanceof OutboundError)) return new DownloadFault('disturbed', 'the connection broke', gained, { cause: error });
    if (error.fault === 'too-large') return tooLarge(this.deps.limits.maxBytes);
    return new DownloadFault(WORTH_ANOTHER_TRY.has(error.fault) ? 'disturbed' : 'refused', error.message, gained, { cause: error });
  }

  async #whole(sizeBytes: number, { totalBytes, mime }: PartNote, gained: number): Promise<Arrived> {
    if (totalBytes !== null && sizeBytes < totalBytes)
      throw new DownloadFault('disturbed', `the file was cut off: ${sizeBytes} of ${totalBytes} bytes came`, gained);
    if (sizeBytes > 0 && (totalBytes === null || sizeBytes === totalBytes)) return { sizeBytes, mime };
    await rm(this.place.part, { force: true });
    throw new DownloadFault('disturbed', sizeBytes === 0 ? 'the server sent an empty file' : 'the server sent more than it announced');
  }
}

const writeAll = async (handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> => {
  for (let done = 0; done < bytes.byteLength;)
    done += (await handle.write(bytes, done, bytes.byteLength - done, position + done)).bytesWritten;
};

/** Free space is checked every so many bytes. */
const ROOM_EVERY_BYTES = 16_000_000;

const tooLarge = (maxBytes: number): DownloadFault => new DownloadFault('refused', `the file is larger than ${maxBytes} bytes`);

const refusedBy = (status: number): DownloadFault =>
  new DownloadFault(PASSING.has(status) ? 'disturbed' : 'refused', `the server of the file answered ${status}`);

const isOfFiles = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && ['write', 'fsync'].includes(String(error.syscall));
