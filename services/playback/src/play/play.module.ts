import type { ServiceDependencies } from '@continuo/chassis';
import { Module, type DynamicModule } from '@nestjs/common';
import { AGGREGATES, PlayController } from './play.controller.js';

/** Play recording as a Nest module. */
@Module({})
export class PlayModule {
  /** The module over the chassis' aggregate runner. */
  static over(deps: Pick<ServiceDependencies, 'aggregates'>): DynamicModule {
    return {
      module: PlayModule,
      controllers: [PlayController],
      providers: [{ provide: AGGREGATES, useValue: deps.aggregates }],
    };
  }
}
