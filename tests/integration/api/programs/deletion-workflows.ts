/** The deletion of decks, beside a stand-in for the runs it meets: one that was continued, and one that does not heed a cancellation. */
import { CancellationScope, continueAsNew, sleep } from '@temporalio/workflow';

export { deleteDeck } from '../../../../workflows/deletion/workflow.ts';

/** What a stand-in does. */
export interface StandIn {
  /** Times it continues as new before it waits. */
  readonly continues?: number;
  /** Goes on when it is cancelled. */
  readonly stubborn?: boolean;
}

export async function deckAnalysis(input: StandIn): Promise<void> {
  const { continues = 0, stubborn = false } = input;
  if (continues > 0) return continueAsNew<typeof deckAnalysis>({ ...input, continues: continues - 1 });
  if (!stubborn) return sleep('1h');
  return CancellationScope.nonCancellable(() => sleep('1h'));
}
