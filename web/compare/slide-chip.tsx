/** A small link to a slide: it opens the review at the claim. */
import { Link } from '@tanstack/react-router';
import { classes } from '../ui/classes.ts';
import { useWords } from '../words/language.ts';
import type { Column } from './model.ts';
import { compareWords } from './words.ts';

/** The link. `claim` as verdicts name it: `question/churn_analysis`. */
export function SlideChip({
  column,
  claim,
  slide,
  isProved,
  quote,
}: {
  readonly column: Column;
  readonly claim: string;
  readonly slide: number;
  readonly isProved: boolean;
  /** Words that are not shown beside it. */
  readonly quote?: string;
}) {
  const words = useWords(compareWords);
  return (
    <Link
      to="/decks/$deckId"
      params={{ deckId: column.deck.id }}
      search={{ analysis: column.report.analysisId, claim, slide }}
      aria-label={words.openSlide(slide, column.name)}
      title={[isProved ? words.openSlide(slide, column.name) : words.unproved, quote].join('\n').trim()}
      className={classes(
        'inline-block rounded border px-1.5 text-xs font-medium whitespace-nowrap no-underline hover:underline',
        isProved ? 'border-line bg-accent-tint text-accent' : 'border-warn bg-warn-tint text-warn',
      )}
    >
      {words.slide(slide)}
    </Link>
  );
}
