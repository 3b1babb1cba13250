import { accountQuery } from '../lib/account.js';
import { canKeep, removeOfOthers } from '../lib/offline.js';
import { base } from '../lib/session.js';
import { client } from './client.js';

/** Lets the browser keep this page, and removes what another account has left in it. The first load is over by then: a phone has little to share. */
export const startWorker = async (): Promise<void> => {
  if (!canKeep || !import.meta.env.PROD) return;
  await navigator.serviceWorker.register(`${base}service-worker.js`);
  const { id } = await client.fetchQuery(accountQuery);
  await removeOfOthers(id);
};
