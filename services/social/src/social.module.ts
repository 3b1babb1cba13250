import type { AggregateRunner } from '@continuo/chassis';
import { Module, type DynamicModule } from '@nestjs/common';
import { AccessListController, AGGREGATES } from './access/access-list.controller.js';
import { AnnotationController } from './annotation/annotation.controller.js';
import type { RegistrationTools } from './user/register-user.js';
import { REGISTRATION_TOOLS, UserController } from './user/user.controller.js';
import { VisibilityController } from './visibility/visibility.controller.js';

/** Accounts, the access list, ratings and favourites as a Nest module. */
@Module({})
export class SocialModule {
  /** The module over the chassis' aggregate runner and the tools of registration. */
  static over(aggregates: AggregateRunner, tools: RegistrationTools): DynamicModule {
    return {
      module: SocialModule,
      controllers: [UserController, AccessListController, VisibilityController, AnnotationController],
      providers: [
        { provide: AGGREGATES, useValue: aggregates },
        { provide: REGISTRATION_TOOLS, useValue: tools },
      ],
    };
  }
}
