/** What could be better on single slides. */
import { memo } from 'react';
import type { AnalysisReport } from '../../../domain/decks/report.ts';
import { useReviewTools } from '../tools.ts';
import { useStore } from '../../store.ts';
import { SlideNumber } from './quotes.tsx';
import { Section } from './section.tsx';

/** The section; nothing where no slide has feedback. */
export const Feedback = memo(function Feedback({ slides }: { readonly slides: AnalysisReport['slides'] }) {
  const { showSlide, selection } = useReviewTools();
  const shown = useStore(selection, ({ slide }) => slide);
  const items = slides.flatMap(({ number, feedback }) => (feedback === null ? [] : [{ number, feedback }]));
  if (items.length === 0) return null;
  return (
    <Section name="feedback" count={items.length}>
      <ul>
        {items.map(({ number, feedback }) => (
          <li key={number}>
            <button
              type="button"
              onClick={() => showSlide(number)}
              className="flex w-full items-baseline gap-2 rounded px-3 py-1.5 text-left text-sm select-text hover:bg-raised"
            >
              <SlideNumber slide={number} isShown={shown === number} />
              <span>{feedback}</span>
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
});
