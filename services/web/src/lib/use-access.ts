import { useQuery } from '@tanstack/react-query';
import { ACCESS, accountQuery } from './account.js';

/** Whether the account has an access level; false until that is known. */
export const useAccess = (level: keyof typeof ACCESS): boolean => {
  const { data } = useQuery(accountQuery);
  return (data?.access ?? 0) >= ACCESS[level];
};
