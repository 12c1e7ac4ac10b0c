/** Reads attacked decks through the render process, each beside the same deck without the attack. */
import { afterAll, expect } from 'vitest';
import { closeRenderer } from '../../../activities/convert/render/window.ts';
import type { PageLayout } from '../../../domain/pages/page.ts';
import type { DeckSpec } from '../../../samples/generator/spec.ts';
import { baseDeck, type AttackDeck } from '../../fixtures/attacks/decks.ts';
import { readDeck, reviewOf } from '../../fixtures/attacks/review.ts';
import { render, scratchFolder } from '../convert/helpers.ts';

/** Functions of a test file; its render processes end with it. */
export function attackReader() {
  const scratch = scratchFolder();
  afterAll(() => closeRenderer());
  const known = new Map<DeckSpec, Promise<PageLayout[]>>();

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
  /** Expects the review of a changed deck to be the review of the deck. */
  const expectSameReview = async (pdf: Uint8Array, base: DeckSpec): Promise<PageLayout[]> => {
    const [changed, plain] = await Promise.all([layoutsOf(pdf), layoutsOfBase(base)]);
    expect(reviewOf(changed, base.language)).toEqual(reviewOf(plain, base.language));
    return changed;
  };
  /** Expects an attack to change nothing, and to be reported where it is on a page. */
  const expectNoEffect = async ({ pdf, base, kind }: AttackDeck): Promise<void> => {
    const { steering, hidden } = readDeck(await expectSameReview(await pdf(), base));
    if (kind.words !== 'aside') expect(steering.length + hidden.length).toBeGreaterThan(0);
  };
  return { layoutsOfBase, expectSameReview, expectNoEffect };
}
