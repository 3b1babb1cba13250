import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { client, leaveIfSignedOut } from './app/client.js';
import { refreshByEvents } from './app/refresh.js';
import { router } from './app/routes.js';
import { startWorker } from './app/worker.js';
import { startLooks } from './features/looks/index.js';
import { startPlayer } from './features/player/index.js';
import { live } from './lib/live.js';
import { session, SignedOutError } from './lib/session.js';
import './ui/theme.css';

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
  refreshByEvents(client, live);
  live.start().catch(leaveIfSignedOut);
  await loading;
  createRoot(page).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
  await startPlayer();
  await startWorker();
};

start().catch(leaveIfSignedOut);
