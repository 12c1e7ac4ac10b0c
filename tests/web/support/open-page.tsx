/** Opens a page of the workspace in jsdom: the routes, the query cache and the event stream as web/main.tsx has them, on the fake API. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import { userEvent, type UserEvent } from '@testing-library/user-event';
import { act } from 'react';
import type { Language } from '../../../domain/models/model-tasks.ts';
import { keepCacheLive } from '../../../web/live/cache.ts';
import { createAppRouter } from '../../../web/routes.tsx';
import { TooltipProvider } from '../../../web/ui/tooltip.tsx';
import { setLanguage } from '../../../web/words/language.ts';
import { answerApi, type Answers } from './api.ts';
import { recordedAnswers } from './documents.ts';
import { setViewport } from './viewport.ts';

/** How a page is opened. */
export interface OpenOptions {
  /** In place of those of the recorded documents. */
  readonly answers?: Answers;
  /** False: no recorded document is given, so that a request without an answer of the test fails it. */
  readonly isRecorded?: boolean;
  readonly language?: Language;
  readonly width?: 'desktop' | 'phone';
}

/** An open page. */
export interface OpenedPage {
  readonly user: UserEvent;
  readonly queries: QueryClient;
  /** Path and query of the address bar. */
  readonly address: () => string;
}

/** What the frame around every page asks for. */
const FRAME_ANSWERS: Answers = {
  'GET /session': { tenantId: 'acme', keyId: 'key-1', name: 'Ann Archer', role: 'analyst', expiresAt: null },
};

/**
 * Renders the workspace at an address.
 *
 * @example
 * const { user } = await openPage('/companies', { answers: { 'GET /companies': { items: [], total: 0, nextCursor: null } } });
 */
export async function openPage(
  address: string,
  { answers = {}, isRecorded = true, language = 'en', width = 'desktop' }: OpenOptions = {},
): Promise<OpenedPage> {
  answerApi({ ...(isRecorded ? recordedAnswers() : {}), ...FRAME_ANSWERS, ...answers });
  setViewport(width);
  setLanguage(language);
  window.history.replaceState(null, '', address);
  // A refusal is shown at once: what is tried again and how often is main.tsx's.
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: 30_000, retry: false } } });
  keepCacheLive(queries);
  const router = createAppRouter();
  await act(() => router.load());
  render(
    <QueryClientProvider client={queries}>
      <TooltipProvider>
        <RouterProvider router={router} />
      </TooltipProvider>
    </QueryClientProvider>,
  );
  return {
    user: userEvent.setup(),
    queries,
    address: () => `${window.location.pathname}${window.location.search}`,
  };
}
