import { z } from 'zod';
import type { S3Defaults } from './catalog-storage.js';

/** Settings of services that read media: how S3 storage is reached by catalogs that have no key of their own. */
export const storageSettings = {
  /** Access key of S3 storage, for catalogs that have none of their own. */
  S3_ACCESS_KEY_ID: z.string().optional(),
  /** Its secret. */
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  /** Region of S3 storage, for catalogs that name none. */
  S3_REGION: z.string().default('us-east-1'),
};

/** These settings, read. */
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
