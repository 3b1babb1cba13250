import { decision, HandlesCommand, AGGREGATES, positionsOf, type AggregateRunner, type Handled } from '@continuo/chassis';
import {
  recordVideos,
  type CommandMessage,
  type DomainEvent,
  type GenreId,
  type ScannedVideo,
  type VideoId,
  type VideoNames,
} from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { decideContended } from '../folder/contended.js';
import { folderAggregate, type FolderRef } from '../folder/folder.decider.js';
import { FolderTree } from '../folder/folder-tree.js';
import { resolvePlain } from '../folder/name-resolution.js';
import { CatalogueReadiness } from '../identity/catalogue-readiness.js';
import { IdentityRegistry } from '../identity/identity-registry.js';
import { videoFolderAggregate, type ResolvedVideo, type VideoMove } from './video.decider.js';

type RecordVideos = z.output<typeof recordVideos.schema>;
type RecordVideosResult = z.input<typeof recordVideos.result>;

const noNames = { artists: [], albums: [], genres: [], moods: [] };

/** Records what scans of catalogs of videos find, one media folder at a time. */
@Controller()
export class VideoController {
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

  /** The folder itself and the files that were left out are facts of the folder; it is changed in one batch with its videos. */
  @HandlesCommand(recordVideos)
  async record(message: CommandMessage<RecordVideos>): Promise<Handled<RecordVideosResult>> {
    await this.#readiness.ready();
    const { data } = message;
    const folder = await this.#tree.folder(data.catalogId, data.path);
    if (!data.vanished) await this.#discover(folder, message);
    const { videos, names } = await this.#resolved(data.videos);
    const { unknown, moves } = await this.#compare(folder, data);
    const freshIds = (await this.#registry.freshIds('video', unknown)) as VideoId[];
    const goneFiles = [...data.goneFiles, ...data.skipped.map((file) => file.fileName)];
    const command = { type: 'record', folder, names, videos, moves, freshIds, goneFiles, vanished: data.vanished } as const;
    const outcome = await decideContended(
      this.#aggregates,
      [
        decision(videoFolderAggregate, folder.folderId, command),
        decision(folderAggregate, folder.folderId, ofFolder(folder, data)),
        ...moveOuts(folder, moves),
      ],
      { ...message },
    );
    if (data.vanished) this.#tree.forget(folder.folderId);
    return { result: countVideos(outcome.events[0] ?? []), positions: positionsOf(outcome) };
  }

  async #discover(folder: FolderRef, message: CommandMessage<RecordVideos>): Promise<void> {
    await this.#tree.discoverAncestors(folder, message);
    const { actor, correlationId, causationId, at } = message;
    const own = decision(folderAggregate, folder.folderId, { type: 'discover', folder });
    await this.#aggregates.run([own], { actor, correlationId, causationId, at });
  }

  async #resolved(scanned: readonly ScannedVideo[]): Promise<{ videos: ResolvedVideo[]; names: VideoNames }> {
    const names = scanned.flatMap((video) => video.genres);
    const { refs, id } = await resolvePlain(this.#registry, 'genre', names);
    const videos = scanned.map(({ genres, ...plain }) => ({ ...plain, genreIds: [...new Set(genres.map((name) => id(name) as GenreId))] }));
    return { videos, names: { genres: refs as VideoNames['genres'] } };
  }

  /** Counts videos that may be new to the folder, and lists moves that are still to be done: a command that comes again names videos that have arrived already. */
  async #compare(folder: FolderRef, data: RecordVideos): Promise<{ unknown: number; moves: readonly VideoMove[] }> {
    if (data.videos.length === 0) return { unknown: 0, moves: [] };
    const { state } = await this.#aggregates.load(videoFolderAggregate, folder.folderId);
    const known = new Map(Object.entries(state.videos));
    return {
      unknown: data.videos.filter((video) => !known.has(video.fileName)).length,
      moves: data.moves.filter((move) => known.get(move.fileName)?.videoId !== move.videoId),
    };
  }
}

/** Skipped files for the folder itself: new ones, and ones that need not be skipped any more. */
const ofFolder = (folder: FolderRef, data: RecordVideos) =>
  ({
    type: 'record',
    folder,
    names: noNames,
    tracks: [],
    moves: [],
    freshSongIds: [],
    goneFiles: [...data.goneFiles, ...data.videos.map((video) => video.fileName)],
    skipped: data.skipped,
    vanished: data.vanished,
  }) as const;

const moveOuts = (folder: FolderRef, moves: readonly VideoMove[]) => {
  const elsewhere = moves.filter((move) => move.fromFolderId !== folder.folderId);
  return [...Map.groupBy(elsewhere, (move) => move.fromFolderId)].map(([folderId, leaving]) =>
    decision(videoFolderAggregate, folderId, {
      type: 'move-out',
      folder: { folderId, catalogId: folder.catalogId },
      videoIds: leaving.map((move) => move.videoId),
      toFolderId: folder.folderId,
    }),
  );
};

const countVideos = (events: readonly DomainEvent[]): RecordVideosResult => {
  const of = (type: string): number =>
    events
      .filter((event) => event.type === type)
      .reduce((sum, event) => sum + ((event.data as { videos?: unknown[] }).videos?.length ?? 0), 0);
  return {
    videosAdded: of('VideosAdded'),
    videosChanged: of('VideosChanged'),
    videosMoved: of('VideosMovedIn'),
    videosRemoved: of('VideosRemoved'),
  };
};
