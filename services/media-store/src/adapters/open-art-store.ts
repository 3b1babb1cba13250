import { join } from 'node:path';
import { parseStorageAddress } from '@continuo/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import type { ArtStore } from '../media-store.js';
import { s3DefaultsOf, type ArtConfig } from '../storage/storage-settings.js';
import { LocalArtStore } from './local-art-store.js';

/** Connection to NATS and copies of each stream there, for pictures in NATS. */
export interface ArtConnection {
  readonly nats: NatsConnection;
  readonly replicas: number;
}

/**
 * Opens the picture store that the settings name. Each kind but the folder is loaded only where it is used.
 * @throws StorageUnavailable for S3 storage without a key, Error when NATS has no room for a bucket
 */
export const openArtStore = async (config: ArtConfig, { nats, replicas }: ArtConnection): Promise<ArtStore> => {
  const { ART_STORAGE: storage, CONTINUO_DATA: dataFolder } = config;
  if (storage === 'folder') return new LocalArtStore(join(dataFolder, 'art'));
  if (storage === 'nats') {
    const { NatsArtStore } = await import('./nats-art-store.js');
    return NatsArtStore.open(nats, replicas);
  }
  const address = parseStorageAddress(storage);
  if (address?.type !== 's3') throw new Error(`pictures cannot be kept in ${storage}`);
  const { S3ArtStore } = await import('./s3-art-store.js');
  return S3ArtStore.open(address, s3DefaultsOf(config));
};
