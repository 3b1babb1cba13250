import { useEffect, useState, type ReactNode } from 'react';
import { live } from '../lib/live.js';
import { t } from '../messages/index.js';

/** Says above every view that what it shows is older than what has happened, while the tables of the server lag behind its log. */
export const LagNotice = ({ className }: { readonly className: string }): ReactNode => {
  const [isBehind, setBehind] = useState(false);
  useEffect(
    () =>
      live.subscribe(({ type }) => {
        if (type === 'behind') setBehind(true);
        // A stream begins anew with one of these; it says next that the tables are behind if they are.
        if (type === 'current' || type === 'ready' || type === 'reset') setBehind(false);
      }),
    [],
  );
  return (
    isBehind && (
      <p role="status" className={className}>
        {t.lags}
      </p>
    )
  );
};
