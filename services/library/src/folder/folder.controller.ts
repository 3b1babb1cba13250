import { setTimeout as delay } from 'node:timers/promises';
import {
  ConcurrencyConflict,
  decision,
  HandlesCommand,
  type AggregateRunner,
  type Decision,
  type DecisionMeta,
  type DecisionOutcome,
  type Handled,
} from '@continuo/chassis';
import {
  recordFolder,
  Rejection,
  type CatalogId,
  type CommandMessage,
  type DomainEvent,
  type FolderId,
  type LogPosition,
  type SongId,
} from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { CatalogueReadiness } from '../identity/catalogue-readiness.js';
import { IdentityRegistry } from '../identity/identity-registry.js';
import { AGGREGATES } from '../tokens.js';
import { folderAggregate, type FolderRef, type Move } from './folder.decider.js';
import { resolveNames } from './name-resolution.js';

type RecordFolder = z.output<typeof recordFolder.schema>;
type RecordFolderResult = z.input<typeof recordFolder.result>;

const MAX_KNOWN_FOLDERS = 500_000;
const CONTENDED_TRIES = 12;
const CONTENDED_WAIT_MS = 20;

/** Records what scans find, one media folder at a time. */
@Controller()
export class FolderController {
  readonly #aggregates: AggregateRunner;
  readonly #registry: IdentityRegistry;
  readonly #readiness: CatalogueReadiness;
  /** Folders that this process knows to be in the log as present, so that their subfolders need not ask again. */
  readonly #discovered = new Set<number>();

  constructor(
    @Inject(AGGREGATES) aggregates: AggregateRunner,
    @Inject(IdentityRegistry) registry: IdentityRegistry,
    @Inject(CatalogueReadiness) readiness: CatalogueReadiness,
  ) {
    this.#aggregates = aggregates;
    this.#registry = registry;
    this.#readiness = readiness;
  }

  @HandlesCommand(recordFolder)
  async record(message: CommandMessage<RecordFolder>): Promise<Handled<RecordFolderResult>> {
    await this.#readiness.ready();
    const { data } = message;
    const folder = await this.#folder(data.catalogId, data.path);
    if (!data.vanished) await this.#discoverAncestors(data, message);
    const { tracks, names } = await resolveNames(this.#registry, data.catalogId, data.tracks);
    const assumeNew = !data.vanished && this.#registry.claimNewFolder(folder.folderId) && data.moves.length === 0;
    const { unknown, moves } = assumeNew ? { unknown: tracks.length, moves: [] } : await this.#compare(folder, data);
    const freshSongIds = (await this.#registry.freshIds('song', unknown)) as SongId[];
    const command = {
      type: 'record',
      folder,
      names,
      tracks,
      moves,
      freshSongIds,
      goneFiles: data.goneFiles,
      skipped: data.skipped,
      sidecars: data.sidecars,
      vanished: data.vanished,
    } as const;
    const outcome = await this.#run([decision(folderAggregate, folder.folderId, command), ...this.#moveOuts(folder, moves)], {
      ...message,
      assumeNew,
    });
    if (data.vanished) this.#discovered.delete(folder.folderId);
    return { result: countSongs(outcome.events[0] ?? []), positions: outcome.position ? [outcome.position] : [] };
  }

  /**
   * Songs that leave one folder for many others contend for it. Giving up would be taken for "the song is not there any more", and cost it its id.
   */
  async #run(decisions: readonly Decision[], meta: DecisionMeta): Promise<DecisionOutcome> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#aggregates.run(decisions, meta);
      } catch (error) {
        if (!(error instanceof Rejection && error.cause instanceof ConcurrencyConflict)) throw error;
        if (attempt === CONTENDED_TRIES)
          throw new Rejection('unavailable', 'too many change this folder at once', undefined, { cause: error });
        await delay(Math.random() * CONTENDED_WAIT_MS * attempt);
      }
    }
  }

  /** Every folder above gets its own event first, so that the tree can be browsed from the root. */
  async #discoverAncestors(data: RecordFolder, message: CommandMessage<RecordFolder>): Promise<LogPosition[]> {
    const positions: LogPosition[] = [];
    for (const path of ancestorsOf(data.path)) {
      const ancestor = await this.#folder(data.catalogId, path);
      if (this.#discovered.has(ancestor.folderId)) continue;
      const { position } = await this.#aggregates.run(
        [decision(folderAggregate, ancestor.folderId, { type: 'discover', folder: ancestor })],
        {
          actor: message.actor,
          correlationId: message.correlationId,
          causationId: message.causationId,
          at: message.at,
          assumeNew: this.#registry.claimNewFolder(ancestor.folderId),
        },
      );
      if (position) positions.push(position);
      if (this.#discovered.size > MAX_KNOWN_FOLDERS) this.#discovered.clear();
      this.#discovered.add(ancestor.folderId);
    }
    return positions;
  }

  async #folder(catalogId: CatalogId, path: string): Promise<FolderRef> {
    const parent = path === '' ? undefined : parentOf(path);
    const paths = parent === undefined ? [path] : [path, parent];
    const [own, above] = await this.#registry.resolve(
      'folder',
      paths.map((p) => ({ key: `${catalogId}|${p}`, name: p })),
    );
    if (!own) throw new Error(`folder ${path} was not resolved`);
    return {
      folderId: own.id as FolderId,
      catalogId,
      path,
      parentId: above ? (above.id as FolderId) : null,
      name: path.slice(path.lastIndexOf('/') + 1),
    };
  }

  /**
   * How many of the tracks may be new to the folder, and which moves are still to be done: a command that comes again, or a scan that resumes on
   * an older view of the library, names songs that have arrived already and are not in their old place any more.
   */
  async #compare(folder: FolderRef, data: RecordFolder): Promise<{ unknown: number; moves: readonly Move[] }> {
    if (data.tracks.length === 0) return { unknown: 0, moves: [] };
    const { state } = await this.#aggregates.load(folderAggregate, folder.folderId);
    const known = new Map(Object.entries(state.tracks));
    return {
      unknown: data.tracks.filter((track) => !known.has(track.fileName)).length,
      moves: data.moves.filter((move) => known.get(move.fileName)?.songId !== move.songId),
    };
  }

  #moveOuts(folder: FolderRef, moves: readonly Move[]) {
    const elsewhere = moves.filter((move) => move.fromFolderId !== folder.folderId);
    const bySource = Map.groupBy(elsewhere, (move) => move.fromFolderId);
    return [...bySource].map(([folderId, leaving]) =>
      decision(folderAggregate, folderId, {
        type: 'move-out',
        folder: { folderId, catalogId: folder.catalogId },
        songIds: leaving.map((move) => move.songId),
        toFolderId: folder.folderId,
      }),
    );
  }
}

const parentOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '');

/** The folders above a path, from the root down; none above the root. */
const ancestorsOf = (path: string): string[] => {
  if (path === '') return [];
  const segments = path.split('/');
  return segments.map((_, depth) => segments.slice(0, depth).join('/'));
};

const countSongs = (events: readonly DomainEvent[]): RecordFolderResult => {
  const of = (type: string, list: 'tracks' | 'songs'): number =>
    events
      .filter((event) => event.type === type)
      .reduce((sum, event) => sum + ((event.data as Record<string, unknown[]>)[list]?.length ?? 0), 0);
  return {
    songsAdded: of('TracksAdded', 'tracks'),
    songsChanged: of('TracksChanged', 'tracks'),
    songsMoved: of('TracksMovedIn', 'tracks'),
    songsRemoved: of('TracksRemoved', 'songs'),
  };
};
