import { useQuery } from '@tanstack/react-query';
import { api, content } from './api.js';

/** Access levels of the API that decide what the page offers. */
export const ACCESS = { user: 25, contentManager: 50, catalogManager: 75, administrator: 100 } as const;

/** The account of this session. */
export const accountQuery = {
  queryKey: ['account'],
  queryFn: () => content(api.GET('/me')),
};

/** Whether the account has an access level; false until that is known. */
export const useAccess = (level: keyof typeof ACCESS): boolean => {
  const { data } = useQuery(accountQuery);
  return (data?.access ?? 0) >= ACCESS[level];
};
