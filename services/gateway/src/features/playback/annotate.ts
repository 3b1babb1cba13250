import { flagObjects, MAX_FLAGGED_AT_ONCE, rateObject, Rejection } from '@continuo/contracts';
import { runCommand } from '../../server/commands.js';
import type { CallerWith } from '../../server/requests/request-context.js';
import { firstAbsent, type AnnotatedObject } from '../../kinds/visible-objects.reads.js';
import type { HasReadModel } from '../../reads/database/database.js';
import type { HasCommands, HasConfig } from '../../server/needs.js';

/** Caller that rates or flags objects. */
export type Annotator = CallerWith<HasReadModel & HasCommands & HasConfig>;

/** A rating or a favourite flag. */
export type Opinion =
  | { readonly rating: number }
  /** `flaggedAtMs` sets another time than now. */
  | { readonly flagged: boolean; readonly flaggedAtMs?: number | undefined };

/** Outcome per object: stored, or not found for this user. */
export interface Annotated {
  readonly absent?: AnnotatedObject;
}

/** Most objects in one call. */
const MAX_OBJECTS = 10_000;

/**
 * Stores a rating or flag for some objects; for none if one of them is not found. Up to 1000 favourites are one atomic write. Resolves when
 * the user's next read shows it.
 * @throws Rejection `feature.disabled` when ratings are off, `input.too-large` for more than 10,000 objects
 */
export const annotate = async (annotator: Annotator, objects: readonly AnnotatedObject[], opinion: Opinion): Promise<Annotated> => {
  const { services, context, viewer } = annotator;
  if (!services.config.RATINGS) throw new Rejection('feature.disabled', 'Ratings and favourites are switched off', 'ratings');
  if (objects.length > MAX_OBJECTS) throw new Rejection('input.too-large', `At most ${MAX_OBJECTS} things at a time`);
  const absent = await firstAbsent(services.db, viewer, objects);
  if (absent) return { absent };
  const userId = context.caller.account.id;
  if ('rating' in opinion) {
    for (const object of objects) await runCommand(services, context, rateObject, { userId, ...object, rating: opinion.rating });
    return {};
  }
  for (let from = 0; from < objects.length; from += MAX_FLAGGED_AT_ONCE) {
    const some = objects.slice(from, from + MAX_FLAGGED_AT_ONCE);
    await runCommand(services, context, flagObjects, { userId, ...opinion, objects: some });
  }
  return {};
};
