import { setTimeout as delay } from 'node:timers/promises';
import { eventStreams, eventSubject, Rejection } from '@continuo/contracts';
import { jetstreamManager, JetStreamApiError } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';

/** The projection that says who belongs to which group of catalogs, and the one aggregate that it reads. */
const PROJECTION = 'social-catalog-groups';
const SUBJECT = eventSubject('social', 'catalog-groups', 1);
/** How long a reading waits for a change that is on its way into the tables, ms. */
const PATIENCE_MS = 2000;
const PAUSE_MS = 20;
const NO_MESSAGE = 10_037;
const NO_STREAM = 10_059;

/** What is needed to tell whether the tables know all groups. */
export interface GroupsInView {
  readonly nats: NatsConnection;
  /** Position up to which each projection has been applied. */
  readonly readCheckpoints: () => Promise<ReadonlyMap<string, number>>;
}

/** Position of the last event about groups; 0 when there is none. */
const lastChange = async (nats: NatsConnection): Promise<number> => {
  try {
    const { streams } = await jetstreamManager(nats, { checkAPI: false });
    return (await streams.getMessage(eventStreams.social, { last_by_subj: SUBJECT }))?.seq ?? 0;
  } catch (error) {
    if (error instanceof JetStreamApiError && [NO_MESSAGE, NO_STREAM].includes(error.code)) return 0;
    throw error;
  }
};

/**
 * Resolves once the tables hold every group of catalogs that the log knows. An account without a group sees everything, so tables that are being filled
 * anew, after a loss of the database, would open what is hidden.
 * @throws Rejection `unavailable` when they do not within two seconds
 */
export const groupsInView = async ({ nats, readCheckpoints }: GroupsInView): Promise<void> => {
  const wanted = await lastChange(nats);
  if (wanted === 0) return;
  for (let waitedMs = 0; ; waitedMs += PAUSE_MS) {
    if (((await readCheckpoints()).get(PROJECTION) ?? 0) >= wanted) return;
    if (waitedMs >= PATIENCE_MS) throw new Rejection('unavailable', 'the groups of catalogs are not in the tables yet');
    await delay(PAUSE_MS);
  }
};
