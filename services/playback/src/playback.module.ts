import type { ServiceDependencies } from '@continuo/chassis';
import { Module, type DynamicModule } from '@nestjs/common';
import type { PlaybackConfig } from './config.js';
import { BookmarkModule } from './bookmark/bookmark.module.js';
import { DemocraticModule } from './democratic/democratic.module.js';
import { LocalplayModule } from './localplay/localplay.module.js';
import { PlayModule } from './play/play.module.js';
import { RelayModule } from './relay/relay.module.js';

/** All parts of the playback service as one Nest module. */
@Module({})
export class PlaybackModule {
  /** The parts over what the chassis gives every service. */
  static over(deps: ServiceDependencies<PlaybackConfig>): DynamicModule {
    return {
      module: PlaybackModule,
      imports: [
        BookmarkModule.over(deps),
        PlayModule.over(deps),
        DemocraticModule.over(deps),
        LocalplayModule.over(deps.config),
        RelayModule.over(deps),
      ],
    };
  }
}
