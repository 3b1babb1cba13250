import { DATABASE, SERVICE_DEPENDENCIES, type ServiceDependencies } from '@continuo/chassis';
import type { ArtStore } from '@continuo/media-store';
import type { Provider } from '@nestjs/common';
import { ART_STORE } from '../art-store.provider.js';
import type { IngestionConfig } from '../config.js';
import { ArtistInfo } from './artist-info.js';
import { factsSubjects, type FactsSubjects } from './facts-subjects.reads.js';
import { FoundArt } from './found-art.js';
import { FACTS_SUBJECTS } from './metadata.controller.js';
import { Providers } from './providers.js';

type Dependencies = ServiceDependencies<IngestionConfig>;

const artistInfo = ({ commands, now }: Dependencies, providers: Providers, subjects: FactsSubjects): ArtistInfo =>
  new ArtistInfo({ plugins: () => providers.host(), subjects, commands, now });

const foundArt = ({ commands, config, log }: Dependencies, providers: Providers, subjects: FactsSubjects, store: ArtStore): FoundArt =>
  new FoundArt({
    plugins: () => providers.host(),
    subjects,
    outbound: providers.outbound,
    store,
    commands,
    limits: { maxBytes: config.SCAN_MAX_PICTURE_BYTES, maxPixels: config.SCAN_MAX_PICTURE_PIXELS },
    log,
  });

/** Providers of the external metadata. */
export const metadataProviders: Provider[] = [
  Providers,
  { provide: FACTS_SUBJECTS, useFactory: factsSubjects, inject: [DATABASE] },
  { provide: ArtistInfo, useFactory: artistInfo, inject: [SERVICE_DEPENDENCIES, Providers, FACTS_SUBJECTS] },
  { provide: FoundArt, useFactory: foundArt, inject: [SERVICE_DEPENDENCIES, Providers, FACTS_SUBJECTS, ART_STORE] },
];
