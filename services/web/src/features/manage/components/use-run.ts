import { useQueryClient } from '@tanstack/react-query';
import { announceFailure } from '../../../ui/action.js';

/** Answers what fetches the lists again once something was done, and announces its failure. */
export const useRun = (): ((done: Promise<unknown>) => void) => {
  const client = useQueryClient();
  return (done) => void done.then(() => client.invalidateQueries({ queryKey: ['manage'] })).catch(announceFailure);
};
