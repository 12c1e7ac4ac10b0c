/** Links that other processes than the API write lead to this installation's API, wherever it listens. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished, vi } from 'vitest';
import { listen } from '../../../testing/server.ts';
import { TestHome } from './support.ts';

const SUPERVISE_LINKS = fileURLToPath(new URL('./programs/supervise-links.ts', import.meta.url));

it('links lead to the API where another installation has its usual port', async () => {
  const other = createServer();
  const taken = await listen(other);
  onTestFinished(() => void other.close());
  const home = new TestHome({ DECKHAND_API_PORT: String(taken) });
  onTestFinished(() => home.remove());
  const runtime = await home.start({ supervisorArgs: [SUPERVISE_LINKS] });
  const link = await vi.waitFor(() => readFileSync(path.join(home.config.home, 'link.txt'), 'utf8'), {
    timeout: 20_000,
    interval: 50,
  });
  expect(new URL(link).port).not.toBe(String(taken));
  expect(new URL(link).origin).toBe(runtime.apiUrl);
  await runtime.stop();
});
