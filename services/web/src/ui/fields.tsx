import type { ComponentProps, ReactNode } from 'react';
import { t } from '../messages/index.js';
import type { Catalog } from '../lib/catalogs.js';
import styles from './fields.module.css';

/** A field of a form with its name. `isFirst`: the dialog was opened to type this. */
export const Field = ({
  label,
  isFirst = false,
  onChange,
  ...input
}: Pick<ComponentProps<'input'>, 'type' | 'required' | 'maxLength' | 'placeholder' | 'autoComplete'> & {
  readonly label: string;
  readonly value: string;
  readonly isFirst?: boolean;
  readonly onChange: (value: string) => void;
}): ReactNode => (
  <label>
    {label}
    {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- where the dialog was opened to type this */}
    <input type="text" {...input} autoFocus={isFirst} onChange={({ target }) => onChange(target.value)} />
  </label>
);

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

/** A box to tick with its name. */
export const Check = ({
  label,
  isOn,
  isSwitch = false,
  onChange,
}: {
  readonly label: string;
  readonly isOn: boolean;
  /** For what takes effect at once. */
  readonly isSwitch?: boolean;
  readonly onChange: (isOn: boolean) => void;
}): ReactNode => (
  <label className={styles['check']}>
    <input type="checkbox" role={isSwitch ? 'switch' : undefined} checked={isOn} onChange={({ target }) => onChange(target.checked)} />
    {label}
  </label>
);

/** Values that can be chosen and their names, in their order. */
export type Options<V> = readonly (readonly [value: V, name: string])[];

/** Chooses one of some values. `isNamed`: its label stands before it; else only screen readers say it. */
export const Choice = <V extends string | number>({
  label,
  options,
  chosen,
  isNamed = false,
  isDisabled = false,
  onChoose,
}: {
  readonly label: string;
  readonly options: Options<V>;
  readonly chosen: V;
  readonly isNamed?: boolean;
  readonly isDisabled?: boolean;
  readonly onChoose: (value: V) => void;
}): ReactNode => {
  const choose = (at: number): void => {
    const option = options[at];
    if (option) onChoose(option[0]);
  };
  const select = (
    <select
      aria-label={isNamed ? undefined : label}
      value={chosen}
      disabled={isDisabled}
      onChange={({ target }) => choose(target.selectedIndex)}
    >
      {options.map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  );
  return isNamed ? (
    <label>
      {label} {select}
    </label>
  ) : (
    select
  );
};

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
    <Choice isNamed label={t.inCatalog} options={catalogs.map(({ id, name }) => [id, name])} chosen={chosen} onChoose={onChoose} />
  );

/** Name of a list, and who may see it. */
export interface ListTerms {
  readonly name: string;
  readonly isPublic: boolean;
}

/** Fields of a dialog that asks for the terms of a list. */
export const ListTermsFields = ({
  label,
  terms,
  onChange,
}: {
  /** Of the field of the name. */
  readonly label: string;
  readonly terms: ListTerms;
  readonly onChange: (terms: ListTerms) => void;
}): ReactNode => (
  <>
    <Field label={label} required isFirst maxLength={255} value={terms.name} onChange={(name) => onChange({ ...terms, name })} />
    <Check label={t.isPublic} isOn={terms.isPublic} onChange={(isPublic) => onChange({ ...terms, isPublic })} />
  </>
);
