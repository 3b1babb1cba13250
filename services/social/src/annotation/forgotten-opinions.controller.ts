import { decision, HandlesEvents, AGGREGATES, type AggregateRunner, type JobDelivery, type RecordedOf } from '@continuo/chassis';
import { userDeleted, type AnnotatedKind, type UserId } from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import { annotations, annotationsId } from './annotations.decider.js';
import type { Opinion, AnnotationReads } from './annotation-reads.js';

/** Injection token of the {@link AnnotationReads}. */
export const OPINIONS = Symbol('AnnotationReads');

/** The aggregates that hold some opinions, with the kind of things in each. */
const blocksOf = (userId: UserId, opinions: readonly Opinion[]): ReadonlyMap<string, AnnotatedKind> =>
  new Map(opinions.map(({ kind, objectId }) => [annotationsId(userId, kind, objectId), kind]));

/** Takes back what deleted accounts thought of things. */
@Controller()
export class ForgottenOpinionsController {
  constructor(
    @Inject(AGGREGATES) private readonly aggregates: AggregateRunner,
    @Inject(OPINIONS) private readonly opinions: AnnotationReads,
  ) {}

  /** Removes ratings of deleted accounts from the averages: nobody could take them back. A block at a time, so that a retry goes on where it was. */
  @HandlesEvents('identity', 'forget-opinions', [userDeleted], { startFrom: 'all', aggregates: ['user'] })
  async forget({ id, at, data: { userId } }: RecordedOf<typeof userDeleted>, delivery: JobDelivery): Promise<void> {
    const { actor, correlationId, causationId } = delivery;
    for (const [block, kind] of blocksOf(userId, await this.opinions.ofUser(userId))) {
      const meta = { actor, correlationId, causationId, commandId: `${id}-${block}`, at };
      await this.aggregates.run([decision(annotations, block, { type: 'forget', userId, kind })], meta);
    }
  }
}
