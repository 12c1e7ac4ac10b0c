/** The keys that walk through the statements of the page, and those that write a note or list the keys. */
import { focusedPlace, focusPlace, placeId } from '../findings/place.tsx';
import type { Judgement } from '../../../domain/decks/verdicts/kinds.ts';
import type { ReviewTools } from '../tools.ts';
import { neighbourOf, type ReviewModel } from './stops.ts';
import { useKeys } from './use-keys.ts';

/** Follows the keys. */
export function useClaimKeys(model: ReviewModel, tools: ReviewTools, onList: () => void): void {
  const step = (direction: 1 | -1): void => {
    // What is folded or left out is not on the page.
    const shown = model.stops.filter(({ key }) => document.getElementById(placeId(key)) !== null);
    const next = neighbourOf(shown, tools.selection.get().stop, direction);
    if (next === null) return;
    tools.select(next.key);
    focusPlace(next.key);
  };
  const judge = (judgement: Judgement, { repeat }: KeyboardEvent): void => {
    // A key that is held down would judge and take back in turns, and what is left out of the page cannot be judged.
    if (repeat || tools.onlyDeck.get()) return;
    const key = focusedPlace();
    const subject = key === null ? null : (model.byKey.get(key)?.subject ?? null);
    if (subject !== null) tools.judge(subject, judgement);
  };
  useKeys({
    r: (event) => judge('right', event),
    w: (event) => judge('wrong', event),
    j: () => step(1),
    k: () => step(-1),
    n: () => {
      const { stop, slide } = tools.selection.get();
      const hasPlace = stop !== null && model.byKey.get(stop)?.subject !== null;
      tools.openNote.set(hasPlace ? stop : `slide/${slide}`);
    },
    // Nothing is lit, to see the slide as it is.
    Escape: () => tools.selection.set({ ...tools.selection.get(), stop: null, quote: 0 }),
    '?': onList,
  });
}
