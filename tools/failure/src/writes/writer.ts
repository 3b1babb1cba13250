import { recordFolder, type CatalogId, type ScannedTrack, type SongId } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';
import type { z } from 'zod';
import { retryUntil } from '../until.js';
import type { RetryingClient } from './retrying-client.js';
import type { Ledger } from './ledger.js';
import { syntheticTrack, titleOf } from './tracks.js';

/** Dependencies shared by the writers of a series. */
export interface WriterDependencies {
  readonly client: RetryingClient;
  readonly ledger: Ledger;
  readonly db: Kysely<unknown>;
  readonly catalogId: CatalogId;
}

const LOOK_MS = 120_000;
const TRACKS = 6;

/** Acts like a scan over folders of its own and, with its neighbour, over shared ones: adds, changes, removes and moves files. */
export class Writer {
  readonly #tools: WriterDependencies;
  readonly #number: number;
  readonly #artist: string;

  constructor(tools: WriterDependencies, number: number) {
    this.#tools = tools;
    this.#number = number;
    this.#artist = `Writer ${number}`;
  }

  /** Writes one album after the other until it is told to stop; every album is finished. */
  async run(isOver: () => boolean): Promise<void> {
    for (let album = 1; !isOver(); album += 1) await this.#album(album);
  }

  async #album(number: number): Promise<void> {
    const folder = `${this.#artist}/Album ${number}`;
    const files = Array.from({ length: TRACKS }, (_, index) => `${index + 1} of album ${number}.mp3`);
    await this.#put(folder, files, 1);
    await this.#put(folder, files.slice(0, 2), 2, { skipped: `broken ${number}.mp3` });
    await this.#takeAway(folder, files.at(-1) as string);
    await this.#put(
      `Pair ${Math.floor(this.#number / 2)}/Shared ${number}`,
      files.slice(0, 3).map((name) => `${this.#number}-${name}`),
      1,
    );
    if (number % 3 === 0) await this.#move(folder, files[3] as string, `${folder}/Moved here`);
  }

  /** Adds files, or changes those that are there. */
  async #put(folder: string, fileNames: readonly string[], revision: number, extra: { skipped?: string } = {}): Promise<void> {
    const tracks = fileNames.map((name) => this.#track(folder, name, revision));
    const skipped = extra.skipped
      ? [{ fileName: extra.skipped, sizeBytes: 0, mtimeMs: 1, reason: 'empty' as const, message: 'the file is empty' }]
      : [];
    await this.#record(folder, { tracks, skipped });
    for (const name of fileNames) this.#tools.ledger.owe(`${folder}/${name}`, this.#owed(name, revision));
  }

  async #takeAway(folder: string, fileName: string): Promise<void> {
    await this.#record(folder, { tracks: [], goneFiles: [fileName] });
    this.#tools.ledger.release(`${folder}/${fileName}`);
  }

  /** A song that turns up in another folder keeps its id. */
  async #move(from: string, fileName: string, to: string): Promise<void> {
    const { songId, folderId } = await this.#find(from, fileName);
    const move = { fileName, songId, fromFolderId: folderId as never, fromFileName: fileName };
    await this.#record(to, { tracks: [this.#track(to, fileName, 1)], moves: [move] });
    this.#tools.ledger.release(`${from}/${fileName}`);
    this.#tools.ledger.owe(`${to}/${fileName}`, { ...this.#owed(fileName, 1), songId });
  }

  async #find(folder: string, fileName: string): Promise<{ songId: SongId; folderId: number }> {
    return retryUntil(`${folder}/${fileName} is shown`, LOOK_MS, async () => {
      const found = await sql<{ songId: SongId; folderId: number }>`
        select s.id as "songId", s.folder_id as "folderId" from library.song s join library.folder f on f.id = s.folder_id
        where f.catalog_id = ${this.#tools.catalogId} and f.path = ${folder} and s.file_name = ${fileName}`.execute(this.#tools.db);
      const [song] = found.rows;
      if (!song) throw new Error('not there yet');
      return song;
    });
  }

  async #record(path: string, parts: Partial<z.input<typeof recordFolder.schema>>): Promise<void> {
    await this.#tools.client.sendForgetfully(recordFolder, { catalogId: this.#tools.catalogId, path, tracks: [], ...parts });
  }

  #track(folder: string, fileName: string, revision: number): ScannedTrack {
    return syntheticTrack(fileName, this.#artist, folder.split('/')[1] ?? folder, revision);
  }

  #owed(fileName: string, revision: number) {
    return { title: titleOf(fileName, revision), sizeBytes: 1000 + revision };
  }
}
