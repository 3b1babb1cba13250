import { join } from 'node:path';
import { LocalArtStore, type ServiceDependencies } from '@continuo/chassis';
import { Module, type DynamicModule } from '@nestjs/common';
import type { IngestionConfig } from '../config.js';
import { ArtistInfo } from './artist-info.js';
import { factsSubjects } from './facts-subjects.reads.js';
import { FoundArt } from './found-art.js';
import { MetadataController } from './metadata.controller.js';
import { providersOf } from './providers.js';
import { ARTIST_INFO, FACTS_SUBJECTS, FOUND_ART, PROVIDERS } from './tokens.js';

/** What plug-ins know, as a Nest module. */
@Module({})
export class MetadataModule {
  /** The module over what the chassis hands out. */
  static over(deps: ServiceDependencies<IngestionConfig>): DynamicModule {
    const { commands, config, db, log, now } = deps;
    const providers = providersOf(deps);
    const plugins = () => providers.host();
    const subjects = factsSubjects(db);
    const art = new FoundArt({
      plugins,
      subjects,
      outbound: providers.outbound,
      store: new LocalArtStore(join(config.CONTINUO_DATA, 'art')),
      commands,
      limits: { maxBytes: config.SCAN_MAX_PICTURE_BYTES, maxPixels: config.SCAN_MAX_PICTURE_PIXELS },
      log,
    });
    return {
      module: MetadataModule,
      controllers: [MetadataController],
      providers: [
        { provide: PROVIDERS, useValue: providers },
        { provide: FACTS_SUBJECTS, useValue: subjects },
        { provide: ARTIST_INFO, useValue: new ArtistInfo({ plugins, subjects, commands, now }) },
        { provide: FOUND_ART, useValue: art },
      ],
    };
  }
}
