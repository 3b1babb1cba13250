import { useQuery } from '@tanstack/react-query';
import { api, content } from '../../lib/api.js';
import { useAccess } from '../../lib/account.js';

const allowQuery = {
  queryKey: ['preference', 'allow_upload'],
  queryFn: async (): Promise<boolean> => {
    const answer = await content(api.GET('/preferences/{preference_name}', { params: { path: { preference_name: 'allow_upload' } } }));
    return 'value' in answer && answer.value === '1';
  },
};

/** Whether this account may upload; false until that is known. */
export const useMayUpload = (): boolean => {
  const { data = false } = useQuery(allowQuery);
  return useAccess('user') && data;
};
