import { catalogId, given, MAX_UPLOAD_NAME, Rejection, takeInUpload, type UploadedTags } from '@continuo/contracts';
import { z } from 'zod';
import { requireLevel } from '../../../../auth/index.js';
import { runLongCommand } from '../../../../server/commands.js';
import { textParam } from '../../../../server/requests/parameters.js';
import { albumsByIds } from '../../../../reads/library/albums.reads.js';
import { artistsByIds } from '../../../../reads/library/artists.reads.js';
import { licensesByIds } from '../../../../reads/library/licenses.reads.js';
import { receiveFile, type ReceivedFile } from '../../../../features/upload/receive-file.js';
import { uploadAvailability, type UploadAvailability } from '../../../../features/upload/upload-availability.js';
import type { SentFile } from '../../../../server/sent-file.js';
import type { RequestParams } from '../../../../auth/index.js';
import { badValue, featureOff, missing } from '../../errors/native-fault.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { idOf, optional } from '../../params.js';
import { success, type NativeResult } from '../../result.js';
import type { Reader } from '../lists/reading.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';
import type { HasCommands, HasConfig, HasUploadSlots } from '../../../../server/needs.js';

type Services = HasCommands & HasConfig & HasReadModel & HasPreferences & HasUploadSlots;
const { method } = methodsUsing<Services>();

/** Timeout for reading, comparing and scanning an uploaded file, ms. */
const TAKE_IN_TIMEOUT_MS = 5 * 60_000;
const NAMES = ['filename', 'artist_id', 'artist_name', 'album_id', 'album_name', 'license'] as const;

type UploadFields = Readonly<Partial<Record<(typeof NAMES)[number], string>>>;

const params = z.object({
  filename: optional,
  artist_id: optional,
  artist_name: optional,
  album_id: optional,
  album_name: optional,
  license: optional,
});
type Call = CallerCall<z.output<typeof params>, Services>;
type Open = Extract<UploadAvailability, { kind: 'open' }>;

/** @throws NativeRefusal 4703 with the preference that disables uploads, or a Rejection 4742 below the level */
const requireOpen = async ({ services, context }: Call): Promise<Open> => {
  const { account } = context.caller;
  const standing = uploadAvailability(await services.preferences.current(), account);
  if (standing.kind === 'off') throw featureOff(standing.preference);
  if (standing.kind === 'below') requireLevel(context.caller, standing.level);
  return standing as Open;
};

/** Root of the upload catalog, which the caller need not see. @throws NativeRefusal 4703 when it cannot take uploads */
const rootOf = async ({ services }: Call, { catalogId: id }: Open): Promise<string> => {
  const catalog = await services.db
    .selectFrom('library.catalog')
    .select(['path', 'type', 'enabled'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (catalog?.type !== 'local' || !catalog.enabled) throw featureOff('upload_catalog');
  return catalog.path;
};

const fieldText = (fields: UploadFields, name: keyof UploadFields): string | undefined => {
  const text = fields[name]?.trim();
  return text === undefined || text === '' ? undefined : text;
};

const findReferenced = async <T>(
  fields: UploadFields,
  name: keyof UploadFields,
  find: (id: number) => Promise<T | undefined>,
): Promise<T | undefined> => {
  const text = fieldText(fields, name);
  // Clients send 0 and -1 for none.
  if (text === undefined || text === '0' || text === '-1') return undefined;
  const id = idOf(text);
  const found = id === undefined ? undefined : await find(id);
  if (found === undefined) throw badValue(name, text, 'must be the id of something that is there');
  return found;
};

/** Tags given by the caller; ids must be of visible objects. @throws NativeRefusal 4710 */
const tagsOf = async ({ services, viewer }: Reader, fields: UploadFields): Promise<UploadedTags> => {
  const { db } = services;
  const artist = await findReferenced(fields, 'artist_id', async (id) => (await artistsByIds(db, [id], viewer))[0]);
  const album = await findReferenced(fields, 'album_id', async (id) => (await albumsByIds(db, [id], viewer))[0]);
  const license = await findReferenced(fields, 'license', async (id) => (await licensesByIds(db, [id], viewer))[0]);
  const artistName = artist?.name ?? fieldText(fields, 'artist_name');
  const albumName = album?.name ?? fieldText(fields, 'album_name');
  const albumArtist = album?.doc.artists[0]?.name ?? artistName;
  return {
    ...given({ artist: artistName, albumArtist, album: albumName }),
    ...(license === undefined ? {} : { license: license.externalLink || license.name }),
  };
};

const nameOf = (fields: UploadFields, file: SentFile): string => {
  const name = (fieldText(fields, 'filename') ?? file.name ?? '').trim();
  if (name === '') throw missing('filename');
  if (name.length > MAX_UPLOAD_NAME) throw badValue('filename', name, `must have ${MAX_UPLOAD_NAME} characters at most`);
  return name;
};

/** Fields sent before the file, and after it. */
const mergeFields = (before: UploadFields, behind: RequestParams): UploadFields =>
  Object.fromEntries(NAMES.map((name) => [name, textParam(behind, name) ?? before[name]]));

const takeIn = async (call: Call, standing: Open, { file, received }: { file: SentFile; received: ReceivedFile }): Promise<void> => {
  const fields = mergeFields(call.params, await file.paramsBehind());
  const data = {
    catalogId: catalogId.parse(standing.catalogId),
    staged: received.staged,
    fileName: nameOf(fields, file),
    subfolder: standing.ownFolder ? call.context.caller.account.username : null,
    tags: await tagsOf(call, fields),
  };
  await runLongCommand(call.services, call.context, { command: takeInUpload, timeoutMs: TAKE_IN_TIMEOUT_MS }, data);
};

const upload = async (call: Call): Promise<NativeResult> => {
  const { services, context } = call;
  const standing = await requireOpen(call);
  const root = await rootOf(call, standing);
  const { file } = context;
  if (file === undefined) throw missing('upl');
  // Fields are checked before the file is read.
  if (file.name === undefined) nameOf(call.params, file);
  await tagsOf(call, call.params);
  const { UPLOAD_MAX_BYTES: maxBytes, UPLOAD_KEEP_FREE_BYTES: keepFreeBytes } = services.config;
  await services.uploadSlots.run(async () => {
    const received = await receiveFile(root, file, { maxBytes, keepFreeBytes });
    try {
      await takeIn(call, standing, { file, received });
    } catch (error) {
      // The job may still run after a timeout; otherwise the file is removed later.
      if (!(error instanceof Rejection && error.code === 'unavailable')) await received.discard();
      throw error;
    }
  });
  return success('file uploaded');
};

/** Method that uploads media files. */
export const uploadMethods = {
  upload: method({ versions: [8], access: 25, params, run: upload }),
};
