import { checkedOutboundClient, parseRanges, type OutboundClient } from '@continuo/chassis';
import { Rejection, type StorageAddress } from '@continuo/contracts';
import type { Readable } from 'node:stream';
import type { ArtStore, StoredArt } from '../media-store.js';
import { DEFAULT_REGION, keyOfSettings, type S3Defaults } from '../storage/catalog-storage.js';
import { S3Storage } from '../storage/s3/s3-storage.js';
import { artNotFound, hashOf, isArtHash, requireArtHash } from './art-hash.js';

/** The address comes from the settings of the server, not from its users: it may lead anywhere. */
const EVERYWHERE = parseRanges(['0.0.0.0/0', '::/0']);
const CONNECTIONS = 32;
const PROBE = '.probe';

const placeOf = (hash: string): string => `${requireArtHash(hash).slice(0, 2)}/${hash}`;

/** Images in S3-compatible storage: `<prefix><first two hex digits>/<hash>`, as in a folder. */
export class S3ArtStore implements ArtStore {
  private constructor(
    private readonly storage: S3Storage,
    private readonly outbound: OutboundClient,
    private readonly name: string,
  ) {}

  /** @throws StorageUnavailable without a key */
  static open(address: Extract<StorageAddress, { type: 's3' }>, s3: S3Defaults): S3ArtStore {
    const credentials = keyOfSettings(s3);
    const outbound = checkedOutboundClient({ allowed: EVERYWHERE, connectionsPerHost: CONNECTIONS });
    const storage = new S3Storage({ address, region: s3.region ?? DEFAULT_REGION, credentials, outbound });
    return new S3ArtStore(storage, outbound, address.bucket);
  }

  async put(bytes: Uint8Array): Promise<string> {
    const hash = hashOf(bytes);
    const path = placeOf(hash);
    const present = await this.storage.stat(path).catch(missing);
    if (present?.sizeBytes !== bytes.length) await this.storage.put(path, bytes);
    return hash;
  }

  async stat(hash: string): Promise<Pick<StoredArt, 'sizeBytes'>> {
    const { sizeBytes } = await this.storage.stat(placeOf(hash)).catch(asArtFault);
    return { sizeBytes };
  }

  async open(hash: string): Promise<Readable> {
    const { body } = await this.storage.read(placeOf(hash)).catch(asArtFault);
    return body;
  }

  async *list(): AsyncGenerator<StoredArt> {
    for await (const { path, sizeBytes } of this.storage.list('')) {
      const hash = path.slice(path.lastIndexOf('/') + 1);
      if (isArtHash(hash) && path === placeOf(hash)) yield { hash, sizeBytes };
    }
  }

  async check(): Promise<string> {
    await this.storage.check();
    await this.storage.put(PROBE, new Uint8Array());
    return `in the bucket "${this.name}" of S3 storage`;
  }

  close(): Promise<void> {
    return this.outbound.close();
  }
}

const missing = (error: unknown): undefined => {
  if (error instanceof Rejection && error.code === 'media.not-found') return undefined;
  throw error;
};

const asArtFault = (error: unknown): never => {
  missing(error);
  throw artNotFound(error);
};
