import { sortKey } from '@continuo/contracts';
import { z } from 'zod';
import type { HasOperations } from '../../../features/operations/operations.js';
import type { HasReadModel } from '../../../reads/database/database.js';
import { managedMembersAfter } from '../../../reads/playlists/playlist-songs.reads.js';
import { playlistFilesAfter } from '../../../reads/playlists/playlist-files.reads.js';
import { managedPlaylistsAfter } from '../../../reads/playlists/playlists.reads.js';
import type { HasCommands, HasConfig } from '../../../server/needs.js';
import { PAGE_BODY_BYTES } from '../../../server/requests/request-bounds.js';
import { cutPage, pageOf, pageQuery, readCursor, rowsOfPage } from '../cursors.js';
import { operationsUsing } from '../operation.js';
import { importPlaylist, playlistById } from '../playlist-import.js';
import { idPath } from '../schemas/ids.js';
import { MAX_PLAYLIST_FILE_CHARS, newPlaylistImport, playlistImport } from '../schemas/playlist-import.schema.js';
import { memberView, playlist, playlistFile, playlistFileView, playlistMember, playlistView } from '../schemas/playlist.schema.js';

type Services = HasCommands & HasConfig & HasReadModel & HasOperations;
const { operation } = operationsUsing<Services>();

const files = {
  importPlaylist: operation({
    method: 'POST',
    path: '/playlists/imports',
    family: 'playlists',
    access: 'write',
    summary: 'Imports a playlist file: finds its songs and makes a list of them, or changes one',
    body: newPlaylistImport,
    bodyBytes: MAX_PLAYLIST_FILE_CHARS + PAGE_BODY_BYTES,
    answer: playlistImport,
    tagged: false,
    errors: ['input.too-large', 'playlist.not-found', 'playlist.full', 'conflict'],
    run: importPlaylist,
  }),
  listPlaylistFiles: operation({
    method: 'GET',
    path: '/playlist-files',
    family: 'playlists',
    access: 'read',
    summary: 'Lists playlist files of catalogs that scans have read, by catalog and path',
    query: pageQuery.extend({ path: z.string().max(4096).optional().meta({ description: 'Only files of this path' }) }),
    answer: pageOf(playlistFile),
    run: async ({ query, services, viewer }) => {
      const after = readCursor(z.object({ catalogId: z.int(), path: z.string() }), query.cursor) ?? { catalogId: 0, path: '' };
      const rows = await playlistFilesAfter(services.db, viewer, { after, path: query.path, limit: rowsOfPage(query) });
      const page = cutPage(rows, query, (row) => ({ catalogId: row.catalog_id, path: row.path }));
      return { ...page, items: page.items.map(playlistFileView) };
    },
  }),
};

/** Operations on playlists and playlist files. */
export const playlistOperations = {
  listPlaylists: operation({
    method: 'GET',
    path: '/playlists',
    family: 'playlists',
    access: 'read',
    summary: 'Lists playlists of everybody by name',
    query: pageQuery.extend({
      name: z.string().max(1000).optional().meta({ description: 'Of this name, in any case, without accents and leading articles' }),
    }),
    answer: pageOf(playlist),
    run: async ({ query, services }) => {
      const after = readCursor(z.object({ key: z.string(), id: z.int() }), query.cursor) ?? { key: '', id: 0 };
      const rows = await managedPlaylistsAfter(services.db, { after, name: query.name, limit: rowsOfPage(query) });
      const page = cutPage(rows, query, (row) => ({ key: sortKey(row.name), id: row.id }));
      return { ...page, items: page.items.map(playlistView) };
    },
  }),
  getPlaylist: operation({
    method: 'GET',
    path: '/playlists/{id}',
    family: 'playlists',
    access: 'read',
    summary: 'Answers a playlist',
    params: idPath,
    answer: playlist,
    errors: ['playlist.not-found'],
    run: async ({ params, services }) => playlistView(await playlistById(services, params.id)),
  }),
  listPlaylistMembers: operation({
    method: 'GET',
    path: '/playlists/{id}/members',
    family: 'playlists',
    access: 'read',
    summary: 'Lists members of a playlist in its order',
    params: idPath,
    query: pageQuery,
    answer: pageOf(playlistMember),
    errors: ['playlist.not-found'],
    run: async ({ params, query, services, viewer }) => {
      await playlistById(services, params.id);
      const afterRank = readCursor(z.int(), query.cursor) ?? 0;
      const rows = await managedMembersAfter(services.db, viewer, { playlistId: params.id, afterRank, limit: rowsOfPage(query) });
      const page = cutPage(rows, query, (row) => row.rank);
      return { ...page, items: page.items.map(memberView) };
    },
  }),
  ...files,
};
