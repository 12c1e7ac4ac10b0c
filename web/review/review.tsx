/** A review beside its slides: the head, the findings, the slide, and the panels that open over them. */
import { lazy, Suspense, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { DeckEntry } from '../../domain/decks/list/entry.ts';
import type { AnalysisReport } from '../../domain/decks/report.ts';
import { withJudgements } from '../../domain/decks/verdicts/judgement.ts';
import { currentVerdicts, withVerdicts, type JudgedReport } from '../../domain/decks/verdicts/overlay.ts';
import type { VerdictSubject } from '../../domain/decks/verdicts/kinds.ts';
import type { HumanVerdict } from '../../domain/decks/verdicts/human-verdict.ts';
import { OpenDialog } from '../decks/actions/open-dialog.tsx';
import { createStore, useValue, type Store } from '../store.ts';
import { currentLanguage, useWords } from '../words/language.ts';
import { focusedPlace, focusPlace } from './findings/place.tsx';
import { Findings } from './findings/findings.tsx';
import { OtherDocument } from './header/other-document.tsx';
import { ReviewHeader } from './header/header.tsx';
import type { ReviewPanel } from './header/menu.tsx';
import { headerWords } from './header/words.ts';
import { useSay } from './human/use-say.ts';
import { humanWords } from './human/words.ts';
import { stopLabel, subjectLabel } from './labels.ts';
import { slideMarks } from './marks.ts';
import type { ReviewSearch } from './search.ts';
import { placeOf, reviewModel, type ReviewModel } from './selection/stops.ts';
import { useAddress } from './selection/use-address.ts';
import { useClaimKeys } from './selection/use-claim-keys.ts';
import { ReviewToolsContext, type ReviewTools, type Selection } from './tools.ts';
import { SlidePane } from './viewer/pane.tsx';

// What opens over the page is loaded when it is first opened.
const Panels = lazy(async () => ({ default: (await import('./panels.tsx')).Panels }));

/** The review of one run. */
export function Review({
  deck,
  report: machineReport,
  history,
  search,
}: {
  readonly deck: DeckEntry;
  readonly report: AnalysisReport;
  readonly history: readonly HumanVerdict[];
  /** Where the address leads at first. */
  readonly search: ReviewSearch;
}) {
  const held = useMemo(() => currentVerdicts(history), [history]);
  const report = useMemo(() => withJudgements(machineReport, held), [machineReport, held]);
  const model = useMemo(() => reviewModel(report), [report]);
  const judged = useMemo(() => withVerdicts(report, held), [report, held]);
  const marks = useMemo(() => slideMarks(report, model, judged), [report, model, judged]);
  const [panel, setPanel] = useState<ReviewPanel | null>(null);
  const tools = useTools(deck.id, report, { model, judged }, search);
  const company = judged.values.get('company_name')?.human?.text ?? report.company;
  const title = useWords(headerWords).title(company ?? deck.fileName);
  useAddress(tools.selection);
  useClaimKeys(model, tools, () => setPanel('keys'));
  return (
    <ReviewToolsContext value={tools}>
      <title>{`${title} · Deckhand`}</title>
      <div className="relative flex min-w-0 grow flex-col min-[1000px]:h-[calc(100dvh-3.25rem)] min-[1000px]:overflow-hidden print:h-auto print:overflow-visible">
        <OtherDocument report={report} model={model} />
        <ReviewHeader deck={deck} report={report} judged={judged} company={company} onOpen={setPanel} />
        <div className="flex min-w-0 grow flex-col-reverse justify-end min-[1000px]:grid min-[1000px]:min-h-0 min-[1000px]:grid-cols-[minmax(24rem,10fr)_minmax(0,11fr)] print:block">
          <Findings deck={deck} report={report} model={model} judged={judged} company={company} />
          <SlidePane report={report} model={model} marks={marks} judged={judged} />
        </div>
      </div>
      {panel === null ? null : (
        <Suspense>
          <Panels panel={panel} deck={deck} report={report} history={history} onClose={() => setPanel(null)} />
        </Suspense>
      )}
      <OpenDialog />
      <Announcement text={tools.announced} />
    </ReviewToolsContext>
  );
}

/** Tells people who do not see the page which claim was judged last. */
const Announcement = ({ text }: { readonly text: Store<string> }) => (
  <p aria-live="polite" className="sr-only">
    {useValue(text)}
  </p>
);

/**
 * Keeps the focus on what is judged: an answer that a person calls right moves from the folded ones to its chapter, and the row that had the focus
 * is gone.
 *
 * @returns to be called with the subject, before it is judged
 */
function useFocusKept(model: ReviewModel): (subject: VerdictSubject) => void {
  const subject = useRef<VerdictSubject | null>(null);
  useLayoutEffect(() => {
    if (subject.current !== null && document.activeElement === document.body) focusPlace(subject.current);
    subject.current = null;
  }, [model]);
  return useCallback((judged) => {
    if (focusedPlace() !== null) subject.current = judged;
  }, []);
}

/** The tools of the page, with the place that the address leads to. */
function useTools(
  deckId: string,
  report: AnalysisReport,
  shown: { readonly model: ReviewModel; readonly judged: JudgedReport },
  search: ReviewSearch,
): ReviewTools {
  const { analysisId } = report;
  const { level } = report.marks.rule;
  const say = useSay(deckId);
  const current = useRef({ ...shown, report });
  useLayoutEffect(() => {
    current.current = { ...shown, report };
  });
  const keepFocusAt = useFocusKept(shown.model);
  const [selection] = useState(() => createStore<Selection>(placeOf(shown.model, search)));
  const [onlyDeck] = useState(() => createStore(false));
  const [openNote] = useState(() => createStore<string | null>(null));
  const [announced] = useState(() => createStore(''));
  return useMemo(
    () => ({
      deckId,
      analysisId,
      level,
      selection,
      onlyDeck,
      openNote,
      say,
      select: (key, quote = 0) => {
        const stop = current.current.model.byKey.get(key);
        if (stop === undefined) return;
        selection.set({ stop: key, quote, slide: stop.quotes[quote]?.slide ?? selection.get().slide });
      },
      labelOf: (key) => {
        const { model, report: shownReport } = current.current;
        const stop = model.byKey.get(key);
        return stop === undefined ? '' : stopLabel(stop, shownReport, currentLanguage());
      },
      showSlide: (slide) => selection.set({ ...selection.get(), slide }),
      announced,
      judge: (subject, judgement) => {
        const { model, judged, report: said } = current.current;
        const about = model.said.get(subject);
        if (about === undefined) return;
        const isTakenBack = judged.judgements.get(subject)?.text === judgement;
        const text = isTakenBack ? null : judgement;
        keepFocusAt(subject);
        say({ kind: 'judgement', subject, text, reason: null, analysisId }, about);
        const words = humanWords[currentLanguage()];
        const label = subjectLabel(subject, said, currentLanguage()) ?? '';
        announced.set(`${isTakenBack ? words.withdrawn : words.judgement[judgement]}: ${label}`);
      },
    }),
    [deckId, analysisId, level, selection, onlyDeck, openNote, announced, say, keepFocusAt],
  );
}
