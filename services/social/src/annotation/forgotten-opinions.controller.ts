import { decision, HandlesEvents, type AggregateRunner, type JobDelivery, type RecordedOf } from '@continuo/chassis';
import { userDeleted, type AnnotatedKind, type UserId } from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import { AGGREGATES } from '../access/access-list.controller.js';
import { annotations, annotationsId } from './annotations.decider.js';
import type { Opinion, OpinionsInView } from './opinions-in-view.js';

/** Injection token of the {@link OpinionsInView}. */
export const OPINIONS = Symbol('OpinionsInView');

/** The aggregates that hold some opinions, with the kind of things in each. */
const blocksOf = (userId: UserId, opinions: readonly Opinion[]): ReadonlyMap<string, AnnotatedKind> =>
  new Map(opinions.map(({ kind, objectId }) => [annotationsId(userId, kind, objectId), kind]));

/** Takes back what deleted accounts thought of things. */
@Controller()
export class ForgottenOpinionsController {
  constructor(
    @Inject(AGGREGATES) private readonly aggregates: AggregateRunner,
    @Inject(OPINIONS) private readonly opinions: OpinionsInView,
  ) {}

  /** Ratings of whoever was deleted count no more: nobody could take them back. A block at a time, so that being tried again goes on where it was. */
  @HandlesEvents('identity', 'forget-opinions', [userDeleted], { startFrom: 'all', aggregates: ['user'] })
  async forget({ id, at, data: { userId } }: RecordedOf<typeof userDeleted>, delivery: JobDelivery): Promise<void> {
    const { actor, correlationId, causationId } = delivery;
    for (const [block, kind] of blocksOf(userId, await this.opinions.ofUser(userId))) {
      const meta = { actor, correlationId, causationId, commandId: `${id}-${block}`, at };
      await this.aggregates.run([decision(annotations, block, { type: 'forget', userId, kind })], meta);
    }
  }
}
