/** Whether the pages are live, and since when they are not. */
import { act, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { formatTime } from '../../../web/format.ts';
import { callsOf } from '../support/api.ts';
import { openPage } from '../support/open-page.tsx';
import { breakStreams } from '../support/stream.ts';

// One test: what follows the stream does so until the page is left, which a page in jsdom never is.
it('A page without connection says since when, is live again with the network, and reads everything anew then', async () => {
  await openPage('/companies', { language: 'de' });
  expect((await screen.findByText('Live')).title).toBe('Änderungen erscheinen sofort.');
  const before = new Date().toISOString();
  act(() => void window.dispatchEvent(new Event('offline')));
  const state = await screen.findByText(/^Stand /u);
  const times = [before, new Date().toISOString()].map((iso) => `Stand ${formatTime(iso, 'de')}`);
  expect(times).toContain(state.textContent);
  expect(state.title).toMatch(/^Keine Verbindung zu Deckhand\./u);
  const reads = callsOf('GET /companies').length;
  act(() => void window.dispatchEvent(new Event('online')));
  await screen.findByText('Live');
  await expect.poll(() => callsOf('GET /companies').length).toBeGreaterThan(reads);
  breakStreams();
  await screen.findByText(/^Stand /u);
});
