import type { ReactNode } from 'react';
import { count, size } from '../format.js';
import styles from '../manage.module.css';
import { m } from '../messages/index.js';
import { linePath, pointsOf, type LoadPoint } from './load-series.js';
import { useItems } from './use-items.js';

const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;
const WIDTH = 300;
const HEIGHT = 60;
/** As many as the server answers at once: a day of one gateway, or the last hours of several. */
const ALL = { query: { limit: 500 } } as const;
const GATEWAY = { query: { limit: 500, service: 'gateway' } } as const;

type Series = Exclude<keyof LoadPoint, 'atMs'>;

const decimal = (value: number): string => count(Math.round(value * 100) / 100);
const TEXTS: Readonly<Record<Series, (value: number) => string>> = {
  requestsPerS: decimal,
  p95Ms: (value) => `${count(value)} ms`,
  listeners: count,
  runningScans: count,
  memoryBytes: size,
  lagEvents: count,
};

/** The way to charts of a longer time, where the operator has said where they are. */
const GrafanaLink = (): ReactNode => {
  const url = useItems('/settings', GATEWAY).find(({ name }) => name === 'GRAFANA_URL')?.value;
  return url ? <a href={url}>{m.grafana}</a> : null;
};

const Chart = ({ series, points }: { readonly series: Series; readonly points: readonly LoadPoint[] }): ReactNode => {
  const [toMs, textOf] = [points.at(-1)?.atMs ?? 0, TEXTS[series]];
  const values = points.map((point) => [point.atMs, point[series]] as const);
  const most = Math.max(...values.map(([, value]) => value));
  const now = values.at(-1)?.[1] ?? 0;
  return (
    <figure className={styles['chart']}>
      <figcaption>
        {m.load[series]} <span className={styles['dim']}>{m.nowAndMost(textOf(now), textOf(most))}</span>
      </figcaption>
      <svg viewBox={`0 -2 ${WIDTH} ${HEIGHT + 4}`} preserveAspectRatio="none" aria-hidden>
        <path d={linePath(values, { fromMs: toMs - DAY_MS, toMs, most: Math.max(most, Number.MIN_VALUE), width: WIDTH, height: HEIGHT })} />
      </svg>
    </figure>
  );
};

/** Charts of the last day: a few numbers that tell whether the server was well. */
export const LoadCharts = (): ReactNode => {
  const points = pointsOf(useItems('/load-samples', ALL, MINUTE_MS));
  if (points.length === 0) return null;
  return (
    <section className={styles['section']} aria-label={m.lastDay}>
      <header className={styles['head']}>
        <h2>{m.lastDay}</h2>
        <GrafanaLink />
      </header>
      <div className={styles['charts']}>
        {(Object.keys(TEXTS) as Series[]).map((series) => (
          <Chart key={series} series={series} points={points} />
        ))}
      </div>
    </section>
  );
};
