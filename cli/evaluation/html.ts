/**
 * An evaluation, or two beside each other, as one self-contained HTML page: no script, no request to anywhere.
 *
 * Names of files, values and answers come from decks; `html` templates escape them. Only our own style sheet is put in raw.
 */
import { html } from 'hono/html';
import { dataTable, htmlPage, type Markup } from '../../api/pages/page.ts';
import type { ComparedValue, EvaluationComparison } from '../../domain/evaluation/compare.ts';
import type { DeckEvaluation, Evaluation } from '../../domain/evaluation/evaluation.ts';
import type { Outcome } from '../../domain/evaluation/judge.ts';
import { counted } from '../../domain/text/words.ts';
import {
  FIELD_HEAD,
  FIELD_NAMES,
  fieldCells,
  figure,
  fraction,
  interval,
  makingName,
  noticesOf,
  OUTCOME_NAMES,
  quoteWords,
  USAGE_HEAD,
  usageCells,
} from './words.ts';

const STYLE = `
table { border-collapse: collapse; width: 100%; font-size: .92rem; } th, td { text-align: left; vertical-align: top;
  padding: .3rem .8rem .3rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
thead th { border-top: 0; color: var(--soft); font-weight: 500; } section { overflow-x: auto; }
td.number, th.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
main { max-width: 76rem; } .outcome { white-space: nowrap; font-size: .85rem; }
`;

type Piece = Markup | '';
type Cell = Markup | string;

/** The page. @param comparison of the two evaluations; null for one */
export function renderEvaluationHtml(
  evaluations: readonly Evaluation[],
  comparison: EvaluationComparison | null,
): string {
  const title = `Evaluation ${evaluations.map(({ run }) => run.id).join(' and ')}`;
  const body = html`<main>
    ${comparison === null ? '' : comparisonPart(comparison)} ${evaluations.map(evaluationPart)}
  </main>`;
  return htmlPage({ language: 'en', title, body, style: STYLE });
}

function evaluationPart(evaluation: Evaluation): Markup {
  const { run, making, figures, decks } = evaluation;
  const { questions, quotes } = figures;
  return html`<header class="card">
      <h1>Evaluation ${run.id}</h1>
      <p>
        ${counted(figures.decks, 'deck')}, ${figures.finished} with a review, ${figures.labelled} labelled;
        ${counted(figures.invented, 'invented value')}.
      </p>
      ${noticesOf(evaluation).map((notice) => html`<p class="notice">${notice}</p>`)}
      <dl class="facts">
        ${fact('Folder', run.folder)} ${fact('Labels', run.labels)} ${fact('Begun', run.createdAt)}
        ${fact('Engine', making.engines.join(', '))} ${fact('Templates', making.templates.join(', '))}
        ${fact('Code', making.code === null ? '' : `${making.code.commit ?? ''} ${making.code.hash.slice(0, 12)}`)}
      </dl>
    </header>
    ${table('Values', FIELD_HEAD, figures.fields.map(fieldCells), 1)}
    <section>
      <h2>Questions and quotes</h2>
      <dl class="facts">
        ${fact('The deck answers it', shareWords('answered', questions.answered))}
        ${fact('The deck does not answer it', shareWords('without an answer', questions.rightlyNone))}
        ${
          questions.scores.compared === 0
            ? ''
            : fact(
                'Scores beside their labels',
                `${questions.scores.compared}, mean distance ${figure(questions.scores.meanDistance)}, kappa ${figure(questions.scores.kappa)}`,
              )
        }
        ${fact('Quotes of answers', quoteWords(quotes.answers))}
        ${fact('Quotes of values and readings', quoteWords(quotes.values))}
      </dl>
    </section>
    ${table(
      'Decks',
      ['deck', 'status', ...USAGE_HEAD],
      [
        ...decks.map((deck) => [deck.file, deck.status.replaceAll('_', ' '), ...usageCells(deck.usage)]),
        ['all', '', ...usageCells(figures.usage)],
      ],
      2,
    )}
    <section>
      <h2>Deck by deck</h2>
      ${decks.map(deckPart)}
    </section>
    ${table(
      'Models and prompts',
      ['task', 'model', 'prompt'],
      making.tasks.map(({ task, models, promptVersions }) => [task, models.join(', '), promptVersions.join(', ')]),
      3,
    )}`;
}

const fact = (name: string, value: string): Piece =>
  value.trim() === ''
    ? ''
    : html`<dt>${name}</dt>
        <dd>${value}</dd>`;

const shareWords = (what: string, share: Parameters<typeof fraction>[0]): string =>
  share.of === 0 ? '' : `${fraction(share)} ${what}, ${interval(share)}`;

const COLOURS: Readonly<Record<Outcome, string>> = {
  right: 'good',
  rightly_none: 'good',
  partly: 'medium',
  not_graded: 'medium',
  missed: 'medium',
  wrong: 'weak',
  invented: 'weak',
};

const outcomeBadge = (outcome: Outcome): Markup =>
  html`<span class="outcome ${COLOURS[outcome]}">${OUTCOME_NAMES[outcome]}</span>`;

const valueCell = (value: string | null): Markup =>
  value === null ? html`<span class="absent">none</span>` : html`${value}`;

/** Every field of a deck, and the questions in which it differs from its labels. */
function deckPart(deck: DeckEvaluation): Markup {
  const { file, fields, judgedQuestions, questions, failure, labelled } = deck;
  const differing = judgedQuestions.filter(
    ({ outcome, score, wantedAnswer }) =>
      outcome === 'missed' ||
      outcome === 'invented' ||
      wantedAnswer !== null ||
      (score.wanted !== null && score.wanted !== score.found),
  );
  const answerOf = (slug: string): string | null => questions.find((each) => each.slug === slug)?.answer ?? null;
  const right = fields.filter(({ outcome }) => outcome === 'right' || outcome === 'rightly_none').length;
  return html`<details>
    <summary>
      <h3>${file}</h3>
      <span class="soft">${labelled ? `${right} of ${fields.length} values right` : 'not labelled'}</span>
    </summary>
    ${failure === null ? '' : html`<p class="notice bad">${failure.message} (${failure.code})</p>`}
    ${dataTable(
      ['value', '', 'found', 'label'],
      fields.map((each) => [
        FIELD_NAMES[each.field],
        outcomeBadge(each.outcome),
        valueCell(each.found),
        valueCell(each.wanted),
      ]),
      4,
    )}
    ${dataTable(
      ['question', '', 'score', 'labelled score', 'answer', 'labelled answer'],
      differing.map(({ slug, outcome, score, wantedAnswer }) => [
        slug,
        outcome === null ? '' : outcomeBadge(outcome),
        figure(score.found, 0),
        figure(score.wanted, 0),
        valueCell(answerOf(slug)),
        wantedAnswer ?? '',
      ]),
      6,
    )}
    <p class="soft">
      Quotes of answers: ${quoteWords(deck.quotes.answers)}. Of values and readings: ${quoteWords(deck.quotes.values)}.
    </p>
  </details>`;
}

function comparisonPart(comparison: EvaluationComparison): Markup {
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
      </dl>
      ${only('A', onlyInA)} ${only('B', onlyInB)}
      ${making.length === 0 ? html`<p>Both were made in the same way.</p>` : ''}
    </header>
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

/** A section with a table; nothing without rows. @param words leading columns that are words; the others are figures */
function table(title: string, head: readonly string[], cells: readonly (readonly Cell[])[], words: number): Piece {
  if (cells.length === 0) return '';
  return html`<section>
    <h2>${title}</h2>
    ${dataTable(head, cells, words)}
  </section>`;
}
