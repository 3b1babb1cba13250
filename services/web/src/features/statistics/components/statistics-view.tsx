import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { hoursAndMinutes } from '../../../lib/format.js';
import { t } from '../../../messages/index.js';
import { Choice } from '../../../ui/fields.js';
import { Notice, QueryState, View } from '../../../ui/view.js';
import { listeningQuery } from '../queries.js';
import { currentStreak, streaksOf, sumsOf } from '../sums.js';
import { Charts } from './charts.js';
import { HeardLists } from './heard-lists.js';
import styles from './statistics.module.css';

type Listening = Awaited<ReturnType<ReturnType<typeof listeningQuery>['queryFn']>>;

const language = document.documentElement.lang;
const NUMBER = new Intl.NumberFormat(language);
const DAY = new Intl.DateTimeFormat(language, { dateStyle: 'long' });
/** `2026-03-01` on the clock of this browser. */
const today = (): string => new Date().toLocaleDateString('sv');

const Fact = ({ name, value }: { readonly name: string; readonly value: string }): ReactNode => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

const Facts = ({ listening, days }: { readonly listening: Listening; readonly days: ReadonlyMap<string, number> }): ReactNode => {
  const streaks = streaksOf(days.keys());
  const longest = Math.max(0, ...streaks.map(({ length }) => length));
  const now = currentStreak(streaks, today());
  const [best] = [...days].toSorted(([, one], [, other]) => other - one);
  return (
    <dl className={styles['facts']}>
      <Fact name={t.timeHeard} value={hoursAndMinutes(listening.time)} />
      <Fact name={t.playsCounted} value={NUMBER.format(listening.plays)} />
      <Fact name={t.songsHeard} value={NUMBER.format(listening.songs)} />
      <Fact name={t.heardFirst} value={NUMBER.format(listening.new_songs)} />
      <Fact name={t.daysHeard} value={NUMBER.format(days.size)} />
      <Fact name={t.longestStreak} value={t.dayCount(longest)} />
      {now > 0 && <Fact name={t.currentStreak} value={t.dayCount(now)} />}
      {best && <Fact name={t.bestDay} value={`${DAY.format(new Date(`${best[0]}T12:00`))}, ${hoursAndMinutes(best[1])}`} />}
      {listening.first_play !== null && <Fact name={t.firstPlay} value={DAY.format(new Date(listening.first_play * 1000))} />}
    </dl>
  );
};

const YearChoice = ({ year, firstPlay }: { readonly year: number; readonly firstPlay: number | null }): ReactNode => {
  const navigate = useNavigate({ from: '/statistics' });
  const thisYear = new Date().getFullYear();
  const first = Math.min(year, firstPlay === null ? thisYear : new Date(firstPlay * 1000).getFullYear());
  const years = Array.from({ length: Math.max(thisYear, year) - first + 1 }, (_, at) => Math.max(thisYear, year) - at);
  return (
    <Choice
      label={t.year}
      options={years.map((one) => [one, String(one)])}
      chosen={year}
      onChoose={(chosen) => void navigate({ search: { year: chosen }, replace: true })}
    />
  );
};

/** Listening statistics of a year: totals, charts, most played, first plays. */
export const StatisticsView = (): ReactNode => {
  const { year = new Date().getFullYear() } = useSearch({ from: '/statistics' });
  const query = useQuery(listeningQuery(year));
  const sums = query.data && sumsOf(query.data.hour);
  return (
    <View title={t.statisticsOf(year)} tools={query.data && <YearChoice year={year} firstPlay={query.data.first_play} />}>
      <QueryState of={query} />
      {query.data?.plays === 0 && <Notice>{t.nothingHeard(year)}</Notice>}
      {query.data && sums && query.data.plays > 0 && (
        <div className={styles['view']}>
          <Facts listening={query.data} days={sums.days} />
          <Charts year={year} sums={sums} />
          <HeardLists year={year} />
        </div>
      )}
    </View>
  );
};
