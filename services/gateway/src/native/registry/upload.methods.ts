import { catalogId, MAX_UPLOAD_NAME, Rejection, takeInUpload, type UploadedTags } from '@continuo/contracts';
import { z } from 'zod';
import { requireLevel } from '../../auth/index.js';
import { runLongCommand } from '../../commands.js';
import { textParam } from '../../http/parameters.js';
import { albumsByIds } from '../../reads/albums.reads.js';
import { artistsByIds } from '../../reads/artists.reads.js';
import { licensesByIds } from '../../reads/licenses.reads.js';
import { receiveFile, type ReceivedFile } from '../../upload/receive-file.js';
import { uploadStanding, type UploadStanding } from '../../upload/upload-standing.js';
import type { SentFile } from '../../http/sent-file.js';
import type { RequestParams } from '../../auth/index.js';
import { badValue, featureOff, missing } from '../errors/native-fault.js';
import { method, type CallerCall } from '../method.js';
import { idOf } from '../params.js';
import type { NativeResult } from '../result.js';
import type { Reader } from './reading.js';

/** Reading a file, comparing it with others of its size, and scanning it. */
const TAKE_IN_TIMEOUT_MS = 5 * 60_000;
const NAMES = ['filename', 'artist_id', 'artist_name', 'album_id', 'album_name', 'license'] as const;

type Told = Readonly<Partial<Record<(typeof NAMES)[number], string>>>;

const optionalText = z.string().optional();
const params = z.object({
  filename: optionalText,
  artist_id: optionalText,
  artist_name: optionalText,
  album_id: optionalText,
  album_name: optionalText,
  license: optionalText,
});
type Call = CallerCall<z.output<typeof params>>;
type Open = Extract<UploadStanding, { kind: 'open' }>;

/** @throws NativeRefusal 4703 with the preference that keeps uploads closed, or a Rejection 4742 below the level */
const requireOpen = async ({ services, request }: Call): Promise<Open> => {
  const { account } = request.caller;
  const standing = uploadStanding(await services.preferences.current(), account);
  if (standing.kind === 'off') throw featureOff(standing.preference);
  if (standing.kind === 'below') requireLevel(request.caller, standing.level);
  return standing as Open;
};

/** The catalog that takes uploads: whoever may upload need not see it. @throws NativeRefusal 4703 when it takes none */
const rootOf = async ({ services }: Call, { catalogId: id }: Open): Promise<string> => {
  const catalog = await services.db
    .selectFrom('library.catalog')
    .select(['path', 'type', 'enabled'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (catalog?.type !== 'local' || !catalog.enabled) throw featureOff('upload_catalog');
  return catalog.path;
};

const given = (told: Told, name: keyof Told): string | undefined => {
  const text = told[name]?.trim();
  return text === undefined || text === '' ? undefined : text;
};

const named = async <T>(told: Told, name: keyof Told, find: (id: number) => Promise<T | undefined>): Promise<T | undefined> => {
  const text = given(told, name);
  // Clients send 0 and -1 for nothing.
  if (text === undefined || text === '0' || text === '-1') return undefined;
  const id = idOf(text);
  const found = id === undefined ? undefined : await find(id);
  if (found === undefined) throw badValue(name, text);
  return found;
};

/** What the caller says of the file; numbers must be of things that the caller sees. @throws NativeRefusal 4710 */
const tagsOf = async ({ services, viewer }: Reader, told: Told): Promise<UploadedTags> => {
  const { db } = services;
  const artist = await named(told, 'artist_id', async (id) => (await artistsByIds(db, [id], viewer))[0]);
  const album = await named(told, 'album_id', async (id) => (await albumsByIds(db, [id], viewer))[0]);
  const license = await named(told, 'license', async (id) => (await licensesByIds(db, [id], viewer))[0]);
  const artistName = artist?.name ?? given(told, 'artist_name');
  const albumName = album?.name ?? given(told, 'album_name');
  const albumArtist = album?.doc.artists[0]?.name ?? artistName;
  return {
    ...(artistName === undefined ? {} : { artist: artistName }),
    ...(albumArtist === undefined ? {} : { albumArtist }),
    ...(albumName === undefined ? {} : { album: albumName }),
    ...(license === undefined ? {} : { license: license.externalLink || license.name }),
  };
};

const nameOf = (told: Told, file: SentFile): string => {
  const name = (given(told, 'filename') ?? file.name ?? '').trim();
  if (name === '') throw missing('filename');
  if (name.length > MAX_UPLOAD_NAME) throw badValue('filename', name.slice(0, 80));
  return name;
};

/** What was said before the file, and behind it. */
const allTold = (before: Told, behind: RequestParams): Told =>
  Object.fromEntries(NAMES.map((name) => [name, textParam(behind, name) ?? before[name]]));

const takeIn = async (call: Call, standing: Open, { file, received }: { file: SentFile; received: ReceivedFile }): Promise<void> => {
  const told = allTold(call.params, await file.paramsBehind());
  const data = {
    catalogId: catalogId.parse(standing.catalogId),
    staged: received.staged,
    fileName: nameOf(told, file),
    subfolder: standing.ownFolder ? call.request.caller.account.username : null,
    tags: await tagsOf(call, told),
  };
  await runLongCommand(call.services, call.request, { command: takeInUpload, timeoutMs: TAKE_IN_TIMEOUT_MS }, data);
};

const upload = async (call: Call): Promise<NativeResult> => {
  const { services, request } = call;
  const standing = await requireOpen(call);
  const root = await rootOf(call, standing);
  const { file } = request;
  if (file === undefined) throw missing('upl');
  // What is wrong with the words is said before any byte is taken.
  if (file.name === undefined) nameOf(call.params, file);
  await tagsOf(call, call.params);
  const { UPLOAD_MAX_BYTES: maxBytes, UPLOAD_KEEP_FREE_BYTES: keepFreeBytes } = services.config;
  await services.uploadPlaces.run(async () => {
    const received = await receiveFile(root, file, { maxBytes, keepFreeBytes });
    try {
      await takeIn(call, standing, { file, received });
    } catch (error) {
      // A worker that does not answer may be at it all the same; what nobody takes in is swept up later.
      if (!(error instanceof Rejection && error.code === 'unavailable')) await received.discard();
      throw error;
    }
  });
  return { kind: 'success', message: 'file uploaded' };
};

/** Uploading media files. */
export const uploadMethods = {
  upload: method({ versions: [8], access: 25, params, run: upload }),
};
