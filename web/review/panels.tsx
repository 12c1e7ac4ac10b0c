/** The panels that open over the review; loaded when the first one is opened. */
import { useState } from 'react';
import type { DeckEntry } from '../../domain/decks/list/entry.ts';
import type { AnalysisReport } from '../../domain/decks/report.ts';
import type { HumanVerdict } from '../../domain/decks/verdicts/human-verdict.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Checkbox } from '../ui/field.tsx';
import { useWords } from '../words/language.ts';
import type { ReviewPanel } from './header/menu.tsx';
import { HistoryDrawer } from './human/history.tsx';
import { MadeDrawer } from './made/drawer.tsx';
import { RunsDialog } from './run/runs-dialog.tsx';
import { keysAreOn, switchKeys } from './selection/use-keys.ts';
import { pageWords } from './words.ts';

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
      return <RunsDialog deck={deck} analysisId={report.analysisId} onClose={onClose} />;
    case 'history':
      return <HistoryDrawer history={history} report={report} onClose={onClose} />;
    case 'made':
      return <MadeDrawer deck={deck} report={report} onClose={onClose} />;
    case 'keys':
      return <KeysDialog onClose={onClose} />;
  }
}

/** The keys of the review page, and the switch for them. */
function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useWords(pageWords);
  const [isOn, setOn] = useState(keysAreOn);
  return (
    <Dialog onClose={onClose} title={words.keysTitle}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-sm">
        {[...words.keys].map(([key, does]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="rounded border border-line bg-raised px-1.5 py-0.5 font-sans">{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <Checkbox
        label={words.keysOn}
        checked={isOn}
        onChange={({ target }) => {
          switchKeys(target.checked);
          setOn(target.checked);
        }}
      />
    </Dialog>
  );
}
