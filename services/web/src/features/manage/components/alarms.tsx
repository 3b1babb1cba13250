import type { ReactNode } from 'react';
import type { Managed } from '../api.js';
import styles from '../manage.module.css';
import { LOOK_EVERY_MS, useItems } from './use-items.js';

/** Parts without which nothing works: the servers, and the logs of events. */
const VITAL = /^(?:nats$|database$|log )/;

const faultsOf = ({ parts }: Managed['Replica']): readonly string[] =>
  Object.entries(parts).flatMap(([part, state]) => (VITAL.test(part) && state !== 'ok' ? [`${part}: ${state}`] : []));

/** Faults of the servers and logs that keep the services from working, each sentence once; shown on every managing view. */
export const Alarms = (): ReactNode => {
  const faults = new Set(useItems('/replicas', {}, LOOK_EVERY_MS).flatMap(faultsOf));
  return (
    <div role="alert" className={styles['alarms']}>
      {[...faults].map((fault) => (
        <p key={fault}>{fault}</p>
      ))}
    </div>
  );
};
