/**
 * The workspace: its bundle under /assets, and its one document at the address of every page. The launcher makes the bundle (generated/web).
 */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { DeckhandError } from '../../domain/errors.ts';
import { errnoOf } from '../../platform/blobs/errors.ts';
import { START_PAGE, WORKSPACE_PAGES } from '../auth/access-rules.ts';
import { group } from '../http/routes.ts';
import { appContentSecurity } from '../pages/content-security.ts';

const BUNDLE = path.resolve(import.meta.dirname, '../../generated/web');
/** Stands in the built document where each answer has its nonce. */
const NONCE_PLACEHOLDER = /deckhand-nonce/gu;
const NONCE_BYTES = 16;
/** Names with a hash of the content never change what they stand for. */
const HASHED = /-[\w-]{8}\.\w+(?:\.(?:br|gz))?$/u;

async function readDocument(): Promise<string> {
  try {
    return await readFile(path.join(BUNDLE, 'index.html'), 'utf8');
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
    throw new DeckhandError('service_unavailable', 'the workspace is not bundled', {
      userMessage: 'The pages of the workspace have not been built.',
      hint: 'Run ./deckhand --help once: it builds what is missing. The API works without them.',
    });
  }
}

/** The routes of the workspace, from the root of the host. */
export const webRoutes = group((_deps, routes) => {
  routes.use(
    '/assets/*',
    serveStatic({
      root: BUNDLE,
      precompressed: true,
      onFound: (file, c) =>
        c.header('cache-control', HASHED.test(file) ? 'public, max-age=31536000, immutable' : 'public, max-age=3600'),
    }),
  );
  for (const page of [START_PAGE, ...WORKSPACE_PAGES.flatMap((each) => [each, `${each}/*`])]) {
    routes.get(page, async (c) => {
      const nonce = randomBytes(NONCE_BYTES).toString('base64url');
      const document = (await readDocument()).replaceAll(NONCE_PLACEHOLDER, nonce);
      c.header('content-security-policy', appContentSecurity(nonce));
      c.header('cache-control', 'no-store');
      return c.html(document);
    });
  }
});
