import { useState, type ReactElement, type ReactNode } from 'react';
import type { Share } from '../../../lib/api.js';
import { t } from '../../../messages/index.js';
import { Dialog } from '../../../ui/dialog.js';
import { Field } from '../../../ui/fields.js';
import type { NamedThing } from '../../songs/index.js';
import { changeShare, createShare } from '../queries.js';
import { Address } from './address.js';

const USUAL_DAYS = 30;
const MAX_DAYS = 36_500;
const MAX_DESCRIPTION = 255;

/** Shows the address of a new share. */
const SharedDialog = ({ share, name }: { readonly share: Share; readonly name: string }): ReactNode => (
  <Dialog title={t.shareNamed(name)}>
    <p>{t.shareIsOpen}</p>
    <Address url={share.public_url} name={name} />
  </Dialog>
);

/** Asks for the terms of a share; a new one then shows its address. */
export const ShareDialog = ({ target, share }: { readonly target?: NamedThing; readonly share?: Share }): ReactNode => {
  const [description, setDescription] = useState(share?.description ?? '');
  const [days, setDays] = useState(share?.expire_days ?? USUAL_DAYS);
  const name = target?.name ?? share?.name ?? '';
  const submit = async (): Promise<ReactElement | void> => {
    if (share) return changeShare(share.id, { description, days });
    if (target) return <SharedDialog share={await createShare(target, { description, days })} name={name} />;
  };
  return (
    <Dialog title={share ? t.changeShare(name) : t.shareNamed(name)} submitLabel={share ? t.save : t.makeAddress} onSubmit={submit}>
      <Field label={t.shareDescription} maxLength={MAX_DESCRIPTION} value={description} onChange={setDescription} />
      <label>
        {t.shareDays}
        <input
          type="number"
          required
          min={0}
          max={MAX_DAYS}
          value={Number.isNaN(days) ? '' : days}
          onChange={({ target: field }) => setDays(field.valueAsNumber)}
        />
      </label>
    </Dialog>
  );
};
