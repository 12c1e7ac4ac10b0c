/** Has a converter draw pages of the run's deck. */
import type { ConvertActivities } from '../../activities/convert/activities.ts';
import { convert } from './activity-proxies.ts';
import type { DeckWorkflowInput } from '../../contracts/decks.ts';
import type { RunControl } from './run-control.ts';

/** Draws pages: scheduled again for as long as it is taken back. To be begun while the run is open. */
export async function drawPages(
  { analysisId, deckId }: DeckWorkflowInput,
  runControl: RunControl,
  { pages, summary }: { readonly pages: readonly number[]; readonly summary?: string },
): ReturnType<ConvertActivities['convertWindow']> {
  const wantedAtMs = runControl.clockMs;
  const schedule = (): ReturnType<ConvertActivities['convertWindow']> => {
    const priority = runControl.priorityOf(wantedAtMs);
    const options = summary === undefined ? { priority } : { priority, summary };
    return convert.convertWindow.executeWithOptions(options, [{ analysisId, deckId, pages }]);
  };
  for (;;) {
    const drawn = await runControl.run(null, schedule);
    if (drawn !== null) return drawn;
    await runControl.whenOpen();
  }
}
