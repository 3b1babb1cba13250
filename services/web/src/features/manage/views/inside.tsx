import { Hammer, Scale } from 'lucide-react';
import type { ReactNode } from 'react';
import { answered, manage, type Managed } from '../api.js';
import { Flow } from '../components/flow.js';
import { ItemTable, type Column, type RowAction } from '../components/item-table.js';
import { LoadCharts } from '../components/load-charts.js';
import { LOOK_EVERY_MS } from '../components/use-items.js';
import { WorkState } from '../components/work-state.js';
import { count, size, when } from '../format.js';
import styles from '../manage.module.css';
import { m } from '../messages/index.js';

type Projection = Managed['Projection'];
type Rebuild = Managed['ProjectionRebuild'];

const Replicas = (): ReactNode => (
  <ItemTable
    title={m.replicas}
    list="/replicas"
    everyMs={LOOK_EVERY_MS}
    columns={[
      { name: m.name, cell: ({ service }) => service },
      { name: m.state, cell: ({ ready }) => (ready ? m.ready : <span className={styles['bad']}>{m.notReady}</span>) },
      { name: m.version, cell: ({ version }) => version },
      { name: m.machine, cell: ({ host, processId }) => `${host}, ${processId}` },
      { name: m.processor, isNumber: true, cell: ({ load }) => m.cores(load.cpuCores.toFixed(2)) },
      { name: m.memory, isNumber: true, cell: ({ load }) => size(load.memoryBytes) },
      { name: m.since, cell: ({ startedAt }) => when(startedAt) },
    ]}
    keyOf={({ id }) => id}
    empty={m.noReplicas}
  />
);

const positionOf = ({ position, fault }: NonNullable<Projection['live']>): ReactNode =>
  fault === null ? count(position) : <span className={styles['bad']}>{`${count(position)}: ${fault}`}</span>;

const lagOf = (lagEvents: number | null | undefined): string => (lagEvents ? m.events(count(lagEvents)) : m.none);

const PROJECTION_COLUMNS: readonly Column<Projection>[] = [
  { name: m.name, cell: ({ name }) => name },
  { name: m.position, isNumber: true, cell: ({ live }) => (live ? positionOf(live) : m.none) },
  { name: m.lag, isNumber: true, cell: ({ live }) => lagOf(live?.lagEvents) },
  { name: m.building, isNumber: true, cell: ({ building }) => (building ? positionOf(building) : m.none) },
];

const rebuild = (projection: string, mode: Rebuild['mode']): Promise<unknown> =>
  answered(manage.POST('/projection-rebuilds', { body: { projection, mode } }));

const PROJECTION_ACTIONS: readonly RowAction<Projection>[] = [
  { name: ({ name }) => m.rebuild(name), icon: Hammer, run: ({ name }) => rebuild(name, 'replace') },
  { name: ({ name }) => m.verify(name), icon: Scale, run: ({ name }) => rebuild(name, 'verify') },
];

const comparisonOf = ({ comparison }: Rebuild): string => {
  if (!comparison?.compared) return '';
  const different = comparison.tables.filter(({ equal }) => equal === false).map(({ name }) => name);
  return different.length === 0 ? m.noDifference : m.differs(different.join(', '));
};

/** Services, the load of the last day, what flows from the log to the projections, their rebuilds, and search indexes. */
export const Inside = (): ReactNode => (
  <>
    <Replicas />
    <LoadCharts />
    <Flow />
    <ItemTable
      title={m.projections}
      list="/projections"
      everyMs={LOOK_EVERY_MS}
      columns={PROJECTION_COLUMNS}
      keyOf={({ name }) => name}
      actions={PROJECTION_ACTIONS}
      empty={m.noProjections}
    />
    <ItemTable
      title={m.rebuilds}
      list="/projection-rebuilds"
      columns={[
        { name: m.name, cell: ({ projection }) => projection },
        { name: m.state, cell: (work) => <WorkState work={work} /> },
        { name: m.found, cell: comparisonOf },
        { name: m.since, cell: ({ startedAt }) => when(startedAt) },
      ]}
      keyOf={({ id }) => id}
      empty={m.noRebuilds}
    />
    <ItemTable
      title={m.indexes}
      list="/search-indexes"
      columns={[
        { name: m.name, cell: ({ name }) => name },
        {
          name: m.state,
          cell: ({ state, fault }) => (fault === null ? m.indexStates[state] : <span className={styles['bad']}>{fault}</span>),
        },
        { name: m.position, isNumber: true, cell: ({ position }) => (position === null ? m.none : count(position)) },
      ]}
      keyOf={({ name }) => name}
      actions={[
        {
          name: ({ name }) => m.rebuild(name),
          icon: Hammer,
          isFor: ({ state }) => state !== 'absent',
          run: ({ name }) => answered(manage.POST('/search-indexes/{name}/rebuilds', { params: { path: { name } } })),
        },
      ]}
      empty={m.noIndexes}
    />
  </>
);
