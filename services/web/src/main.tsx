import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { startTransition, StrictMode, useEffect, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { accountQuery } from './lib/account.js';
import { client, leaveIfSignedOut } from './lib/client.js';
import { canKeep, removeOfOthers } from './lib/offline.js';
import { base, session, SignedOutError } from './lib/session.js';
import { refreshByEvents } from './app/refresh.js';
import { router } from './app/routes.js';
import { startLooks } from './features/looks/index.js';
import { startPlayer } from './features/player/index.js';
import { live } from './lib/live.js';
import './ui/theme.css';

/** Lets the browser keep this page, and removes what another account has left in it. The first load is over by then: a phone has little to share. */
const startWorker = async (): Promise<void> => {
  if (!canKeep || !import.meta.env.PROD) return;
  await navigator.serviceWorker.register(`${base}service-worker.js`);
  const { id } = await client.fetchQuery(accountQuery);
  await removeOfOthers(id);
};

const Page = ({ onShown }: { readonly onShown: () => void }): ReactNode => {
  useEffect(onShown, [onShown]);
  return (
    <StrictMode>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>
  );
};

const start = async (): Promise<void> => {
  startLooks();
  session.resume();
  // The view's script and its first data are fetched before anything is shown.
  const loading = router.load();
  // Whatever else is wrong, the views say it and offer to try again.
  await session.authorization().catch((error: unknown) => {
    if (error instanceof SignedOutError) throw error;
  });
  const page = document.querySelector('#page');
  if (!page) throw new Error('the page lacks its element');
  // Before the first data: what changes afterwards is told.
  refreshByEvents(client, live);
  live.start().catch(leaveIfSignedOut);
  await loading;
  await new Promise<void>((resolve) => startTransition(() => createRoot(page).render(<Page onShown={resolve} />)));
  // What nobody sees waits: it would take the processor and the few connections from the first view.
  await startPlayer();
  await startWorker();
};

start().catch(leaveIfSignedOut);
