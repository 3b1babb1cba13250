import { SERVICE_DEPENDENCIES, type ServiceDependencies } from '@continuo/chassis';
import { openArtStore, type ArtStore } from '@continuo/media-store';
import type { Provider } from '@nestjs/common';
import type { IngestionConfig } from './config.js';

/** Injection token of the {@link ArtStore}. */
export const ART_STORE = Symbol('ArtStore');

/** Opens the picture store. */
export const artStoreProvider: Provider = {
  provide: ART_STORE,
  useFactory: ({ config, nats }: ServiceDependencies<IngestionConfig>): Promise<ArtStore> =>
    openArtStore(config, { nats, replicas: config.NATS_REPLICAS }),
  inject: [SERVICE_DEPENDENCIES],
};
