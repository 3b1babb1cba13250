import { randomUUID } from 'node:crypto';
import type { CommandClient } from '@continuo/chassis';
import {
  recordFolder,
  recordVideos,
  Rejection,
  type CatalogId,
  type CommandDefinition,
  type LogPosition,
  type MessageContext,
} from '@continuo/contracts';
import type { z } from 'zod';
import { retryTransient } from './retry-transient.js';
import type { ScanTally } from './scan-tally.js';

/** Record of one folder, without the catalog. */
export type FolderRecord = Omit<z.input<typeof recordFolder.schema>, 'catalogId'>;

/** Record of one folder of videos, without the catalog. */
export type VideoRecord = Omit<z.input<typeof recordVideos.schema>, 'catalogId'>;
/** Removed files of a folder of either kind. */
export type GoneRecord = Pick<FolderRecord, 'path' | 'goneFiles' | 'vanished'>;

/** For whom something is sent. */
export interface SendingScan {
  readonly catalog: { readonly id: CatalogId; readonly gathers: string };
  readonly context: MessageContext;
  readonly signal: AbortSignal;
  /** Told of failures that are tried again, and with nothing when it goes on. */
  readonly onTrouble?: ((error?: unknown) => void) | undefined;
}

/** A library that is away for longer ends this attempt of the scan; the next one goes on where it stopped. */
const LIBRARY_PATIENCE_MS = 5 * 60_000;
/** A record takes milliseconds; a library that died with it is noticed after two fifths of this. */
const COMMAND_TIMEOUT_MS = 10_000;

/** Sends records to the library until they are taken. The same command id goes with every try, so that none counts twice. */
export class FolderSender {
  #last: LogPosition | undefined;

  constructor(
    private readonly commands: CommandClient,
    private readonly scan: SendingScan,
    private readonly tally: ScanTally,
  ) {}

  /** The furthest place in the log that the records have reached; undefined when nothing had to be written. */
  get lastPosition(): LogPosition | undefined {
    return this.#last;
  }

  /** Records that files, or a folder with everything in it, are gone. */
  sendGone(record: GoneRecord): Promise<void> {
    return this.scan.catalog.gathers === 'video' ? this.sendVideos({ ...record, videos: [] }) : this.send({ ...record, tracks: [] });
  }

  async send(record: FolderRecord): Promise<void> {
    const deliver = async (told: FolderRecord): Promise<void> => {
      this.tally.recorded(await this.#deliver(recordFolder, { ...told, catalogId: this.scan.catalog.id }));
    };
    await withoutMovesThatPassed(record, deliver);
  }

  async sendVideos(record: VideoRecord): Promise<void> {
    const deliver = async (told: VideoRecord): Promise<void> => {
      const result = await this.#deliver(recordVideos, { ...told, catalogId: this.scan.catalog.id });
      // A scan of videos counts them where a scan of songs counts songs.
      this.tally.recorded({
        songsAdded: result.videosAdded,
        songsChanged: result.videosChanged,
        songsMoved: result.videosMoved,
        songsRemoved: result.videosRemoved,
      });
    };
    await withoutMovesThatPassed(record, deliver);
  }

  async #deliver<S extends z.ZodType, R extends z.ZodType>(command: CommandDefinition<S, R>, data: z.input<S>): Promise<z.output<R>> {
    const { context, signal, onTrouble } = this.scan;
    const commandId = randomUUID();
    const send = () => this.commands.send(command, data, context, { commandId, timeoutMs: COMMAND_TIMEOUT_MS });
    const limits = { signal, withinMs: LIBRARY_PATIENCE_MS, isTransient, onRetry: onTrouble };
    const { result, positions } = await retryTransient(send, limits);
    onTrouble?.();
    for (const position of positions) if (position.position > (this.#last?.position ?? 0)) this.#last = position;
    return result;
  }
}

/** A song or video that has left its old place otherwise meanwhile makes a new one of the file that it seemed to be. */
const withoutMovesThatPassed = async <T extends { moves?: unknown[] | undefined }>(
  record: T,
  deliver: (record: T) => Promise<void>,
): Promise<void> => {
  try {
    await deliver(record);
  } catch (error) {
    if (!isAboutMoves(error) || !record.moves?.length) throw error;
    await deliver({ ...record, moves: [] });
  }
};

/** A song that is not where it is said to come from; every other conflict says nothing about the moves. */
const isAboutMoves = (error: unknown): boolean => error instanceof Rejection && error.code === 'conflict' && error.subject === 'moves';

/** Refusals that pass: an absent or failing library, and two who wrote at the same time. */
const PASSING = new Set<string>(['unavailable', 'internal', 'conflict', 'storage.full']);

const isTransient = (error: unknown): boolean => !(error instanceof Rejection) || (PASSING.has(error.code) && !isAboutMoves(error));
