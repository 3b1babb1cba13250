import type { ReactNode } from 'react';
import { t } from '../messages/index.js';
import styles from './bar-chart.module.css';

/** A value of a chart. */
export interface ChartBar {
  /** Below the bar; empty where there is no room for all names. */
  readonly mark: string;
  readonly name: string;
  readonly value: number;
}

const HEIGHT = 100;
const GAP = 0.2;

/** Bars over names, and the same as a table for who does not see them or wants the numbers. */
export const BarChart = ({
  title,
  bars,
  textOf,
}: {
  readonly title: string;
  readonly bars: readonly ChartBar[];
  readonly textOf: (value: number) => string;
}): ReactNode => {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <figure className={styles['chart']}>
      <figcaption>{title}</figcaption>
      <svg viewBox={`0 0 ${bars.length} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
        {bars.map(({ name, value }, at) => (
          <rect key={name} x={at + GAP / 2} y={HEIGHT - (value / most) * HEIGHT} width={1 - GAP} height={(value / most) * HEIGHT}>
            <title>{`${name}: ${textOf(value)}`}</title>
          </rect>
        ))}
      </svg>
      <div className={styles['marks']} aria-hidden>
        {bars.map(({ name, mark }) => (
          <span key={name}>{mark}</span>
        ))}
      </div>
      <details>
        <summary>{t.asTable(title)}</summary>
        <table>
          <tbody>
            {bars.map(({ name, value }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{textOf(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
};
