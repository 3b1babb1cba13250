import type { CatalogCredentials, StorageAddress } from '@continuo/contracts';
import type { OutboundClient } from '@continuo/chassis';
import type { FileStorage } from './file-storage.js';

/** Address, credentials and client of one storage. */
export interface StorageOptions {
  readonly address: StorageAddress;
  /** Of S3 storage. */
  readonly region: string;
  readonly credentials: CatalogCredentials;
  readonly outbound: OutboundClient;
  /** Id of this installation. */
  readonly instance: string;
}

/** Opens a storage. Each kind is loaded when its first storage is opened: most servers have folders only. */
export const openStorage = async ({ address, ...settings }: StorageOptions): Promise<FileStorage> => {
  if (address.type === 's3') {
    const { S3Storage } = await import('./s3/s3-storage.js');
    return new S3Storage({ ...settings, address });
  }
  const [{ RemoteStorage }, { RemoteRequests }, { SubsonicApi }, { NativeApi }] = await Promise.all([
    import('./remote/remote-storage.js'),
    import('./remote/remote-requests.js'),
    import('./remote/subsonic-api.js'),
    import('./remote/native-api.js'),
  ]);
  const requests = new RemoteRequests(settings.outbound, address.url, settings.instance);
  const Api = address.type === 'subsonic' ? SubsonicApi : NativeApi;
  return new RemoteStorage(new Api(requests, settings.credentials));
};
