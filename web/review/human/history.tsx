/** Who said what, when: every verdict of people on the deck, newest first. */
import type { AnalysisReport } from '../../../domain/decks/report.ts';
import type { HumanVerdict } from '../../../domain/decks/verdicts/human-verdict.ts';
import { formatMoment } from '../../format.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { deckWords, sectorName } from '../../words/deck.ts';
import { useLanguage, useWords, wordFor } from '../../words/language.ts';
import { subjectLabel } from '../labels.ts';
import { humanWords } from './words.ts';

/** The drawer. */
export function HistoryDrawer({
  history,
  report,
  onClose,
}: {
  readonly history: readonly HumanVerdict[];
  readonly report: AnalysisReport;
  readonly onClose: () => void;
}) {
  const words = useWords(humanWords);
  const newestFirst = history.toSorted((a, b) => b.sequence - a.sequence);
  return (
    <Dialog isDrawer onClose={onClose} title={words.history}>
      {history.length === 0 ? <p className="text-soft">{words.historyEmpty}</p> : null}
      <ol className="divide-y divide-line">
        {newestFirst.map((verdict) => (
          <HistoryRow key={verdict.id} verdict={verdict} report={report} />
        ))}
      </ol>
    </Dialog>
  );
}

function HistoryRow({ verdict, report }: { readonly verdict: HumanVerdict; readonly report: AnalysisReport }) {
  const words = useWords(humanWords);
  const language = useLanguage();
  const said = useSaid(verdict);
  const { kind, subject, reason, machine, author, createdAt } = verdict;
  const label = kind === 'tag' ? null : subjectLabel(subject, report, language);
  const machineSaid = machine.score === null ? machine.text : String(machine.score);
  return (
    <li className="py-2.5 text-sm">
      <p className="text-xs text-soft">{`${author}, ${formatMoment(createdAt, language)}`}</p>
      <p>
        <span className="font-medium">{words.kind[kind]}</span>
        {label === null ? null : <span className="text-soft"> {words.on(label)}</span>}
      </p>
      <p className="break-words whitespace-pre-wrap">{said}</p>
      {reason === null ? null : <p className="text-soft">{reason}</p>}
      {(kind === 'value' || kind === 'score' || kind === 'judgement') && machineSaid !== null ? (
        <p className="text-soft">{words.machine(machineSaid)}</p>
      ) : null}
    </li>
  );
}

/** What was said, in words. */
function useSaid({ kind, subject, text, score, withdrawn }: HumanVerdict): string {
  const words = useWords(humanWords);
  const { decision, sector } = useWords(deckWords);
  if (kind === 'tag') return withdrawn ? words.tagOff(subject) : subject;
  if (withdrawn) return kind === 'assignee' ? words.nobody : words.withdrawn;
  if (kind === 'score') return String(score);
  if (kind === 'judgement') return wordFor(words.judgement, text ?? '') ?? '';
  if (kind === 'decision') return wordFor(decision, text ?? '') ?? '';
  return subject === 'value/sector' ? sectorName(text ?? '', sector) : (text ?? '');
}
