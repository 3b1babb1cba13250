import { sortKey, Rejection } from '@continuo/contracts';
import { annotationsOf } from '../../reads/annotations.reads.js';
import { albumIdsUnderArtist } from '../../reads/artist-index.reads.js';
import { artistsByIds } from '../../reads/artists.reads.js';
import { inScope, scopeOf, visibleCatalogs, type CatalogScope } from '../../reads/catalog-scope.reads.js';
import {
  folderById,
  foldersInside,
  newestChangeMs,
  rootFolders,
  songIdsInFolders,
  type FolderRecord,
} from '../../reads/folder-tree.reads.js';
import { songsByIds } from '../../reads/songs.reads.js';
import { videoIdsInFolders, videosByIds } from '../../reads/videos.reads.js';
import { objectBody } from '../documents.js';
import { CompatError } from '../errors.js';
import { formatId, type CompatKind } from '../ids.js';
import { groupByLetter } from '../letters.js';
import { folderEntry, indexes } from '../objects/artist.object.js';
import type { AnnotatedFolder } from '../objects/child.object.js';
import { directory, type Directory } from '../objects/directory.object.js';
import { anyId, musicFolder, optionalInt } from '../parameters.js';
import { ignoredArticles, songsOfAlbum } from './browsing.endpoints.js';
import { anybody, document, type UserCallBase } from './endpoint.js';
import { shownAlbums } from './shown-albums.js';

const catalogIds = async ({ services, viewer }: UserCallBase, scope: CatalogScope): Promise<number[]> => {
  const visible = await visibleCatalogs(services.db, viewer);
  return visible.map((catalog) => catalog.id).filter((id) => inScope(scope, id));
};

/** The folders with what users say of them. */
const annotated = async ({ services: { db }, viewer }: UserCallBase, folders: readonly FolderRecord[]): Promise<AnnotatedFolder[]> => {
  const ids = folders.map((folder) => folder.id);
  const annotationOf = await annotationsOf(db, viewer, 'folder', ids);
  return folders.map((folder) => ({ ...folder, annotations: annotationOf(folder.id) }));
};

const contentOf = async (call: UserCallBase, folders: readonly FolderRecord[]) => {
  const { db } = call.services;
  const ids = folders.map((folder) => folder.id);
  const [inside, songIds] = await Promise.all([foldersInside(db, ids), songIdsInFolders(db, ids)]);
  const [inner, songs] = await Promise.all([annotated(call, inside), songsByIds(db, songIds, call.viewer)]);
  return { folders: inner, songs };
};

/** What a directory shows: beside folders and songs also videos, where there are any. */
const shownIn = async (call: UserCallBase, folders: readonly FolderRecord[]) => {
  const { db, config } = call.services;
  const ids = config.ALLOW_VIDEO
    ? await videoIdsInFolders(
        db,
        folders.map((folder) => folder.id),
      )
    : [];
  const [content, videos] = await Promise.all([contentOf(call, folders), videosByIds(db, ids, call.viewer)]);
  return { ...content, videos };
};

type Opener = (call: UserCallBase, id: number) => Promise<Directory>;

const openCatalog: Opener = async (call, id) => {
  const catalog = (await visibleCatalogs(call.services.db, call.viewer)).find((visible) => visible.id === id);
  if (!catalog) throw new Rejection('catalog.not-found');
  const content = await shownIn(call, await rootFolders(call.services.db, [id]));
  return { id: formatId('catalog', id), name: catalog.name, ...content };
};

const openFolder: Opener = async (call, id) => {
  const folder = await folderById(call.services.db, id);
  if (!folder || !inScope(call.viewer.catalogs, folder.catalogId)) throw new CompatError(70, 'There is no such folder');
  // Under the id that was asked for: clients that keep directories by their ids walk from parent to parent.
  if (folder.parentId === null) return { ...(await openCatalog(call, folder.catalogId)), id: formatId('folder', id) };
  const [annotationOf, content] = await Promise.all([
    annotationsOf(call.services.db, call.viewer, 'folder', [id]),
    shownIn(call, [folder]),
  ]);
  const parent = formatId('folder', folder.parentId);
  return { id: formatId('folder', id), parent, name: folder.name, annotations: annotationOf(id), ...content };
};

const openArtist: Opener = async (call, id) => {
  const { db } = call.services;
  const [artist] = await artistsByIds(db, [id], call.viewer);
  if (!artist) throw new Rejection('artist.not-found');
  const albumIds = await albumIdsUnderArtist(db, id, call.viewer.catalogs);
  const albums = await shownAlbums(call, albumIds);
  return { id: formatId('artist', id), name: artist.name, annotations: artist.annotations, albums };
};

const openAlbum: Opener = async (call, id) => {
  const [[album], songs] = await Promise.all([shownAlbums(call, [id]), songsOfAlbum(call, id)]);
  if (!album) throw new Rejection('album.not-found');
  const [artist] = album.doc.artists;
  const { name, annotations } = album;
  return { id: formatId('album', id), parent: artist && formatId('artist', artist.id), name, annotations, songs };
};

const openers: Partial<Record<CompatKind, Opener>> = { catalog: openCatalog, folder: openFolder, artist: openArtist, album: openAlbum };

/** Browsing by folders. */
export const folderEndpoints = {
  getIndexes: document({
    access: anybody,
    params: { musicFolderId: musicFolder, ifModifiedSince: optionalInt },
    body: objectBody('indexes', indexes),
    answer: async (call) => {
      const { params, services, viewer } = call;
      const scope = scopeOf(viewer, params.musicFolderId);
      const head = { lastModifiedMs: await newestChangeMs(services.db, scope), ignoredArticles };
      if (params.ifModifiedSince !== undefined && params.ifModifiedSince >= head.lastModifiedMs) return { ...head, groups: [], songs: [] };
      const { folders, songs } = await contentOf(call, await rootFolders(services.db, await catalogIds(call, scope)));
      const entries = folders
        .map((folder) => ({ key: sortKey(folder.name), ...folderEntry(folder) }))
        .toSorted((a, b) => (a.key < b.key ? -1 : 1));
      return { ...head, groups: groupByLetter(entries, (entry) => entry.key), songs };
    },
  }),

  getMusicDirectory: document({
    access: anybody,
    // A bare number is a music folder's: those are the only ids that this surface gives out without a prefix.
    params: { id: anyId('catalog') },
    body: objectBody('directory', directory),
    answer: (call) => {
      const { kind, id } = call.params.id;
      const open = openers[kind];
      if (!open) throw new CompatError(70, 'There is no folder with this id');
      return open(call, id);
    },
  }),
} as const;
