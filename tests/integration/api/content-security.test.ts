/** What a browser may do with what the API answers: every page by its policy, and everything else as data. */
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeCostReport } from '../../../activities/costs/report/make.ts';
import { storeReport } from '../../../activities/costs/report/store.ts';
import { INSTALLATION_SCOPE } from '../../../domain/costs/report/document.ts';
import { parsePeriod } from '../../../domain/costs/report/period.ts';
import { writeMadeUpLedger } from '../../../testing/costs/ledger-rows.ts';
import { TENANT } from '../../../testing/make.ts';
import { perFile } from '../../../testing/per-file.ts';
import { pdfBytes, startTestApi } from './support.ts';

/** Something behind each id, by the beginning of the path. */
let ids: Readonly<Record<string, string>>;
const api = perFile(startTestApi);
beforeAll(async () => {
  const fromMs = Date.UTC(2026, 9, 1);
  const nowMs = Date.UTC(2026, 10, 1);
  await writeMadeUpLedger(api.db, { seed: 7, fromMs, untilMs: nowMs, entries: 300, tenants: [TENANT] });
  const period = parsePeriod('2026-10-05', 'UTC', nowMs);
  const report = await makeCostReport(api.db, period, INSTALLATION_SCOPE, nowMs);
  // Names of strangers reach the pages.
  const uploaded = await api.upload(pdfBytes(), '<style>*{color:red}</style><script>alert(1)</script>.pdf');
  const deck = (uploaded.body as { id: string }).id;
  ids = {
    '/api/v1/analyses/': (await api.analysisRow({ deckId: deck, status: 'completed' })).id,
    '/api/v1/costs/reports/': await storeReport(api.db, report, { tell: false }),
    '/api/v1/decks/': deck,
  };
});

/** The path with something in place of its parameters. */
function filled(path: string): string {
  const [, id = 'none'] = Object.entries(ids).find(([start]) => path.startsWith(start)) ?? [];
  return path.replaceAll(/\{[^}]+\}/gu, id);
}

/** Directives by name. */
const directives = (policy: string): Record<string, string> =>
  Object.fromEntries(policy.split('; ').map((each) => [each.replace(/ .*/u, ''), each.replace(/^\S+ ?/u, '')]));

const REPORT_POLICY = {
  'default-src': "'none'",
  'img-src': "'self' data:",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
};

describe('a page', () => {
  interface Page {
    readonly path: string;
    readonly policy: Record<string, string>;
    readonly text: string;
  }
  let pages: readonly Page[];
  beforeAll(async () => {
    const paths = api.routes
      .filter(({ method, responses }) => method === 'GET' && responses['200']?.content?.['text/html'] !== undefined)
      .map(({ template }) => filled(template));
    pages = await Promise.all(
      paths.map(async (path) => {
        const headers = { ...api.authorization, accept: 'text/html' };
        const response = await fetch(`${api.url}${path}`, { headers });
        expect([response.status, response.headers.get('content-type')], path).toEqual([
          200,
          'text/html; charset=UTF-8',
        ]);
        return {
          path,
          policy: directives(response.headers.get('content-security-policy') ?? ''),
          text: await response.text(),
        };
      }),
    );
  });

  it('is one of the report, the costs, a cost report, the alerts and the sign-in page', () => {
    const starts = pages.map(({ path }) => path.replaceAll(/[^/]*\d[^/]*(?=\/|$)/gu, '…').replace('/api/…', ''));
    expect(starts.toSorted((a, b) => a.localeCompare(b))).toEqual([
      '/alerts',
      '/analyses/…/report',
      '/costs',
      '/costs/reports/…',
      '/session',
    ]);
  });

  it('has a policy under which only its own style sheet applies', () => {
    for (const { path, policy, text } of pages) {
      const styles = [...text.matchAll(/<style[^>]*>(.*?)<\/style>/gsu)].map((match) => match[1] ?? '');
      expect(styles, path).toHaveLength(1);
      const hash = createHash('sha256').update(styles.join('')).digest('base64');
      const formAction = path === '/api/v1/session' ? "'self'" : "'none'";
      expect(policy, path).toEqual({ ...REPORT_POLICY, 'style-src': `'sha256-${hash}'`, 'form-action': formAction });
    }
  });

  it('has no script, no style of a single element and nothing of another host', () => {
    for (const { path, text } of pages) {
      expect(text, path).not.toMatch(/<(?:script|iframe|object|embed|base)\b|<link (?!rel="icon" )/iu);
      const tags = text.match(/<[a-z][^>]*>/giu) ?? [];
      expect(
        tags.filter((tag) => /\s(?:style|on\w+)\s*=/iu.test(tag)),
        path,
      ).toEqual([]);
      const addresses = [...text.matchAll(/\s(?:src|href|action)="([^"]*)"/gu)].map((match) => match[1] ?? '');
      expect(
        addresses.filter((address) => !/^(?:\/(?!\/)|#|\?|data:image\/)/u.test(address)),
        path,
      ).toEqual([]);
      expect(text, path).not.toMatch(/url\(|@import/u);
    }
  });
});

it('an answer that is no page is data: nothing loads from it, and nothing frames it', async () => {
  for (const { method, template: path, responses } of api.routes) {
    if (Object.keys(responses['200']?.content ?? {}).some((type) => type === 'text/event-stream')) continue;
    const headers = { ...api.authorization, accept: 'application/json' };
    const response = await fetch(`${api.url}${filled(path)}`, { method, headers, redirect: 'manual' });
    await response.body?.cancel();
    const policy = directives(response.headers.get('content-security-policy') ?? '');
    expect(policy, `${method} ${path}`).toMatchObject({ 'default-src': "'none'", 'frame-ancestors': "'none'" });
    expect(response.headers.get('x-content-type-options'), `${method} ${path}`).toBe('nosniff');
    expect(response.headers.get('referrer-policy'), `${method} ${path}`).toMatch(/^(?:same-origin|no-referrer)$/u);
  }
});
