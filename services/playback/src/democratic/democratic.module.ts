import type { ServiceDependencies } from '@continuo/chassis';
import { Module, type DynamicModule } from '@nestjs/common';
import { DEMOCRATIC_AGGREGATES, DemocraticController, VOTES } from './democratic.controller.js';
import { votesInView } from './votes-in-view.js';

/** Voting for what plays next, as a Nest module. */
@Module({})
export class DemocraticModule {
  /** The module over the chassis' aggregate runner and the published votes. */
  static over(deps: Pick<ServiceDependencies, 'aggregates' | 'db' | 'eventStore'>): DynamicModule {
    return {
      module: DemocraticModule,
      controllers: [DemocraticController],
      providers: [
        { provide: DEMOCRATIC_AGGREGATES, useValue: deps.aggregates },
        { provide: VOTES, useValue: votesInView(deps.db, deps.eventStore) },
      ],
    };
  }
}
