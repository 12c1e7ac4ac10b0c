/** The part of the page that shows two evaluations beside each other. */
import { html } from 'hono/html';
import type { Markup } from '../../api/pages/page.ts';
import type { ComparedValue, EvaluationComparison } from '../../domain/evaluation/compare.ts';
import { counted } from '../../domain/text/words.ts';
import { fact, outcomeBadge, table, valueCell, type Piece } from './html-parts.ts';
import {
  COMPARED_HEAD,
  comparedRows,
  FIELD_NAMES,
  figure,
  makingName,
  quoteWords,
  USAGE_HEAD,
  usageCells,
} from './words.ts';

/** The comparison. */
export function comparisonPart(comparison: EvaluationComparison): Markup {
  const { a, b, making, fields, questions, allQuestions: all, decks, sameDecks, onlyInA, onlyInB } = comparison;
  const only = (side: string, files: readonly string[]): Piece =>
    files.length === 0 ? '' : html`<p class="notice">Only in ${side}: ${files.join(', ')}.</p>`;
  return html`<header class="card">
      <h1>Comparison of two evaluations</h1>
      <dl class="facts">
        ${fact('A', a.run.id)} ${fact('B', b.run.id)}
        ${fact(
          'Scores',
          `${all.scored} given by both, ${all.same} the same, mean distance ${figure(all.meanDistance)}, mean change ${figure(all.meanChange)}, kappa ${figure(all.kappa)}`,
        )}
        ${fact('Decks without a difference', String(sameDecks))}
        ${fact('Quotes of answers, A', quoteWords(a.figures.quotes.answers))}
        ${fact('Quotes of answers, B', quoteWords(b.figures.quotes.answers))}
      </dl>
      ${only('A', onlyInA)} ${only('B', onlyInB)}
      ${making.length === 0 ? html`<p>Both were made in the same way.</p>` : ''}
    </header>
    ${table('Values', COMPARED_HEAD, comparedRows(comparison), 1)}
    ${table(
      'What the reviews took',
      ['', ...USAGE_HEAD],
      [
        ['A', ...usageCells(a.figures.usage)],
        ['B', ...usageCells(b.figures.usage)],
      ],
      1,
    )}
    ${table(
      'What differs in how they were made',
      ['', 'A', 'B'],
      making.map((change) => [makingName(change), valueCell(change.a), valueCell(change.b)]),
      3,
    )}
    ${fields.map(({ field, changed }) =>
      table(
        `${FIELD_NAMES[field]}: ${counted(changed.length, 'deck')} with another value`,
        ['deck', 'A', 'B', 'label'],
        changed.map((deck) => [deck.file, comparedCell(deck.a), comparedCell(deck.b), deck.wanted ?? '']),
        4,
      ),
    )}
    ${table(
      'Agreement by question',
      ['question', 'decks', 'same', 'mean distance', 'mean change', 'kappa'],
      questions.map((each) => [
        each.slug,
        String(each.scored),
        String(each.same),
        figure(each.meanDistance),
        figure(each.meanChange),
        figure(each.kappa),
      ]),
      1,
    )}
    ${table(
      'Decks that differ, most first',
      ['deck', 'mean distance of scores', 'other values', 'other scores (A → B)'],
      decks.map((deck) => [
        deck.file,
        figure(deck.meanDistance),
        deck.changedFields.map((field) => FIELD_NAMES[field]).join(', '),
        deck.changedScores.map((each) => `${each.slug} ${each.a ?? '–'} → ${each.b ?? '–'}`).join(', '),
      ]),
      4,
    )}`;
}

const comparedCell = ({ found, outcome }: ComparedValue): Markup =>
  html`${valueCell(found)} ${outcome === null ? '' : outcomeBadge(outcome)}`;
