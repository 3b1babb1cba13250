import { parseStorageAddress } from '@continuo/contracts';
import { z } from 'zod';
import type { S3Defaults } from './catalog-storage.js';

/** Settings of services that read media: how S3 storage is reached by catalogs that have no key of their own. */
export const storageSettings = {
  /** Access key of S3 storage, for pictures and for catalogs that have none of their own. */
  S3_ACCESS_KEY_ID: z.string().optional(),
  /** Its secret. */
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  /** Region of S3 storage, for pictures and for catalogs that name none. */
  S3_REGION: z.string().default('us-east-1'),
};

/** True for a picture storage that there is. */
const isArtStorage = (text: string): boolean => text === 'folder' || text === 'nats' || parseStorageAddress(text)?.type === 's3';

/** Schema of the setting of the services, and of the commands, that read or write pictures. */
export const artStorage = z
  .string()
  .refine(isArtStorage, 'is none of folder, nats, s3://bucket/prefix, s3+https://host:port/bucket/prefix');

/** Settings of services that read or write pictures; beside them those of {@link storageSettings}. */
export const artSettings = {
  /** Storage of covers, avatars and other pictures: `folder` (`art` in `CONTINUO_DATA`), `nats` (a bucket of JetStream), or `s3://bucket/prefix` as catalogs name it. The same for all services. */
  ART_STORAGE: artStorage.default('folder'),
};

/** These settings, read. */
export interface ArtConfig extends StorageConfig {
  readonly ART_STORAGE: string;
  readonly CONTINUO_DATA: string;
}

/** Settings of {@link storageSettings}, read. */
export interface StorageConfig {
  readonly S3_ACCESS_KEY_ID?: string | undefined;
  readonly S3_SECRET_ACCESS_KEY?: string | undefined;
  readonly S3_REGION: string;
}

/** S3 defaults from these settings. */
export const s3DefaultsOf = (config: StorageConfig): S3Defaults => ({
  accessKeyId: config.S3_ACCESS_KEY_ID,
  secretAccessKey: config.S3_SECRET_ACCESS_KEY,
  region: config.S3_REGION,
});
