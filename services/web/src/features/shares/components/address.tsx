import type { ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { CopyField } from '../../../ui/copy-field.js';

/** The address of a share, to be copied. @param url null when the server cannot tell it any more */
export const Address = ({ url, name }: { readonly url: string | null; readonly name: string }): ReactNode =>
  url === null ? <small>{t.addressLost}</small> : <CopyField label={t.addressOf(name)} copyLabel={t.copyAddress(name)} value={url} />;
