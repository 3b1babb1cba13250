import type { CatalogRecord } from '../../../reads/visibility/catalog-scope.reads.js';
import type { ScanState } from '../../../reads/library/scan-state.reads.js';
import type { GenreRecord } from '../../../reads/songs/songs-by-genre.reads.js';
import { objectTable } from '../../../render/object-table.js';
import type { Extension } from '../extensions.js';
import type { Roles } from '../roles.js';
import { type CompatField, fieldsOf, OPTIONAL } from './fields.js';

const musicFolderFields = fieldsOf<CatalogRecord>();
/** A catalog; unlike other ids, its id is a number. */
export const musicFolder = objectTable<CatalogRecord, undefined>('musicFolder', [
  musicFolderFields.int('id', (catalog) => catalog.id),
  musicFolderFields.text('name', (catalog) => catalog.name),
]);

const genreFields = fieldsOf<GenreRecord>();
/** A genre; its name is the element's text. */
export const genre = objectTable<GenreRecord, undefined>('genre', [
  genreFields.int('songCount', (g) => g.songCount),
  genreFields.int('albumCount', (g) => g.albumCount),
  genreFields.ownText('value', (g) => g.name),
]);

const scanFields = fieldsOf<ScanState>();
/** Scan status. */
export const scanStatus = objectTable<ScanState, undefined>('scanStatus', [
  scanFields.bool('scanning', (scan) => scan.scanning),
  scanFields.int('count', (scan) => scan.songCount),
]);

const licenseFields = fieldsOf<object>();
/** License status; always valid. */
export const license = objectTable<object, undefined>('license', [licenseFields.bool('valid', () => true)]);

const extensionFields = fieldsOf<Extension>();
/** An extension of the protocol. */
export const openSubsonicExtension = objectTable<Extension, undefined>(
  'openSubsonicExtensions',
  [extensionFields.text('name', (extension) => extension.name), extensionFields.integers('versions', (extension) => extension.versions)],
  'open_subsonic_extension',
);

const tokenFields = fieldsOf<string>();
/** Owner of an API key. */
export const tokenInfo = objectTable<string, undefined>('tokenInfo', [tokenFields.text('username', (username) => username)]);

/** An account with the flags that clients check. */
export interface UserSource {
  readonly username: string;
  readonly email: string | null;
  readonly roles: Roles;
  /** Bit/s; null = no limit. */
  readonly maxBitrateBps: number | null;
  /** Ids of visible catalogs. */
  readonly folders: readonly number[];
}
const userFields = fieldsOf<UserSource>();
const role = (name: keyof Roles): CompatField<UserSource> => userFields.bool(`${name}Role`, ({ roles }) => roles[name]);
/** An account. The schema requires every flag. */
export const user = objectTable<UserSource, undefined>('user', [
  userFields.text('username', (u) => u.username),
  userFields.text('email', (u) => u.email ?? undefined, OPTIONAL),
  userFields.bool('scrobblingEnabled', () => true),
  userFields.int('maxBitRate', (u) => (u.maxBitrateBps === null ? undefined : Math.round(u.maxBitrateBps / 1000)), OPTIONAL),
  role('admin'),
  role('settings'),
  role('download'),
  role('upload'),
  role('playlist'),
  role('coverArt'),
  role('comment'),
  role('podcast'),
  role('stream'),
  role('jukebox'),
  role('share'),
  role('videoConversion'),
  userFields.integers('folder', (u) => u.folders),
]);
