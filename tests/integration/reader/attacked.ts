/** Reads attacked decks through the render process, each beside the same deck without the attack. */
import { afterAll, beforeAll, expect } from 'vitest';
import { closeRenderer } from '../../../activities/convert/render/window.ts';
import type { PageLayout } from '../../../domain/pages/page.ts';
import type { DeckSpec } from '../../../samples/generator/spec.ts';
import { baseDeck, type AttackDeck } from '../../fixtures/attacks/decks.ts';
import { readDeck, reviewOf } from '../../fixtures/attacks/review.ts';
import { startReader, type RunningReader } from '../../../simulators/ollama/server.ts';
import { ObedientModel } from './obedient-model.ts';
import { probe, render, scratchFolder } from '../convert/helpers.ts';

/** Functions of a test file; its render processes end with it. */
export function attackReader() {
  const scratch = scratchFolder();
  let server: RunningReader;
  beforeAll(async () => {
    server = await startReader({ loadMs: 0 });
  });
  afterAll(async () => {
    await server.stop();
    closeRenderer();
  });
  const known = new Map<DeckSpec, Promise<PageLayout[]>>();
  const reviews = new Map<DeckSpec, Promise<ReturnType<typeof reviewOf>>>();

  const layoutsOf = async (pdf: Uint8Array): Promise<PageLayout[]> => {
    const pages = await render(scratch.file(Buffer.from(pdf)), [1, 2, 3, 4], { renderer: 'pdfium' });
    return pages.map((page) => {
      if ('code' in page) throw new Error(page.message);
      return page.layout;
    });
  };
  const layoutsOfBase = (base: DeckSpec): Promise<PageLayout[]> => {
    const layouts = known.get(base) ?? baseDeck(base).then(layoutsOf);
    known.set(base, layouts);
    return layouts;
  };
  const reviewOfBase = (base: DeckSpec): Promise<ReturnType<typeof reviewOf>> => {
    const review = reviews.get(base) ?? layoutsOfBase(base).then((layouts) => reviewOf(layouts, base.language));
    reviews.set(base, review);
    return review;
  };
  /** Expects the review of a changed deck to be the review of the deck. */
  const expectSameReview = async (pdf: Uint8Array, base: DeckSpec): Promise<PageLayout[]> => {
    const changed = await layoutsOf(pdf);
    expect(reviewOf(changed, base.language)).toEqual(await reviewOfBase(base));
    return changed;
  };
  /** Expects an attack to change nothing, also for a model that would obey it, and to be reported. */
  const expectNoEffect = async ({ pdf, base, kind, wording }: AttackDeck): Promise<void> => {
    const bytes = await pdf();
    const changed = await expectSameReview(bytes, base);
    const obedient = new ObedientModel(server, kind.drawn(wording.text));
    const { scores } = await reviewOfBase(base);
    expect(await obedient.scores(readDeck(changed).prompt, base.language)).toEqual(scores);
    const { steering, hidden } = readDeck(changed);
    if (kind.words === 'aside') expect(await hazardsOf(bytes)).toEqual([expect.stringMatching(/^steering_in_/u)]);
    else expect(steering.length + hidden.length).toBeGreaterThan(0);
  };
  const hazardsOf = async (pdf: Uint8Array): Promise<readonly string[]> =>
    (await probe(scratch.file(Buffer.from(pdf)))).hazards;
  return { layoutsOfBase, expectSameReview, expectNoEffect, hazardsOf };
}
