/** Starts the workspace: theme, query cache, event stream, routes. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './app.css';
import { keepCacheLive } from './live/cache.ts';
import { RequestError } from './request.ts';
import { createAppRouter } from './routes.tsx';
import { followTheme } from './shell/theme.ts';
import { TooltipProvider } from './ui/tooltip.tsx';

const MAX_RETRIES = 2;

// What blocks scrolling behind a dialog adds a style element; the content security policy wants its nonce (react-style-singleton reads it here).
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
Object.assign(globalThis, { __webpack_nonce__: nonce });

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // A refusal stays a refusal; only what may pass is tried again.
      retry: (count, error) =>
        count < MAX_RETRIES && !(error instanceof RequestError && error.status >= 400 && error.status < 500),
    },
  },
});

const root = document.getElementById('app');
if (root === null) throw new Error('index.html has no element for the app');

followTheme();
keepCacheLive(queries);
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <TooltipProvider>
        <RouterProvider router={createAppRouter()} />
      </TooltipProvider>
    </QueryClientProvider>
  </StrictMode>,
);
