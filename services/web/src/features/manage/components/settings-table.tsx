import type { ReactNode } from 'react';
import type { Managed } from '../api.js';
import styles from '../manage.module.css';
import { m } from '../messages/index.js';
import { ItemTable, type Column } from './item-table.js';

type Setting = Managed['Setting'];

const valueOf = ({ isSecret, value, differs }: Setting): ReactNode => {
  if (value === null || value === '') return <span className={styles['dim']}>{m.none}</span>;
  if (isSecret) return <span className={styles['dim']}>{m.secret}</span>;
  return differs ? `${value} (${m.replicasDiffer})` : value;
};

const COLUMNS: readonly Column<Setting>[] = [
  {
    name: m.name,
    cell: ({ name, meaning }) => (
      <>
        {name}
        <p className={styles['meaning']} lang="en">
          {meaning}
        </p>
      </>
    ),
  },
  { name: m.value, cell: valueOf },
  { name: m.source, cell: ({ source }) => m.sources[source] },
  { name: m.service, cell: ({ service }) => service },
];

/** As many as the server answers at once, so that all can be searched. */
const LIMIT = 500;

/** Settings in force, with where each comes from. */
export const SettingsTable = ({
  title,
  service,
  isShown,
  tools,
}: {
  readonly title: string;
  /** Only those of this service. */
  readonly service?: string;
  readonly isShown: (setting: Setting) => boolean;
  readonly tools?: ReactNode;
}): ReactNode => (
  <ItemTable
    title={title}
    list="/settings"
    selection={{ query: { limit: LIMIT, ...(service === undefined ? {} : { service }) } }}
    columns={service === undefined ? COLUMNS : COLUMNS.slice(0, -1)}
    keyOf={({ service: of, name }) => `${of} ${name}`}
    isShown={isShown}
    empty={m.noSettings}
    tools={tools}
  />
);
