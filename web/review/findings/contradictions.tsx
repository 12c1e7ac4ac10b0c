/** Statements of the deck that cannot both be right, beside each other. */
import { memo } from 'react';
import type { AnalysisReport, ReportContradiction } from '../../../domain/decks/report.ts';
import { useLanguage, useWords } from '../../words/language.ts';
import { contradictionLabel } from '../labels.ts';
import { contradictionKey } from '../selection/stops.ts';
import { useStore } from '../../store.ts';
import { useReviewTools } from '../tools.ts';
import { pageWords } from '../words.ts';
import { Place } from './place.tsx';
import { SlideNumber } from './quotes.tsx';
import { Section } from './section.tsx';

/** The section. */
export const Contradictions = memo(function Contradictions({
  contradictions,
}: {
  readonly contradictions: AnalysisReport['contradictions'];
}) {
  const words = useWords(pageWords);
  return (
    <Section name="contradictions" count={contradictions.length}>
      {contradictions.length === 0 ? <p className="px-3 text-soft">{words.noContradictions}</p> : null}
      {contradictions.map((contradiction, index) => (
        <Contradiction key={contradictionKey(index)} place={contradictionKey(index)} contradiction={contradiction} />
      ))}
    </Section>
  );
});

function Contradiction({
  place,
  contradiction,
}: {
  readonly place: string;
  readonly contradiction: ReportContradiction;
}) {
  const words = useWords(pageWords);
  const language = useLanguage();
  const { kind, first, second } = contradiction;
  const label = contradictionLabel(contradiction, language);
  return (
    <Place place={place} label={label}>
      <h3 className="font-medium">{label}</h3>
      <div className="mt-1 grid gap-2 sm:grid-cols-[1fr_auto_1fr]">
        <Side
          place={place}
          index={0}
          side={first}
          value={kind === 'total' ? words.partsSum(first.value) : first.value}
        />
        <span className="self-center text-sm text-soft">{words.against}</span>
        <Side place={place} index={1} side={second} value={second.value} />
      </div>
    </Place>
  );
}

function Side({
  place,
  index,
  side: { slide, quote },
  value,
}: {
  readonly place: string;
  readonly index: number;
  readonly side: ReportContradiction['first'];
  readonly value: string;
}) {
  const words = useWords(pageWords);
  const { select, selection } = useReviewTools();
  const isShown = useStore(selection, (shown) => shown.stop === place && shown.quote === index);
  return (
    <button
      type="button"
      aria-current={isShown ? 'true' : undefined}
      onClick={() => select(place, index)}
      className="flex flex-col items-start gap-1 rounded border border-line bg-panel p-2 text-left text-sm select-text hover:border-edge aria-[current]:border-accent"
    >
      <span className="font-semibold">{value}</span>
      <span className="text-soft">{words.quoted(quote)}</span>
      <SlideNumber slide={slide} isShown={isShown} />
    </button>
  );
}
