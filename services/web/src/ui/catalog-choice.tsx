import type { ReactNode } from 'react';
import type { Catalog } from '../lib/catalogs.js';
import { t } from '../messages/index.js';

/** Choice of the catalog that something is put into; nothing is asked where there is one only. */
export const CatalogChoice = ({
  catalogs,
  chosen,
  onChoose,
}: {
  readonly catalogs: readonly Catalog[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}): ReactNode =>
  catalogs.length > 1 && (
    <label>
      {t.inCatalog}
      <select value={chosen} onChange={({ target }) => onChoose(target.value)}>
        {catalogs.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
