import { randomUUID } from 'node:crypto';
import type { CommandClient } from '@continuo/chassis';
import { recordFolder, Rejection, type CatalogId, type LogPosition, type MessageContext } from '@continuo/contracts';
import type { z } from 'zod';
import { patiently } from './patience.js';
import type { ScanTally } from './scan-tally.js';

/** What is sent about one folder, without the catalog. */
export type FolderRecord = Omit<z.input<typeof recordFolder.schema>, 'catalogId'>;

/** A library that is away for longer ends this attempt of the scan; the next one goes on where it stopped. */
const LIBRARY_PATIENCE_MS = 5 * 60_000;
/** A record takes milliseconds; a library that died with it is noticed after two fifths of this. */
const COMMAND_TIMEOUT_MS = 10_000;

/** Sends records to the library until they are taken. The same command id goes with every try, so that none counts twice. */
export class FolderSender {
  #last: LogPosition | undefined;

  constructor(
    private readonly commands: CommandClient,
    private readonly scan: { readonly catalogId: CatalogId; readonly context: MessageContext; readonly signal: AbortSignal },
    private readonly tally: ScanTally,
  ) {}

  /** The furthest place in the log that the records have reached; undefined when nothing had to be written. */
  get lastPosition(): LogPosition | undefined {
    return this.#last;
  }

  async send(record: FolderRecord): Promise<void> {
    try {
      await this.#deliver(record);
    } catch (error) {
      if (!isAboutMoves(error) || !record.moves?.length) throw error;
      // A song has left its old place otherwise meanwhile: then these files are new ones.
      await this.#deliver({ ...record, moves: [] });
    }
  }

  async #deliver(record: FolderRecord): Promise<void> {
    const { catalogId, context, signal } = this.scan;
    const commandId = randomUUID();
    const send = () => this.commands.send(recordFolder, { ...record, catalogId }, context, { commandId, timeoutMs: COMMAND_TIMEOUT_MS });
    const { result, positions } = await patiently(send, {
      signal,
      limitMs: LIBRARY_PATIENCE_MS,
      isFinal,
    });
    for (const position of positions) if (position.position > (this.#last?.position ?? 0)) this.#last = position;
    this.tally.recorded(result);
  }
}

/** A song that is not where it is said to come from; every other conflict says nothing about the moves. */
const isAboutMoves = (error: unknown): boolean => error instanceof Rejection && error.code === 'conflict' && error.subject === 'moves';

/** Refusals that pass: an absent or failing library, and two who wrote at the same time. */
const PASSING = new Set<string>(['unavailable', 'internal', 'conflict']);

const isFinal = (error: unknown): boolean => error instanceof Rejection && (!PASSING.has(error.code) || isAboutMoves(error));
