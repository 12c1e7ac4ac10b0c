/**
 * An evaluation, or two beside each other, as one self-contained HTML page: no script, no request to anywhere.
 *
 * Names of files, values and answers come from decks; `html` templates escape them. Only our own style sheet is put in raw.
 */
import { html } from 'hono/html';
import { dataTable, htmlPage, type Markup } from '../../api/pages/page.ts';
import type { EvaluationComparison } from '../../domain/evaluation/compare.ts';
import type { DeckEvaluation, Evaluation } from '../../domain/evaluation/evaluation.ts';
import type { Judgement, Outcome } from '../../domain/evaluation/judge.ts';
import { counted } from '../../domain/text/words.ts';
import { comparisonPart } from './html-comparison.ts';
import { fact, outcomeBadge, table, valueCell, type Cell } from './html-parts.ts';
import {
  FIELD_HEAD,
  FIELD_NAMES,
  fieldCells,
  figure,
  fraction,
  interval,
  noticesOf,
  quoteWords,
  USAGE_HEAD,
  usageCells,
} from './words.ts';

const STYLE = `
table { border-collapse: collapse; width: 100%; font-size: .92rem; } th, td { text-align: left; vertical-align: top;
  padding: .3rem .8rem .3rem 0; border-top: 1px solid var(--line); overflow-wrap: break-word; }
td:first-child { min-width: 9rem; overflow-wrap: anywhere; }
thead th { border-top: 0; color: var(--soft); font-weight: 500; } section { overflow-x: auto; }
td.number, th.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
summary h3::before { content: "▸ "; color: var(--soft); } details[open] > summary h3::before { content: "▾ "; }
main { max-width: 76rem; } .outcome { white-space: nowrap; font-size: .85rem; }
`;

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
    ${table('Values that are not right', ['deck', 'value', '', 'found', 'label'], decks.flatMap(faultRows), 5)}
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

const shareWords = (what: string, share: Parameters<typeof fraction>[0]): string =>
  share.of === 0 ? '' : `${fraction(share)} ${what}, ${interval(share)}`;

/** Rows of the values of a deck that are not right. */
const faultRows = ({ file, fields }: DeckEvaluation): Cell[][] =>
  fields.filter(({ outcome }) => !isRight(outcome)).map((each) => [file, ...judgementCells(each)]);

const isRight = (outcome: Outcome): boolean => outcome === 'right' || outcome === 'rightly_none';

const judgementCells = ({ field, outcome, found, wanted }: Judgement): Cell[] => [
  FIELD_NAMES[field],
  outcomeBadge(outcome),
  valueCell(found),
  valueCell(wanted),
];

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
  const right = fields.filter(({ outcome }) => isRight(outcome)).length;
  return html`<details>
    <summary>
      <h3>${file}</h3>
      <span class="soft">${labelled ? `${right} of ${fields.length} values right` : 'not labelled'}</span>
    </summary>
    ${failure === null ? '' : html`<p class="notice bad">${failure.message} (${failure.code})</p>`}
    ${dataTable(['value', '', 'found', 'label'], fields.map(judgementCells), 4)}
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
