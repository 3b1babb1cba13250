import { flagObjects, MAX_FLAGGED_AT_ONCE, rateObject, Rejection } from '@continuo/contracts';
import { runCommand } from '../commands.js';
import type { CallerContext } from '../http/request-context.js';
import { firstAbsent, type AnnotatedObject } from '../reads/annotated-objects.reads.js';
import type { Viewer } from '../reads/viewer.js';
import type { GatewayServices } from '../services.js';

/** Who says something of things, and over what it goes. */
export interface Annotator {
  readonly services: Pick<GatewayServices, 'db' | 'commands' | 'watch' | 'config'>;
  readonly context: CallerContext;
  readonly viewer: Viewer;
}

/** What a user says of things: one way for every surface. */
export type Opinion =
  | { readonly rating: number }
  /** `flaggedAtMs` puts a favourite at another time than now. */
  | { readonly flagged: boolean; readonly flaggedAtMs?: number | undefined };

/** What became of it: done, or not done because this thing is not there for the user. */
export interface Annotated {
  readonly absent?: AnnotatedObject;
}

/** As many things as one call may name. */
const MAX_OBJECTS = 10_000;

/**
 * Keeps what a user says of some things; when one of them is not there, of none. Up to a thousand favourites are one write, all or nothing. Done when the user's next
 * read shows it.
 * @throws Rejection `feature.disabled` when ratings are off, `input.too-large` for more than ten thousand things
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
