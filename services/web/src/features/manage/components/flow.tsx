import { useInfiniteQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { listQuery, type Managed } from '../api.js';
import { count } from '../format.js';
import styles from '../manage.module.css';
import { m } from '../messages/index.js';
import { rateOf, sampleOf, type FlowSample } from './flow-rates.js';
import { LOOK_EVERY_MS } from './use-items.js';

type Projection = Managed['Projection'];

const rateText = (perS: number): string => (perS === 0 ? '' : `, ${m.perSecond(count(perS < 1 ? 1 : Math.round(perS)))}`);

/** How far a projection is, as a text; its fault when it has one. */
const stateOf = ({ live, building }: Projection): { readonly text: string; readonly isBad: boolean } => {
  const shown = live ?? building;
  if (!shown) return { text: m.none, isBad: true };
  if (shown.fault !== null) return { text: shown.fault, isBad: true };
  const { lagEvents } = shown;
  return { text: lagEvents ? m.behindBy(count(lagEvents)) : m.upToDate, isBad: false };
};

/** A line of the picture from a stream to one of its projections; a dot runs along it while events do. */
const Branch = ({ projection, perS }: { readonly projection: Projection; readonly perS: number }): ReactNode => {
  const { text, isBad } = stateOf(projection);
  const isBehind = (projection.live?.lagEvents ?? 0) > 0;
  return (
    <li className={styles['branch']} data-flows={perS > 0 || undefined} data-behind={isBehind || undefined}>
      <strong>{projection.name}</strong>{' '}
      <span className={isBad ? styles['bad'] : styles['dim']}>{`${text}${isBad ? '' : rateText(perS)}`}</span>
    </li>
  );
};

/** Streams of the log and the projections that follow each of them, with rates and lag, as they are at the moment. */
export const Flow = (): ReactNode => {
  const { data, dataUpdatedAt } = useInfiniteQuery(listQuery('/projections', {}, LOOK_EVERY_MS));
  const [samples, setSamples] = useState<{ readonly now: FlowSample; readonly before?: FlowSample }>();
  const projections = data?.pages.flatMap(({ items }) => items) ?? [];
  if (data && samples?.now.atMs !== dataUpdatedAt)
    setSamples({ now: sampleOf(projections, dataUpdatedAt), ...(samples ? { before: samples.now } : {}) });
  if (projections.length === 0 || !samples) return null;
  const { now, before } = samples;
  return (
    <section className={styles['section']} aria-label={m.flow}>
      <header className={styles['head']}>
        <h2>{m.flow}</h2>
      </header>
      <p className={styles['text']}>{m.flowText}</p>
      <ul className={styles['flow']}>
        {[...Map.groupBy(projections, ({ stream }) => stream)].map(([stream, followers]) => (
          <li key={stream} className={styles['stream']}>
            <div className={styles['source']}>
              <strong>{stream}</strong>
              <span
                className={styles['dim']}
              >{`${m.eventsIn(count(followers[0]?.logEnd ?? 0))}${rateText(rateOf(stream, now, before))}`}</span>
            </div>
            <ul className={styles['branches']}>
              {followers.map((projection) => (
                <Branch key={projection.name} projection={projection} perS={rateOf(projection.name, now, before)} />
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </section>
  );
};
