import { useQuery } from '@tanstack/react-query';
import { lazyRouteComponent } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ACCESS, accountQuery } from '../../lib/account.js';
import { t } from '../../messages/index.js';
import { Failure, Notice } from '../../ui/states.js';
import { View } from '../../ui/view.js';

const Managing = lazyRouteComponent(() => import('./components/manage-view.js'), 'ManageView');

/** The managing views; their script is loaded only by administrators. */
export const ManageView = (): ReactNode => {
  const { data, error, refetch } = useQuery(accountQuery);
  if (data) return (data.access ?? 0) >= ACCESS.administrator ? <Managing /> : <View title={t.notHere} />;
  return <View title={t.manage}>{error ? <Failure error={error} onRetry={() => void refetch()} /> : <Notice>{t.loading}</Notice>}</View>;
};
