import type { ReactNode } from 'react';
import { t } from '../messages/index.js';

/** Field for a part of the names that a list shows; undefined for all. */
export const FilterField = ({
  value = '',
  onFilter,
}: {
  readonly value: string | undefined;
  readonly onFilter: (name: string | undefined) => void;
}): ReactNode => (
  <input
    type="search"
    aria-label={t.filterByName}
    placeholder={t.filterByName}
    value={value}
    onChange={({ target }) => onFilter(target.value || undefined)}
  />
);
