import { QueryClient, type QueryKey } from '@tanstack/react-query';
import { ApiError } from './api.js';
import { session, SignedOutError } from './session.js';

const MAX_RETRIES = 2;
const STALE_AFTER_MS = 60_000;

/** Leads to the sign-in when nobody is signed in; logs other errors. */
export const leaveIfSignedOut = (error: unknown): void => {
  if (error instanceof SignedOutError) session.signIn();
  else if (error !== null) console.error(error);
};

/** Cache of what the server has answered. */
export const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: STALE_AFTER_MS,
      // Without a network there may be an answer all the same: that of this machine, or of what is kept.
      networkMode: 'always',
      // What the server refuses it refuses again.
      retry: (tries, error) => !(error instanceof ApiError) && !(error instanceof SignedOutError) && tries < MAX_RETRIES,
    },
  },
});
client.getQueryCache().subscribe(({ type, query }) => {
  if (type === 'updated') leaveIfSignedOut(query.state.error);
});

/** Fetches again what is shown of queries that begin with one of some keys; the rest when it is shown next. */
export const reload = async (...keys: readonly QueryKey[]): Promise<void> => {
  await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
};
