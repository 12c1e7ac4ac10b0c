/**
 * The workspace in a real browser, for the tests of its pages: a tenant of this file on the shared stack, signed in, in a language, width and
 * theme. Every page is watched: a request to another host, an error in the console and a broken security policy fail the test.
 */
import path from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, expect } from 'vitest';
import { createDeckhandClient, type DeckhandClient } from '../../../api/client.ts';
import type { Language } from '../../../domain/models/model-tasks.ts';
import { REPOSITORY_DIR } from '../../../platform/config.ts';
import { perFile } from '../../../testing/per-file.ts';
import { joinSharedStack, type SharedRig } from '../../../testing/rig.ts';
import { launchBrowser } from '../../../testing/browser.ts';
import { shortenTemplates, type TemplateLength } from '../../../testing/short-template.ts';
import { reviewAgain, type Reviewed } from './reviewed.ts';

/** Widths of a desktop and of a phone, in CSS pixels. */
export const WIDTHS = { desktop: 1280, phone: 390 } as const;
const HEIGHT = 860;
/** Keeps a broken test from hanging; a page that a busy machine shows late is not broken. */
const LIMIT_MS = 240_000;

/** How a page is opened. */
export interface PageLook {
  readonly language?: Language;
  readonly width?: keyof typeof WIDTHS;
  readonly theme?: 'light' | 'dark';
  /** Another key than the file's. */
  readonly key?: string;
}

/** Both languages and both widths, for `it.each`. German on the phone: its longer words have the least room. */
export const LOOKS = [
  { language: 'en', width: 'desktop' },
  { language: 'de', width: 'phone' },
] as const satisfies readonly PageLook[];

/** What a test file works with. */
export interface Workspace {
  /** Address of the API and the pages. */
  readonly url: string;
  readonly rig: SharedRig;
  /** With the key of this file's tenant. */
  readonly client: DeckhandClient;
  /** The key, to sign in by hand. */
  readonly key: string;
  /** Opens a page, signed in. It is closed after the test, and what it did wrong fails the test. */
  open(address: string, look?: PageLook): Promise<Page>;
  /** The key of a tenant that has nothing yet. */
  emptyTenant(): Promise<string>;
  /** A browser that is not signed in. */
  newContext(look?: PageLook): Promise<BrowserContext>;
  /** Uploads a sample deck and waits for the end of its review. */
  review(sample: string, language?: Language): Promise<Reviewed>;
  stop(): Promise<void>;
}

/** Path of a sample deck: `cardiosense`. */
export const samplePath = (name: string): string => path.join(REPOSITORY_DIR, 'samples', `${name}.pdf`);

/**
 * Starts what a file of page tests needs.
 *
 * @param tenant a name of its own per file
 * @param template how much of it reviews ask
 */
export function workspacePerFile(tenant: string, template: TemplateLength = 'short'): Workspace {
  const opened: { readonly context: BrowserContext; readonly problems: string[] }[] = [];
  const workspace = perFile(() => startWorkspace(tenant, template, opened));
  afterEach(async () => {
    const pages = opened.splice(0);
    for (const { context } of pages) await context.close();
    expect(pages.flatMap(({ problems }) => problems)).toEqual([]);
  });
  return workspace;
}

async function startWorkspace(
  tenant: string,
  template: TemplateLength,
  opened: { readonly context: BrowserContext; readonly problems: string[] }[],
): Promise<Workspace> {
  const rig = await joinSharedStack();
  const url = rig.runtime.apiUrl;
  const keyOf = async (slug: string): Promise<string> => {
    await rig.client.POST('/tenants', { body: { slug } });
    if (template === 'short') await shortenTemplates(rig.db, slug);
    return (await rig.client.POST('/keys', { body: { tenant: slug, name: 'Ann Archer', role: 'analyst' } })).key;
  };
  const key = await keyOf(tenant);
  const client = createDeckhandClient(url, { apiKey: key });
  const browser = await launchBrowser();

  const newContext = async ({ language = 'en', width = 'desktop', theme = 'light' }: PageLook = {}) => {
    const context = await browser.newContext({
      viewport: { width: WIDTHS[width], height: HEIGHT },
      locale: language === 'de' ? 'de-DE' : 'en-GB',
      colorScheme: theme,
      hasTouch: width === 'phone',
      reducedMotion: 'reduce',
    });
    context.setDefaultTimeout(LIMIT_MS);
    return context;
  };

  return {
    url,
    rig,
    client,
    key,
    emptyTenant: () => keyOf(`${tenant}-empty`),
    newContext,
    open: async (address, look) => {
      const context = await newContext(look);
      const problems: string[] = [];
      opened.push({ context, problems });
      watch(context, url, problems);
      const login = await context.request.post(`${url}/api/v1/session`, {
        data: { key: look?.key ?? key },
        headers: { origin: url },
      });
      if (!login.ok()) throw new Error(`the login was refused: ${await login.text()}`);
      const page = await context.newPage();
      await page.goto(`${url}${address}`);
      return page;
    },
    review: async (sample, language = 'en') => {
      const { id: deckId } = await client.uploadDeck(samplePath(sample));
      return reviewAgain({ client }, deckId, language);
    },
    stop: async () => {
      await browser.close();
      await rig.stop();
    },
  };
}

/** Collects what a page does wrong. Answers with 4xx and 5xx that a test provokes are the test's own to check. */
function watch(context: BrowserContext, url: string, problems: string[]): void {
  context.on('request', (request) => {
    const target = request.url();
    if (!target.startsWith(url) && !/^(?:data|blob|about|mailto):/u.test(target)) problems.push(`request to ${target}`);
  });
  context.on('console', (message) => {
    const text = message.text();
    const isStatus = text.startsWith('Failed to load resource');
    if (message.type() === 'error' && !isStatus) problems.push(`console: ${text}`);
  });
  context.on('weberror', (error) => problems.push(`error: ${error.error().message}`));
}

/** Checks what holds for every page: nothing serious for axe, nothing wider than the window, a title, and the language it says. */
export async function checkPage(page: Page, language: Language = 'en'): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'])
    .analyze();
  const serious = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(' | ')}`);
  expect(serious).toEqual([]);
  // As text: the types of a browser's page are not those of this process.
  const facts = await page.evaluate<{ overflowPx: number; language: string; title: string }>(`({
    overflowPx: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    language: document.documentElement.lang,
    title: document.title,
  })`);
  expect(facts).toMatchObject({ overflowPx: 0, language });
  expect(facts.title).not.toBe('');
}
