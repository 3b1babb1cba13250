import {
  decision,
  decisionMeta,
  done,
  HandlesCommand,
  KeyedMutex,
  retryConflicts,
  AGGREGATES,
  type AggregateRunner,
  type Decision,
  type Handled,
} from '@continuo/chassis';
import { flagObjects, rateObject, type AnnotatedKind, type CommandMessage } from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { annotations, annotationsId, type AnnotationCommand } from './annotations.decider.js';

type Done = Handled<Record<string, never>>;
type Flagging = z.output<typeof flagObjects.schema>;

/** Rounds of the runner's own tries against other replicas: opinions of one user never exclude each other, so that trying again is always right. */
const ROUNDS = 3;

/** Answers the commands about ratings and favourites. */
@Controller()
export class AnnotationController {
  readonly #mutex = new KeyedMutex();

  constructor(@Inject(AGGREGATES) private readonly aggregates: AggregateRunner) {}

  /** Sets or takes back a rating. */
  @HandlesCommand(rateObject)
  rate(message: CommandMessage<z.output<typeof rateObject.schema>>): Promise<Done> {
    const { userId, kind, objectId } = message.data;
    return this.#run(message, [decision(annotations, annotationsId(userId, kind, objectId), { type: 'rate', ...message.data })]);
  }

  /** Makes things favourites or takes them off; all of it is one append. */
  @HandlesCommand(flagObjects)
  flag(message: CommandMessage<Flagging>): Promise<Done> {
    return this.#run(message, flagDecisions(message.data, message.at));
  }

  /** Clients send whole lists of favourites at once, one call each: calls of one user take turns instead of conflicting. */
  #run(message: CommandMessage<{ userId: number }>, decisions: readonly Decision[]): Promise<Done> {
    const work = (): Promise<Done> => done(this.aggregates.run(decisions, decisionMeta(message)));
    return this.#mutex.run(message.data.userId, () => retryConflicts(ROUNDS, work));
  }
}

/** One decision per aggregate that the things belong to. */
const flagDecisions = ({ userId, flagged, flaggedAtMs, objects }: Flagging, nowMs: number): Decision[] => {
  const groups = new Map<string, { kind: AnnotatedKind; objectIds: number[] }>();
  for (const { kind, objectId } of objects) {
    const id = annotationsId(userId, kind, objectId);
    const group = groups.get(id);
    if (group) group.objectIds.push(objectId);
    else groups.set(id, { kind, objectIds: [objectId] });
  }
  return [...groups].map(([id, about]) => {
    const command: AnnotationCommand = flagged
      ? { type: 'flag', userId, ...about, flaggedAtMs, nowMs }
      : { type: 'unflag', userId, ...about };
    return decision(annotations, id, command);
  });
};
