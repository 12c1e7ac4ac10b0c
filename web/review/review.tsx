/** A review beside its slides: the head, the findings, the slide, and the panels that open over them. */
import { lazy, Suspense, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { DeckEntry } from '../../domain/decks/list/entry.ts';
import type { AnalysisReport } from '../../domain/decks/report.ts';
import { currentVerdicts, withVerdicts } from '../../domain/decks/verdicts/overlay.ts';
import type { HumanVerdict } from '../../domain/decks/verdicts/human-verdict.ts';
import { OpenDialog } from '../decks/actions/open-dialog.tsx';
import { createStore } from '../store.ts';
import { useWords } from '../words/language.ts';
import { Findings } from './findings/findings.tsx';
import { ReviewHeader } from './header/header.tsx';
import type { ReviewPanel } from './header/menu.tsx';
import { headerWords } from './header/words.ts';
import { useSay } from './human/use-say.ts';
import { slideMarks } from './marks.ts';
import type { ReviewSearch } from './search.ts';
import { placeOf, reviewModel } from './selection/stops.ts';
import { useAddress } from './selection/use-address.ts';
import { useClaimKeys } from './selection/use-claim-keys.ts';
import { ReviewToolsContext, type ReviewTools, type Selection } from './tools.ts';
import { SlidePane } from './viewer/pane.tsx';

// What opens over the page is loaded when it is first opened.
const Panels = lazy(async () => ({ default: (await import('./panels.tsx')).Panels }));

/** The review of one run. */
export function Review({
  deck,
  report,
  history,
  search,
}: {
  readonly deck: DeckEntry;
  readonly report: AnalysisReport;
  readonly history: readonly HumanVerdict[];
  /** Where the address leads at first. */
  readonly search: ReviewSearch;
}) {
  const model = useMemo(() => reviewModel(report), [report]);
  const judged = useMemo(() => withVerdicts(report, currentVerdicts(history)), [report, history]);
  const marks = useMemo(() => slideMarks(report, model, judged), [report, model, judged]);
  const [panel, setPanel] = useState<ReviewPanel | null>(null);
  const tools = useTools(deck.id, report.analysisId, model, search);
  const company = judged.values.get('company_name')?.human?.text ?? report.company;
  const title = useWords(headerWords).title(company ?? deck.fileName);
  useAddress(tools.selection);
  useClaimKeys(model, tools, () => setPanel('keys'));
  return (
    <ReviewToolsContext value={tools}>
      <title>{`${title} · Deckhand`}</title>
      <div className="relative flex min-w-0 grow flex-col min-[1000px]:h-[calc(100dvh-3.25rem)] min-[1000px]:overflow-hidden print:h-auto print:overflow-visible">
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
    </ReviewToolsContext>
  );
}

/** The tools of the page, with the place that the address leads to. */
function useTools(
  deckId: string,
  analysisId: string,
  model: ReturnType<typeof reviewModel>,
  search: ReviewSearch,
): ReviewTools {
  const say = useSay(deckId);
  const current = useRef(model);
  useLayoutEffect(() => {
    current.current = model;
  });
  const [selection] = useState(() => createStore<Selection>(placeOf(model, search)));
  const [openNote] = useState(() => createStore<string | null>(null));
  return useMemo(
    () => ({
      deckId,
      analysisId,
      selection,
      openNote,
      say,
      select: (key, quote = 0) => {
        const stop = current.current.byKey.get(key);
        if (stop === undefined) return;
        selection.set({ stop: key, quote, slide: stop.quotes[quote]?.slide ?? selection.get().slide });
      },
      showSlide: (slide) => selection.set({ ...selection.get(), slide }),
    }),
    [deckId, analysisId, selection, openNote, say],
  );
}
