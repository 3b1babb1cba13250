import { errors } from '@nats-io/transport-node';
import { z } from 'zod';
import { searchIndexNames, searchStatusSubject } from '@continuo/search-index';
import type { Session } from '../connect/session.js';
import { ok, reasonOf, warning, type Finding } from './finding.js';

const PATIENCE_MS = 2000;
const answer = z.object({ index: z.string(), role: z.string(), position: z.number(), fault: z.string().optional() });

/** The question came to nothing; the cause is NATS' reason. */
class Unanswered {
  readonly cause: unknown;

  constructor(cause: unknown) {
    this.cause = cause;
  }
}

/** Nobody listens where an index has no keeper; Meilisearch is a matter of choice. Whoever listens and is silent stands still. */
const explain = (index: string, subject: string, cause: unknown): Finding | undefined => {
  if (!(cause instanceof errors.RequestError && cause.isNoResponders()))
    return warning(subject, `its keeper does not answer (${reasonOf(cause)})`, 'see the log of the library');
  return index === 'meilisearch' ? undefined : warning(subject, 'nobody keeps it', 'is the library running?');
};

/** Checks each search index by its indexer. An index without indexer is no fault: searches ask the next one. */
export const checkSearchIndexes = async ({ nats }: Pick<Session, 'nats'>): Promise<Finding[]> => {
  const findings = await Promise.all(
    searchIndexNames.map(async (index): Promise<Finding | undefined> => {
      const subject = `Search index ${index}`;
      const reply = await nats
        .request(searchStatusSubject(index), '', { timeout: PATIENCE_MS })
        .catch((error: unknown) => new Unanswered(error));
      if (reply instanceof Unanswered) return explain(index, subject, reply.cause);
      const { position, fault, role } = answer.parse(reply.json());
      return fault === undefined
        ? ok(subject, `${role}, position ${position}`)
        : warning(
            subject,
            fault,
            index === 'meilisearch' ? 'is Meilisearch running, and MEILI_URL right?' : '"continuo search rebuild" makes it anew',
          );
    }),
  );
  return findings.filter((finding) => finding !== undefined);
};
