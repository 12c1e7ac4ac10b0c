/** What one review says on a question: score, answer, quotes with their slides, and what of it is new or gone. */
import { Fragment, type ReactNode } from 'react';
import { markedQuotes, markedText, type MarkedQuote, type Side } from '../../domain/decks/compare/marked-quotes.ts';
import type { QuestionCell } from '../../domain/decks/compare/side-by-side.ts';
import type { WordRun } from '../../domain/decks/compare/words.ts';
import type { ReportEvidence } from '../../domain/decks/report.ts';
import { isProof, notShownYet, proofFirst } from '../../domain/decks/review/proof.ts';
import { reviewWords } from '../../domain/decks/review/words.ts';
import { QuoteMarks } from '../marks/quote-marks.tsx';
import { Disclosure } from '../ui/disclosure.tsx';
import { useLanguage, useWords } from '../words/language.ts';
import type { Column } from './model.ts';
import { Score } from './score.tsx';
import { SlideChip } from './slide-chip.tsx';
import { compareWords } from './words.ts';

/** Quotes that are shown at once. */
const SHOWN = 2;

/** The other review whose differences are marked. */
export interface Marking {
  readonly side: Side;
  readonly text: string | null;
  readonly evidence: readonly ReportEvidence[];
}

/** The answer to a question. */
export function Answer({
  column,
  cell,
  marking,
}: {
  readonly column: Column;
  readonly cell: QuestionCell | null;
  readonly marking: Marking | null;
}) {
  const words = useWords(compareWords);
  const language = useLanguage();
  if (cell === null) return <span className="text-soft italic">{words.notAskedHere}</span>;
  const { question, statement, absence, score, human } = cell;
  return (
    <div className="flex flex-col gap-1">
      <Score score={score} machine={question.score} author={human?.author ?? null} isWhole />
      {human === null || human.reason === null ? null : <p className="text-xs text-soft">{human.reason}</p>}
      {absence === null ? null : <p className="text-soft italic">{reviewWords[language].absence[absence]}</p>}
      {statement === null || statement.verbatim ? null : <Text text={statement.text} marking={marking} />}
      <Quotes
        column={column}
        claim={`question/${question.slug}`}
        evidence={quotesOf(cell)}
        marking={marking}
        isFolded={statement !== null && !statement.verbatim}
      />
    </div>
  );
}

/** The quotes of an answer; those of one that its own check does not support answer nothing. */
export const quotesOf = ({ absence, question }: QuestionCell): readonly ReportEvidence[] =>
  absence === 'not_supported' ? [] : question.evidence;

/** A text with what the other review has in other words. */
export function Text({ text, marking }: { readonly text: string; readonly marking: Marking | null }) {
  const runs = marking === null || marking.text === null ? null : markedText(text, marking.text, marking.side);
  return <p>{runs === null ? text : <Runs runs={runs} />}</p>;
}

/** Quotes, those that prove something first; all but the first are folded. */
export function Quotes({
  column,
  claim,
  evidence,
  marking,
  isFolded = false,
}: {
  readonly column: Column;
  readonly claim: string;
  readonly evidence: readonly ReportEvidence[];
  readonly marking: Marking | null;
  readonly isFolded?: boolean;
}) {
  const words = useWords(compareWords);
  const quotes = notShownYet(proofFirst(evidence), new Set());
  if (quotes.length === 0) return null;
  const marked: readonly MarkedQuote[] =
    marking === null
      ? quotes.map((each) => ({ evidence: each, runs: [{ kind: 'same', text: each.quote }] }))
      : markedQuotes(quotes, marking.evidence, marking.side);
  // What changed is never folded away, and what did not is when something did.
  const changed = marked.filter(({ runs }) => runs.some(({ kind }) => kind !== 'same'));
  const shown = changed.length > 0 ? changed : marked.slice(0, isFolded ? 1 : SHOWN);
  const rest = marked.filter((each) => !shown.includes(each));
  const item = (each: MarkedQuote): ReactNode => (
    <li key={`${each.evidence.slide} ${each.evidence.quote}`}>
      <q className="text-ink">
        <Runs runs={each.runs} />
      </q>{' '}
      <SlideChip column={column} claim={claim} slide={each.evidence.slide} isProved={isProof(each.evidence)} />{' '}
      <QuoteMarks quote={each.evidence} level={column.report.marks.rule.level} />
    </li>
  );
  return (
    <>
      <ul className="flex flex-col gap-1">{shown.map(item)}</ul>
      {rest.length === 0 ? null : (
        <Disclosure title={words.moreQuotes(rest.length)} className="print:hidden">
          <ul className="mt-1 flex flex-col gap-1">{rest.map(item)}</ul>
        </Disclosure>
      )}
    </>
  );
}

/** Runs of words: removed ones struck out, added ones underlined. */
export function Runs({ runs }: { readonly runs: readonly WordRun[] }) {
  return runs.map(({ kind, text }, index) => (
    // Runs have no other identity than their place.
    <Fragment key={`${index} ${kind}`}>
      {index === 0 ? '' : ' '}
      {kind === 'same' ? (
        text
      ) : kind === 'removed' ? (
        <del className="bg-bad-tint text-bad">{text}</del>
      ) : (
        <ins className="bg-good-tint text-good">{text}</ins>
      )}
    </Fragment>
  ));
}
