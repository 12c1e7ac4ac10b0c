/**
 * Takes the pictures of docs/workspace: `npm run screenshots [-- NAME…]` reviews the sample decks and two versions of a made-up deck on a
 * whole Deckhand, says something about them as a person would, and opens every page in Debian's Chromium.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { createDeckhandClient } from '../../api/client.ts';
import { DEFAULT_TENANT } from '../../domain/tenant.ts';
import { REPOSITORY_DIR } from '../../platform/config.ts';
import { drawPlainDeck, plainSlides } from '../../testing/plain-deck.ts';
import { startRig } from '../../testing/rig.ts';
import { launchBrowser } from '../../testing/browser.ts';

const FOLDER = path.join(REPOSITORY_DIR, 'docs/workspace');
const SAMPLES = ['cardiosense', 'lumbalis', 'quayline', 'dermaline-scan'];
const DESKTOP = { width: 1280, height: 860 };
const PHONE = { width: 390, height: 844 };
/** Time in which a page comes to rest after what it waited for is there. */
const REST_MS = 700;

interface Picture {
  readonly name: string;
  readonly address: string;
  /** Waited for before the picture is taken. */
  readonly ready: (page: Page) => Promise<void>;
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly language?: 'en' | 'de';
  readonly theme?: 'light' | 'dark';
}

const wanted = process.argv.slice(2);
const rig = await startRig();
const browser = await launchBrowser();
try {
  const { key } = await rig.client.POST('/keys', {
    body: { tenant: DEFAULT_TENANT, name: 'Ann Archer', role: 'analyst' },
  });
  const heading = (page: Page): Promise<void> => page.getByRole('heading', { level: 1 }).first().waitFor();
  await take({ name: 'login', address: '/', ready: (page) => page.getByLabel('API key').waitFor() });
  await take({ name: 'empty', address: '/', ready: heading }, key);
  const client = createDeckhandClient(rig.runtime.apiUrl, { apiKey: key });
  const authorization = `Bearer ${key}`;
  const reviews = new Map<string, { readonly deckId: string; readonly analysisId: string }>();
  for (const name of SAMPLES) {
    const deck = await client.uploadDeck(path.join(REPOSITORY_DIR, 'samples', `${name}.pdf`));
    const { analysisId } = await client.startAnalysis(deck.id, { models: 'reader' });
    await rig.ended(analysisId);
    reviews.set(name, { deckId: deck.id, analysisId });
  }
  const first = plainSlides('Pulsara');
  const second = first.map((slide) => ({ ...slide, lines: slide.lines.map((line) => line.replaceAll('2', '3')) }));
  for (const [name, slides] of Object.entries({ 'Pulsara 2025': first, 'Pulsara 2026': second })) {
    const deckId = await rig.upload(await drawPlainDeck(slides), `${name}.pdf`);
    const { analysisId } = await client.startAnalysis(deckId, { models: 'reader' });
    await rig.ended(analysisId);
    reviews.set(name, { deckId, analysisId });
  }
  const ofName = (name: string): { readonly deckId: string; readonly analysisId: string } => {
    const found = reviews.get(name);
    if (found === undefined) throw new Error(`there is no review of ${name}`);
    return found;
  };
  const { deckId, analysisId } = ofName('cardiosense');
  const report = await client.report(analysisId);
  const scored = report.chapters.flatMap(({ questions }) => questions).filter(({ score }) => score !== null);
  const say = async (deck: string, body: object): Promise<void> => {
    const response = await fetch(`${rig.runtime.apiUrl}/api/v1/decks/${deck}/verdicts`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
  };
  for (const [index, question] of scored.slice(0, 6).entries()) {
    await say(deckId, {
      kind: 'score',
      subject: `question/${question.slug}`,
      score: Math.min(7, Math.max(0, (question.score ?? 0) + (index % 3) - 1)),
      reason: 'The figures on the slide carry more than the machine gives them.',
      analysisId,
    });
  }
  await say(deckId, { kind: 'tag', text: 'cardiology', on: true });
  await say(deckId, { kind: 'assignee', text: 'Ann Archer' });
  await say(deckId, { kind: 'decision', decision: 'meet', reason: null });
  await say(ofName('quayline').deckId, { kind: 'decision', decision: 'later', reason: null });
  await say(ofName('lumbalis').deckId, { kind: 'tag', text: 'spine', on: true });

  const entry = await (
    await fetch(`${rig.runtime.apiUrl}/api/v1/decks/${ofName('Pulsara 2026').deckId}`, { headers: { authorization } })
  ).json();
  const companyId = String((entry as { company: { id: string } }).company.id);
  const versions = `${ofName('Pulsara 2025').analysisId},${ofName('Pulsara 2026').analysisId}`;
  const proved = report.chapters
    .flatMap(({ questions }) => questions)
    .find(({ evidence }) => evidence.some(({ boxes }) => boxes !== null));
  const text = (shown: string) => (page: Page) => page.getByText(shown).first().waitFor();
  const review = `/decks/${deckId}?claim=${encodeURIComponent(`question/${proved?.slug ?? ''}`)}`;
  const pictures: readonly Picture[] = [
    { name: 'decks', address: '/', ready: text('CardioSense') },
    { name: 'decks-dark', address: '/', ready: text('CardioSense'), theme: 'dark', language: 'de' },
    { name: 'decks-phone', address: '/', ready: text('CardioSense'), viewport: PHONE },
    { name: 'review', address: review, ready: heading },
    { name: 'review-dark', address: review, ready: heading, theme: 'dark', language: 'de' },
    { name: 'review-phone', address: review, ready: heading, viewport: PHONE },
    { name: 'compare', address: `/compare?analyses=${encodeURIComponent(versions)}`, ready: heading },
    { name: 'portfolio', address: '/portfolio', ready: heading },
    { name: 'companies', address: '/companies', ready: heading },
    { name: 'company', address: `/companies/${companyId}`, ready: heading },
    { name: 'calibration', address: '/calibration', ready: heading },
  ];
  for (const picture of pictures) await take(picture, key);
} finally {
  await browser.close();
  await rig.stop();
}

/** Takes a picture, unless only others are wanted. @param key to sign in with */
async function take(picture: Picture, key?: string): Promise<void> {
  const { name, address, ready, viewport = DESKTOP, language = 'en', theme = 'light' } = picture;
  if (wanted.length > 0 && !wanted.includes(name)) return;
  const context = await browser.newContext({
    viewport,
    locale: language === 'de' ? 'de-DE' : 'en-GB',
    colorScheme: theme,
    reducedMotion: 'reduce',
    hasTouch: viewport === PHONE,
  });
  const origin = rig.runtime.apiUrl;
  if (key !== undefined) await context.request.post(`${origin}/api/v1/session`, { data: { key }, headers: { origin } });
  const page = await context.newPage();
  await page.goto(`${origin}${address}`);
  await ready(page);
  await page.waitForTimeout(REST_MS);
  const png = await sharp(await page.screenshot())
    .png({ palette: true, quality: 90, effort: 8 })
    .toBuffer();
  await mkdir(FOLDER, { recursive: true });
  await writeFile(path.join(FOLDER, `${name}.png`), png);
  process.stdout.write(`${name}.png: ${Math.round(png.length / 1024)} KiB\n`);
  await context.close();
}
