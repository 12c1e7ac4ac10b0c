/** The findings of a review, section by section, with their contents on top. */
import { memo, useMemo } from 'react';
import type { DeckEntry } from '../../../domain/decks/list/entry.ts';
import type { AnalysisReport } from '../../../domain/decks/report.ts';
import type { JudgedReport } from '../../../domain/decks/verdicts/overlay.ts';
import { isUnderWay } from '../../decks/actions/perform.ts';
import { useValue } from '../../store.ts';
import { useElementSize } from '../../ui/element-size.ts';
import { Checkbox } from '../../ui/field.tsx';
import { useMedia } from '../../ui/media.ts';
import { useWords } from '../../words/language.ts';
import { RunState } from '../run/state.tsx';
import type { ReviewModel } from '../selection/stops.ts';
import { useReviewTools } from '../tools.ts';
import { IS_WIDE } from '../width.ts';
import { pageWords, SECTIONS, type SectionName } from '../words.ts';
import { Chapters } from './chapters.tsx';
import { Contradictions } from './contradictions.tsx';
import { Feedback } from './feedback.tsx';
import { FounderSection } from './founder.tsx';
import { groupQuestions } from './grouping.ts';
import { hasReadings } from './reading-points.ts';
import { Readings } from './readings.tsx';
import { sectionId } from './section.tsx';
import { Strengths } from './strengths.tsx';
import { Summary } from './summary.tsx';
import { invisibleOf, Warnings } from './warnings.tsx';

/** The sections that a report has something for; none where the run failed before it found anything. */
function sectionsOf(report: AnalysisReport, onlyDeck: boolean): SectionName[] {
  const isBegun = report.extractions.some(({ status }) => status !== 'not_asked');
  const isAsked = report.chapters.some((chapter) => groupQuestions(chapter).unasked.length < chapter.questions.length);
  const isThere: Readonly<Record<SectionName, boolean>> = {
    summary: isBegun || isAsked,
    strengths: isAsked && !onlyDeck,
    missing: (isBegun || isAsked) && !onlyDeck,
    contradictions: isAsked,
    warnings: report.steering.length + invisibleOf(report).length > 0,
    chapters: isAsked,
    readings: hasReadings(report.specialised),
    feedback: !onlyDeck && report.slides.some(({ feedback }) => feedback !== null),
  };
  return SECTIONS.filter((name) => isThere[name]);
}

/** Padding of the contents, which their measured height leaves out. */
const CONTENTS_PADDING_PX = 9;

const COVERED = (height: number): Record<`--${string}`, string> => ({
  '--covered': `${height + CONTENTS_PADDING_PX}px`,
});

/** The sections of the page, to go to. */
const Contents = memo(function Contents({ sections }: { readonly sections: readonly SectionName[] }) {
  const words = useWords(pageWords);
  return (
    <nav aria-label={words.contents} className="no-print min-w-0 grow">
      <ul className="flex gap-0.5 overflow-x-auto">
        {sections.map((name) => (
          <li key={name}>
            <button
              type="button"
              onClick={() => document.getElementById(sectionId(name))?.scrollIntoView({ block: 'start' })}
              className="rounded px-2 py-1.5 text-sm whitespace-nowrap text-soft hover:bg-raised hover:text-ink"
            >
              {{ ...words.sections, ...words.shortSections }[name]}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
});

/** The findings. */
export const Findings = memo(function Findings({
  deck,
  report,
  model,
  judged,
  company,
}: {
  readonly deck: DeckEntry;
  readonly report: AnalysisReport;
  readonly model: ReviewModel;
  readonly judged: JudgedReport;
  readonly company: string | null;
}) {
  const words = useWords(pageWords);
  const tools = useReviewTools();
  const onlyDeck = useValue(tools.onlyDeck);
  // How much of the findings their contents cover; on narrow windows it is the slide that covers them.
  const isWide = useMedia(IS_WIDE);
  const [contentsRef, { height }] = useElementSize<HTMLDivElement>();
  const sections = useMemo(() => sectionsOf(report, onlyDeck), [report, onlyDeck]);
  const common = { model, judged, onlyDeck };
  const render = (name: SectionName) => {
    switch (name) {
      case 'summary':
        return <Summary key={name} report={report} canReplay={!isUnderWay(deck)} {...common} />;
      case 'strengths':
        return <Strengths key={name} model={model} judged={judged} />;
      case 'missing':
        return <FounderSection key={name} report={report} model={model} company={company} />;
      case 'contradictions':
        return <Contradictions key={name} contradictions={report.contradictions} />;
      case 'warnings':
        return <Warnings key={name} report={report} model={model} />;
      case 'chapters':
        return <Chapters key={name} report={report} {...common} />;
      case 'readings':
        return <Readings key={name} specialised={report.specialised} {...common} />;
      case 'feedback':
        return <Feedback key={name} slides={report.slides} />;
    }
  };
  return (
    <section
      aria-label={words.findings}
      className="relative min-w-0 bg-panel min-[1000px]:overflow-y-auto print:overflow-visible"
      style={isWide ? COVERED(height) : undefined}
    >
      <div
        ref={contentsRef}
        className="no-print z-10 flex flex-wrap items-center gap-x-3 border-b border-line bg-panel px-2 py-1 min-[1000px]:sticky min-[1000px]:top-0"
      >
        <Contents sections={sections} />
        <span title={words.onlyDeckHint} hidden={sections.length === 0 && !onlyDeck}>
          <Checkbox
            label={words.onlyDeck}
            checked={onlyDeck}
            onChange={({ target }) => tools.onlyDeck.set(target.checked)}
          />
        </span>
      </div>
      <RunState deck={deck} report={report} />
      {sections.map(render)}
    </section>
  );
});
