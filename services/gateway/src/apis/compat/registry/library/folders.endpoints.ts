import { sortKey, Rejection } from '@continuo/contracts';
import { annotationsOf } from '../../../../reads/people/annotations.reads.js';
import { artistsByIds } from '../../../../reads/library/artists.reads.js';
import { inScope, scopeOf, visibleCatalogs, type CatalogScope } from '../../../../reads/visibility/catalog-scope.reads.js';
import {
  folderById,
  foldersInside,
  newestChangeMs,
  rootFolders,
  idsInFolders,
  type FolderRecord,
} from '../../../../reads/library/folder-tree.reads.js';
import { songFlow, songsOfAlbum } from '../../../../reads/songs/songs.reads.js';
import { videosByIds } from '../../../../reads/library/videos.reads.js';
import { flowOf, heldFlow } from '../../../../render/flow.js';
import { objectBody } from '../../documents.js';
import { CompatError } from '../../errors.js';
import { formatId, type CompatKind } from '../../ids.js';
import { groupByLetter } from '../../letters.js';
import { folderEntry, indexes } from '../../objects/artist.object.js';
import type { AnnotatedFolder } from '../../objects/child.object.js';
import { directory, type Directory } from '../../objects/directory.object.js';
import { anyId, musicFolder, optionalInt } from '../../parameters.js';
import { ignoredArticles } from './browsing.endpoints.js';
import { endpointsUsing, anybody, type UserCallBase } from '../endpoint.js';
import { albumsUnderArtist, albumsWithPlays } from './albums-with-plays.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasConfig } from '../../../../server/needs.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';

type Services = HasConfig & HasReadModel & HasPreferences;
const { document } = endpointsUsing<Services>();

const catalogIds = async ({ services, viewer }: UserCallBase<Services>, scope: CatalogScope): Promise<number[]> => {
  const visible = await visibleCatalogs(services.db, viewer);
  return visible.map((catalog) => catalog.id).filter((id) => inScope(scope, id));
};

/** Adds ratings and favourites to folders. */
const annotated = async (
  { services: { db }, viewer }: UserCallBase<Services>,
  folders: readonly FolderRecord[],
): Promise<AnnotatedFolder[]> => {
  const ids = folders.map((folder) => folder.id);
  const annotationOf = await annotationsOf(db, viewer, 'folder', ids);
  return folders.map((folder) => ({ ...folder, annotations: annotationOf(folder.id) }));
};

const contentOf = async (call: UserCallBase<Services>, folders: readonly FolderRecord[]) => {
  const { db } = call.services;
  const ids = folders.map((folder) => folder.id);
  const [inside, songIds] = await Promise.all([foldersInside(db, ids), idsInFolders(db, 'song', ids)]);
  return { folders: await annotated(call, inside), songs: songFlow(db, songIds, call.viewer) };
};

/** Entries of a directory: folders, songs and, if enabled, videos. */
const directoryEntries = async (call: UserCallBase<Services>, folders: readonly FolderRecord[]) => {
  const { db, config } = call.services;
  const ids = config.ALLOW_VIDEO
    ? await idsInFolders(
        db,
        'video',
        folders.map((folder) => folder.id),
      )
    : [];
  const content = await contentOf(call, folders);
  return { ...content, folders: heldFlow(content.folders), videos: flowOf(ids, (batch) => videosByIds(db, batch, call.viewer)) };
};

type Opener = (call: UserCallBase<Services>, id: number) => Promise<Directory>;

const openCatalog: Opener = async (call, id) => {
  const catalog = (await visibleCatalogs(call.services.db, call.viewer)).find((visible) => visible.id === id);
  if (!catalog) throw new Rejection('catalog.not-found');
  const content = await directoryEntries(call, await rootFolders(call.services.db, [id]));
  return { id: formatId('catalog', id), name: catalog.name, ...content };
};

const openFolder: Opener = async (call, id) => {
  const folder = await folderById(call.services.db, id);
  if (!folder || !inScope(call.viewer.catalogs, folder.catalogId)) throw new CompatError(70, 'There is no such folder');
  // Uses the requested id as parent: clients walk their cached directories by id.
  if (folder.parentId === null) return { ...(await openCatalog(call, folder.catalogId)), id: formatId('folder', id) };
  const [annotationOf, content] = await Promise.all([
    annotationsOf(call.services.db, call.viewer, 'folder', [id]),
    directoryEntries(call, [folder]),
  ]);
  const parent = formatId('folder', folder.parentId);
  return { id: formatId('folder', id), parent, name: folder.name, annotations: annotationOf(id), ...content };
};

const openArtist: Opener = async (call, id) => {
  const { db } = call.services;
  const [[artist], albums] = await Promise.all([artistsByIds(db, [id], call.viewer), albumsUnderArtist(call, id, call.viewer.catalogs)]);
  if (!artist) throw new Rejection('artist.not-found');
  return { id: formatId('artist', id), name: artist.name, annotations: artist.annotations, albums };
};

const openAlbum: Opener = async (call, id) => {
  const [[album], songs] = await Promise.all([albumsWithPlays(call, [id]), songsOfAlbum(call.services.db, id, call.viewer)]);
  if (!album) throw new Rejection('album.not-found');
  const [artist] = album.doc.artists;
  const { name, annotations } = album;
  return { id: formatId('album', id), parent: artist && formatId('artist', artist.id), name, annotations, songs };
};

const openers: Partial<Record<CompatKind, Opener>> = { catalog: openCatalog, folder: openFolder, artist: openArtist, album: openAlbum };

/** Operations for browsing by folders. */
export const folderEndpoints = {
  getIndexes: document({
    access: anybody,
    params: { musicFolderId: musicFolder, ifModifiedSince: optionalInt },
    body: objectBody('indexes', indexes),
    flows: true,
    kept: () => true,
    answer: async (call) => {
      const { params, services, viewer } = call;
      const scope = scopeOf(viewer, params.musicFolderId);
      const head = { lastModifiedMs: await newestChangeMs(services.db, scope), ignoredArticles };
      if (params.ifModifiedSince !== undefined && params.ifModifiedSince >= head.lastModifiedMs) return { ...head, groups: [], songs: [] };
      const { folders, songs } = await contentOf(call, await rootFolders(services.db, await catalogIds(call, scope)));
      const entries = folders
        .map((folder) => ({ key: sortKey(folder.name), ...folderEntry(folder) }))
        .toSorted((a, b) => (a.key < b.key ? -1 : 1));
      const groups = groupByLetter(entries, (entry) => entry.key).map(({ letter, members }) => ({ letter, members: heldFlow(members) }));
      return { ...head, groups, songs };
    },
  }),

  getMusicDirectory: document({
    access: anybody,
    // A bare number is a music folder: only those ids have no prefix.
    params: { id: anyId('catalog') },
    body: objectBody('directory', directory),
    flows: true,
    answer: (call) => {
      const { kind, id } = call.params.id;
      const open = openers[kind];
      if (!open) throw new CompatError(70, 'There is no folder with this id');
      return open(call, id);
    },
  }),
} as const;
