import type { CatalogRecord } from '../../reads/catalog-scope.reads.js';
import type { ScanState } from '../../reads/scan-state.reads.js';
import type { GenreRecord } from '../../reads/songs-by-genre.reads.js';
import { objectTable } from '../../render/object-table.js';
import type { Extension } from '../extensions.js';
import type { Roles } from '../roles.js';
import { byForm, type CompatField, fieldsOf } from './fields.js';

const musicFolderFields = fieldsOf<CatalogRecord>();
/** A catalog to choose; its id is a number, unlike all others. */
export const musicFolder = objectTable<CatalogRecord, undefined>('musicFolder', [
  musicFolderFields.num('id', (catalog) => catalog.id),
  musicFolderFields.text('name', (catalog) => catalog.name),
]);

const genreFields = fieldsOf<GenreRecord>();
/** A genre; its name is the element's text. */
export const genre = objectTable<GenreRecord, undefined>('genre', [
  genreFields.num('songCount', (g) => g.songCount),
  genreFields.num('albumCount', (g) => g.albumCount),
  genreFields.ownText('value', (g) => g.name),
]);

const scanFields = fieldsOf<ScanState>();
/** Whether a scan is running. */
export const scanStatus = objectTable<ScanState, undefined>('scanStatus', [
  scanFields.bool('scanning', (scan) => scan.scanning),
  scanFields.num('count', (scan) => scan.songCount),
]);

const licenseFields = fieldsOf<object>();
/** This server needs none, so it always holds. */
export const license = objectTable<object, undefined>('license', [licenseFields.bool('valid', () => true)]);

const extensionFields = fieldsOf<Extension>();
/** An extension of the protocol. */
export const openSubsonicExtension = objectTable<Extension, undefined>('openSubsonicExtensions', [
  extensionFields.text('name', (extension) => extension.name),
  extensionFields.scalars('versions', (extension) => extension.versions),
]);

const tokenFields = fieldsOf<string>();
/** Whom a key belongs to. */
export const tokenInfo = objectTable<string, undefined>('tokenInfo', [tokenFields.text('username', (username) => username)]);

/** An account as clients look at it to know what they may offer. */
export interface UserSource {
  readonly username: string;
  readonly email: string | null;
  readonly roles: Roles;
  /** Bit/s; null = no limit. */
  readonly maxBitrateBps: number | null;
  /** Ids of the catalogs that it may see. */
  readonly folders: readonly number[];
}
const userFields = fieldsOf<UserSource>();
const role = (name: string, of: keyof Roles): CompatField<UserSource> => userFields.bool(`${name}Role`, ({ roles }) => roles[of]);
/** An account. Every flag is there, as the schema asks. */
export const user = objectTable<UserSource, undefined>('user', [
  userFields.text('username', (u) => u.username),
  // The schema of the extended JSON has no address, and refuses what it does not have; that of XML has one since 1.6.0.
  userFields.xmlOnly('email', (u) => u.email ?? undefined),
  byForm({ legacy: userFields.jsonOnly('email', (u) => u.email ?? undefined), extended: userFields.jsonOnly('email', () => undefined) }),
  userFields.bool('scrobblingEnabled', () => true),
  userFields.num('maxBitRate', (u) => (u.maxBitrateBps === null ? undefined : Math.round(u.maxBitrateBps / 1000))),
  role('admin', 'admin'),
  role('settings', 'settings'),
  role('download', 'download'),
  role('upload', 'upload'),
  role('playlist', 'playlist'),
  role('coverArt', 'coverArt'),
  role('comment', 'comment'),
  role('podcast', 'podcast'),
  role('stream', 'stream'),
  role('jukebox', 'jukebox'),
  role('share', 'share'),
  role('videoConversion', 'videoConversion'),
  userFields.scalars('folder', (u) => u.folders),
]);
