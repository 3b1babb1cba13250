import { searchIndexNames, searchStatusSubject } from '@continuo/chassis';
import { z } from 'zod';
import type { Session } from '../connect/session.js';
import { ok, warning, type Finding } from './finding.js';

const PATIENCE_MS = 2000;
const answer = z.object({ index: z.string(), role: z.string(), position: z.number(), fault: z.string().optional() });

/** What keeps an index says that it works. An index that nobody keeps is no fault: searches ask the next one. */
export const checkSearchIndexes = async ({ nats }: Pick<Session, 'nats'>): Promise<Finding[]> => {
  const findings = await Promise.all(
    searchIndexNames.map(async (index): Promise<Finding | undefined> => {
      const reply = await nats.request(searchStatusSubject(index), '', { timeout: PATIENCE_MS }).catch(() => undefined);
      const subject = `Search index ${index}`;
      if (!reply && index === 'meilisearch') return undefined;
      if (!reply) return warning(subject, 'nobody keeps it', 'is the library running?');
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
