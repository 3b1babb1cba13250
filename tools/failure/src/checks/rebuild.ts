import { rebuildSubject, listDeadLetters, type RebuildReport } from '@continuo/chassis';
import type { NatsConnection } from '@nats-io/transport-node';
import { noneOf, type Finding } from './finding.js';

const REBUILD_MS = 120_000;

/** Has a projection, usually the catalogue, rebuilt into empty tables beside the live ones and compared with them byte for byte. */
export const checkRebuild = async (nats: NatsConnection, projection = 'library-catalogue'): Promise<Finding> => {
  const check = 'rebuild into empty tables: differing';
  const answer = await nats.request(rebuildSubject(projection), JSON.stringify({ mode: 'verify' }), { timeout: REBUILD_MS });
  const outcome = answer.json<{ ok: true; report: RebuildReport } | { ok: false; message: string }>();
  if (!outcome.ok) return { check, ok: false, detail: outcome.message };
  const { differing, digests, position } = outcome.report;
  return noneOf(check, differing, `none of ${Object.keys(digests).length} tables at position ${position}`);
};

/** Nothing may have been given up. */
export const checkDeadLetters = async (nats: NatsConnection): Promise<Finding> => {
  const letters: string[] = [];
  for await (const letter of listDeadLetters(nats)) letters.push(`${letter.subject}: ${letter.reason}`);
  return noneOf('dead letters', letters);
};
