/** Stands in for the deck workflow under its own name: answers the progress query until it is told to end or cancelled. */
import { condition, defineQuery, defineSignal, setHandler } from '@temporalio/workflow';
import type { DeckProgress } from '../../../../domain/decks/progress.ts';

const NONE = { done: 0, failed: 0, total: 0 };

export async function deckAnalysis(): Promise<void> {
  let ended = false;
  let slidesDone = 0;
  setHandler(defineQuery<DeckProgress>('progress'), () => ({
    stage: 'slides',
    rendered: { done: 3, failed: 0, total: 3 },
    slides: { done: slidesDone, failed: 0, total: 3 },
    extractions: NONE,
    answers: NONE,
    scores: NONE,
    specialised: NONE,
    cachedCalls: 0,
    modelCalls: slidesDone,
    gaps: 0,
    paused: false,
    waitingFor: 'gpu-visual',
  }));
  setHandler(defineSignal('slide'), () => {
    slidesDone += 1;
  });
  setHandler(defineSignal('end'), () => {
    ended = true;
  });
  await condition(() => ended);
}
