import { poll } from '@continuo/chassis';
import { eventStreams, eventSubject, Rejection } from '@continuo/contracts';
import { jetstreamManager, JetStreamApiError } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';

/** Projection of the catalog groups, and its only aggregate. */
const PROJECTION = 'social-catalog-groups';
const SUBJECT = eventSubject('social', 'catalog-groups', 1);
/** Longest wait for the projection, ms. */
const PATIENCE_MS = 2000;
const PAUSE_MS = 20;
const NO_MESSAGE = 10_037;
const NO_STREAM = 10_059;

/** Dependencies of {@link waitForCatalogGroups}. */
export interface CatalogGroupReads {
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
export const waitForCatalogGroups = async ({ nats, readCheckpoints }: CatalogGroupReads): Promise<void> => {
  const wanted = await lastChange(nats);
  if (wanted === 0) return;
  const isProjected = async (): Promise<true | undefined> => ((await readCheckpoints()).get(PROJECTION) ?? 0) >= wanted || undefined;
  if (!(await poll(isProjected, { everyMs: PAUSE_MS, withinMs: PATIENCE_MS })))
    throw new Rejection('unavailable', 'the groups of catalogs are not in the tables yet');
};
