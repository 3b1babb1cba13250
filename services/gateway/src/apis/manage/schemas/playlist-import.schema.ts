import { MAX_PLAYLIST_NAME } from '@continuo/contracts';
import { z } from 'zod';
import { id } from './ids.js';
import { playlist } from './playlist.schema.js';

/** Largest playlist file that is taken, bytes: some forty thousand entries. */
export const MAX_PLAYLIST_FILE_BYTES = 4 * 1024 * 1024;
/** Characters of base64 for a file of that size. */
export const MAX_PLAYLIST_FILE_CHARS = Math.ceil(MAX_PLAYLIST_FILE_BYTES / 3) * 4;

/** Schema of an import. */
export const newPlaylistImport = z
  .strictObject({
    fileName: z.string().min(1).max(255).meta({ description: 'Tells the format, and the name of a list that has none' }),
    content: z.base64().max(MAX_PLAYLIST_FILE_CHARS).meta({ description: 'The file: M3U, M3U8, PLS or XSPF' }),
    folder: z.string().max(4096).optional().meta({ description: 'Absolute path of the folder that relative paths start from' }),
    encoding: z.string().max(100).optional().meta({ description: 'Character set; found out when absent' }),
    mode: z.enum(['create', 'replace', 'add', 'none']).default('create').meta({
      description:
        'create: makes a list; replace: replaces the members of `playlistId`; add: adds to it; none: only reports what would be found',
    }),
    playlistId: id.optional().meta({ description: 'For replace and add' }),
    ownerId: id.nullable().default(null).meta({ description: 'Of a list that is made; null: nobody, and the list is public' }),
    isPublic: z.boolean().default(false),
    name: z
      .string()
      .trim()
      .min(1)
      .max(MAX_PLAYLIST_NAME)
      .optional()
      .meta({ description: 'The name in the file when absent, else that of the file' }),
    allowSameName: z.boolean().default(false).meta({ description: 'Makes a second list of a name that the owner has already' }),
  })
  .meta({ id: 'NewPlaylistImport' });

const methods = z.enum(['path', 'path-end', 'recording', 'tags', 'file-name', 'title']);

/** Schema of the outcome of an import. */
export const playlistImport = z
  .object({
    outcome: z.enum(['created', 'replaced', 'added', 'reported', 'nothing-found', 'exists']).meta({
      description:
        'nothing-found: none of its entries is in the library; exists: its owner has a list of the name. Nothing was imported then',
    }),
    playlist: playlist.nullable().meta({ description: 'The list that was made, changed, or exists already' }),
    format: z.string(),
    encoding: z.string(),
    entryCount: z.int(),
    songCount: z.int().meta({ description: 'Entries whose songs were found' }),
    methods: z.array(z.object({ method: methods, count: z.int() })).meta({ description: 'How songs were found' }),
    notices: z.array(z.object({ line: z.int(), message: z.string() })).meta({ description: 'What of the file could not be used' }),
    unmatched: z
      .array(
        z.object({
          number: z.int().meta({ description: 'Place in the file, from 1' }),
          reason: z.enum(['not-found', 'remote', 'several', 'says-nothing']),
          locations: z.array(z.string()),
          title: z.string().nullable(),
          artist: z.string().nullable(),
          album: z.string().nullable(),
          durationMs: z.number().nullable(),
        }),
      )
      .meta({ description: 'Entries without a song' }),
  })
  .meta({ id: 'PlaylistImport' });
