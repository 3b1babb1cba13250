import type { ReactNode } from 'react';
import { t } from '../messages/index.js';

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
    <label>
      {label}
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog was opened to type this */}
      <input required autoFocus maxLength={255} value={terms.name} onChange={({ target }) => onChange({ ...terms, name: target.value })} />
    </label>
    <label>
      <span>
        <input type="checkbox" checked={terms.isPublic} onChange={({ target }) => onChange({ ...terms, isPublic: target.checked })} />{' '}
        {t.isPublic}
      </span>
    </label>
  </>
);
