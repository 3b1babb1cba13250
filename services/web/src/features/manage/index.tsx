import { useQuery } from '@tanstack/react-query';
import { lazyComponent } from '../../ui/lazy-component.js';
import { Suspense, type ReactNode } from 'react';
import { ACCESS, accountQuery } from '../../lib/account.js';
import { t } from '../../messages/index.js';
import { Failure, Notice, View } from '../../ui/view.js';

const Managing = lazyComponent(() => import('./components/manage-view.js'), 'ManageView');

const Waiting = (): ReactNode => (
  <View title={t.manage}>
    <Notice>{t.loading}</Notice>
  </View>
);

/** The managing views; their script is loaded only by administrators. */
export const ManageView = (): ReactNode => {
  const { data, error, refetch } = useQuery(accountQuery);
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Waiting />;
  if ((data.access ?? 0) < ACCESS.administrator) return <View title={t.notHere} />;
  return (
    <Suspense fallback={<Waiting />}>
      <Managing />
    </Suspense>
  );
};
