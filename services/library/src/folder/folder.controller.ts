import { decision, HandlesCommand, AGGREGATES, positionsOf, type AggregateRunner, type Handled } from '@continuo/chassis';
import { recordFolder, type CommandMessage, type DomainEvent, type SongId } from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { CatalogueReadiness } from '../identity/catalogue-readiness.js';
import { IdentityRegistry } from '../identity/identity-registry.js';
import { decideContended } from './contended.js';
import { folderAggregate, type FolderRef, type Move } from './folder.decider.js';
import { FolderTree } from './folder-tree.js';
import { resolveNames } from './name-resolution.js';

type RecordFolder = z.output<typeof recordFolder.schema>;
type RecordFolderResult = z.input<typeof recordFolder.result>;

/** Records what scans find, one media folder at a time. */
@Controller()
export class FolderController {
  readonly #aggregates: AggregateRunner;
  readonly #registry: IdentityRegistry;
  readonly #readiness: CatalogueReadiness;
  readonly #tree: FolderTree;

  constructor(
    @Inject(AGGREGATES) aggregates: AggregateRunner,
    @Inject(IdentityRegistry) registry: IdentityRegistry,
    @Inject(CatalogueReadiness) readiness: CatalogueReadiness,
  ) {
    this.#aggregates = aggregates;
    this.#registry = registry;
    this.#readiness = readiness;
    this.#tree = new FolderTree(aggregates, registry);
  }

  @HandlesCommand(recordFolder)
  async record(message: CommandMessage<RecordFolder>): Promise<Handled<RecordFolderResult>> {
    await this.#readiness.ready();
    const { data } = message;
    const folder = await this.#tree.folder(data.catalogId, data.path);
    if (!data.vanished) await this.#tree.discoverAncestors(data, message);
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
    const outcome = await decideContended(
      this.#aggregates,
      [decision(folderAggregate, folder.folderId, command), ...this.#moveOuts(folder, moves)],
      {
        ...message,
        // One that was answered by another replica while this one stood still must not undo what came after it.
        commandId: message.id,
        withoutMessageIds: true,
        assumeNew,
      },
    );
    if (data.vanished) this.#tree.forget(folder.folderId);
    return { result: countSongs(outcome.events[0] ?? []), positions: positionsOf(outcome) };
  }

  /**
   * Counts tracks that may be new to the folder, and lists moves that are still to be done: a command that comes again, or a scan that resumes on
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
