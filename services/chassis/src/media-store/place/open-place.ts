import type { CatalogCredentials, PlaceAddress } from '@continuo/contracts';
import type { OutboundClient } from '../../outbound/outbound-client.js';
import type { FilePlace } from './file-place.js';

/** A place, with all that is needed to ask it. */
export interface PlaceSettings {
  readonly address: PlaceAddress;
  /** Of S3 storage. */
  readonly region: string;
  readonly credentials: CatalogCredentials;
  readonly outbound: OutboundClient;
  /** Which server asks. */
  readonly instance: string;
}

/** Opens a place. What a kind of place needs is loaded when the first one is opened: most servers have folders only. */
export const openPlace = async ({ address, ...settings }: PlaceSettings): Promise<FilePlace> => {
  if (address.type === 's3') {
    const { S3Place } = await import('./s3/s3-place.js');
    return new S3Place({ ...settings, address });
  }
  const [{ RemotePlace }, { RemoteRequests }, { SubsonicApi }, { NativeApi }] = await Promise.all([
    import('./remote/remote-place.js'),
    import('./remote/remote-requests.js'),
    import('./remote/subsonic-api.js'),
    import('./remote/native-api.js'),
  ]);
  const requests = new RemoteRequests(settings.outbound, address.url, settings.instance);
  const Api = address.type === 'subsonic' ? SubsonicApi : NativeApi;
  return new RemotePlace(new Api(requests, settings.credentials));
};
