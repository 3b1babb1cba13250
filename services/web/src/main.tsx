import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { refreshByEvents } from './app/refresh.js';
import { router } from './app/routes.js';
import { startPlayer } from './features/player/index.js';
import { ApiError } from './lib/api.js';
import { live } from './lib/live.js';
import { session, SignedOutError } from './lib/session.js';
import './ui/theme.css';

const MAX_RETRIES = 2;
const STALE_AFTER_MS = 60_000;

const leaveIfSignedOut = (error: unknown): void => {
  if (error instanceof SignedOutError) session.signIn();
  else if (error !== null) console.error(error);
};

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: STALE_AFTER_MS,
      // What the server refuses it refuses again.
      retry: (tries, error) => !(error instanceof ApiError) && !(error instanceof SignedOutError) && tries < MAX_RETRIES,
    },
  },
});
client.getQueryCache().subscribe(({ type, query }) => {
  if (type === 'updated') leaveIfSignedOut(query.state.error);
});

const start = async (): Promise<void> => {
  session.resume();
  // Whatever else is wrong, the views say it and offer to try again.
  await session.authorization().catch((error: unknown) => {
    if (error instanceof SignedOutError) throw error;
  });
  const page = document.querySelector('#page');
  if (!page) throw new Error('the page lacks its element');
  refreshByEvents(client);
  live.start().catch(leaveIfSignedOut);
  createRoot(page).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
  await startPlayer();
};

start().catch(leaveIfSignedOut);
