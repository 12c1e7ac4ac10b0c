/** The panels that open over the review; loaded when the first one is opened. */
import type { DeckEntry } from '../../domain/decks/list/entry.ts';
import type { AnalysisReport } from '../../domain/decks/report.ts';
import type { HumanVerdict } from '../../domain/decks/verdicts/human-verdict.ts';
import type { ReviewPanel } from './header/menu.tsx';
import { HistoryDrawer } from './human/history.tsx';
import { MadeDrawer } from './made/drawer.tsx';
import { RunsDialog } from './run/runs-dialog.tsx';
import { KeysDialog } from './selection/keys-dialog.tsx';

/** The open panel. */
export function Panels({
  panel,
  deck,
  report,
  history,
  onClose,
}: {
  readonly panel: ReviewPanel;
  readonly deck: DeckEntry;
  readonly report: AnalysisReport;
  readonly history: readonly HumanVerdict[];
  readonly onClose: () => void;
}) {
  switch (panel) {
    case 'runs':
      return <RunsDialog deck={deck} analysisId={report.analysisId} open onClose={onClose} />;
    case 'history':
      return <HistoryDrawer history={history} report={report} open onClose={onClose} />;
    case 'made':
      return <MadeDrawer deck={deck} report={report} open onClose={onClose} />;
    case 'keys':
      return <KeysDialog open onClose={onClose} />;
  }
}
