import type { ReactNode } from 'react';
import { hoursAndMinutes } from '../../../lib/format.js';
import { t } from '../../../messages/index.js';
import { BarChart } from '../../../ui/bar-chart.js';
import type { ListeningSums } from '../sums.js';
import styles from './statistics.module.css';

const language = document.documentElement.lang;
const named = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(language, { timeZone: 'UTC', ...options });
const [MONTH, SHORT_MONTH, WEEKDAY, SHORT_WEEKDAY, DAY] = [
  named({ month: 'long' }),
  named({ month: 'narrow' }),
  named({ weekday: 'long' }),
  named({ weekday: 'short' }),
  named({ dateStyle: 'medium' }),
];
const MS_PER_DAY = 86_400_000;
/** A Monday. */
const MONDAY_MS = Date.UTC(2024, 0, 1);
/** Hours with a name below them. */
const MARKED_HOURS = 6;

/** Every day of a year, also those on which nothing was heard. */
const daysOf = (year: number, days: ReadonlyMap<string, number>) => {
  const first = Date.UTC(year, 0, 1);
  const count = (Date.UTC(year + 1, 0, 1) - first) / MS_PER_DAY;
  return Array.from({ length: count }, (_, at) => {
    const date = new Date(first + at * MS_PER_DAY);
    const mark = date.getUTCDate() === 1 ? SHORT_MONTH.format(date) : '';
    return { mark, name: DAY.format(date), value: days.get(date.toISOString().slice(0, 10)) ?? 0 };
  });
};

/** Charts of a year: by day, month, day of the week and hour. */
export const Charts = ({
  year,
  sums: { hours, weekdays, months, days },
}: {
  readonly year: number;
  readonly sums: ListeningSums;
}): ReactNode => {
  const charts = [
    {
      title: t.byMonth,
      bars: months.map((value, at) => ({
        mark: SHORT_MONTH.format(Date.UTC(year, at, 1)),
        name: MONTH.format(Date.UTC(year, at, 1)),
        value,
      })),
    },
    {
      title: t.byWeekday,
      bars: weekdays.map((value, at) => ({
        mark: SHORT_WEEKDAY.format(MONDAY_MS + at * MS_PER_DAY),
        name: WEEKDAY.format(MONDAY_MS + at * MS_PER_DAY),
        value,
      })),
    },
    {
      title: t.byHour,
      bars: hours.map((value, at) => ({ mark: at % MARKED_HOURS === 0 ? String(at) : '', name: t.hourOfDay(at), value })),
    },
  ];
  return (
    <>
      <BarChart title={t.byDay} bars={daysOf(year, days)} textOf={hoursAndMinutes} />
      <div className={styles['charts']}>
        {charts.map((chart) => (
          <BarChart key={chart.title} {...chart} textOf={hoursAndMinutes} />
        ))}
      </div>
    </>
  );
};
