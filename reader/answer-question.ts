/**
 * Answers a template question with the deck's own passages: finds those that answer it, quotes them and names their slides and what they stand
 * under. If there are none, the answer is empty: not to find anything is no statement of the
 * deck.
 */
import type { Answering } from '../domain/evidence/answering.ts';
import { hasNegation } from '../domain/evidence/changed-meaning.ts';
import type { AnswerQuestionOutput, EvidenceItem } from '../domain/models/result-schemas.ts';
import { judgeAnswering } from './answering.ts';
import { choosePassages, type Choice } from './choose.ts';
import { extractFunding } from './extract-funding.ts';
import { extractOffering } from './extract-offering.ts';
import type { ReadPrompt } from './prompt.ts';
import type { Subject } from './subject.ts';
import { bare } from './subjects.ts';
import { subjectsOfDeck } from './deck-subjects.ts';
import { statesNothing } from './document-kind.ts';
import { anyFigure } from './figures.ts';
import { type Topic } from './topic.ts';
import { topicOf } from './topics.ts';
import { has } from './words.ts';

const MOST_QUOTES = 4;
/** Most quotes of an answer that only bears on the question. */
const MOST_NEAR = 2;
const LONGEST_ANSWER = 1200;

const OFFERED: ReadonlySet<Subject> = new Set<Subject>([
  'solution',
  'benefit',
  'advantage',
  'company',
  'vision',
  'model',
]);

/** A quote with the headline and headings it stands under. */
export interface Cited extends EvidenceItem {
  readonly above: readonly string[];
}

/** A chosen passage as it is cited, and what the reader's own check says of it. */
interface Judged extends Choice {
  readonly answering: Answering;
}

const cited = ({ passage, answering }: Judged): Cited => ({
  slide: passage.slide.number,
  quote: passage.quote,
  answering,
  above: passage.above,
});

/** What another rule found on the same prompt that answers the question: the ask, the offering. */
function extracted(prompt: ReadPrompt): Cited[] {
  const slug = prompt.question?.slug;
  const value =
    slug === 'funding_requirements'
      ? extractFunding(prompt)
      : slug === 'solution_description'
        ? extractOffering(prompt)
        : null;
  return (value?.evidence ?? [])
    .filter((item) => !isElsewhere(prompt, slug, item.slide))
    .map((item) => ({
      ...item,
      answering: slug === 'funding_requirements' ? 'high' : (item.answering ?? 'some'),
      above: [prompt.slides.find((slide) => slide.number === item.slide)?.title ?? ''].filter(
        (title) => title !== '' && !item.quote.includes(title),
      ),
    }));
}

/** A sentence on the problem or the market is not the solution, whatever product it names. */
function isElsewhere(prompt: ReadPrompt, slug: string | undefined, number: number): boolean {
  const slide = prompt.slides.find((each) => each.number === number);
  if (slug !== 'solution_description' || slide === undefined) return false;
  const subjects = subjectsOfDeck(prompt.slides).get(slide) ?? new Set<Subject>();
  return subjects.size > 0 && ![...subjects].some((subject) => OFFERED.has(subject));
}

/** The answer, with evidence first. */
export function answerQuestion(prompt: ReadPrompt): AnswerQuestionOutput {
  const about = statesNothing(prompt.slides) ? null : topicOf(prompt.question?.slug ?? '', prompt.question?.text ?? '');
  const direct = about === null ? [] : choosePassages(prompt.slides, about);
  const first = extracted(prompt);
  const isNear = direct.length === 0 && first.length === 0;
  const choices = judged(prompt, isNear ? nearest(prompt, about) : direct, isNear);
  const { absent } = about ?? { absent: null };
  const denied = absent === null ? [] : choices.filter(({ passage }) => has(passage.quote, absent));
  const none = denied.length > 0 && choices.every((choice) => denied.includes(choice) || !choice.says);
  const chosen = (none ? denied : choices).slice(0, MOST_QUOTES);
  const rest = chosen
    .map(cited)
    .filter(({ slide, quote }) => !first.some((item) => item.slide === slide && overlap(item.quote, quote)));
  const quotes = [...first, ...rest.slice(0, MOST_QUOTES - first.length).toSorted((a, b) => a.slide - b.slide)];
  if (about === null || quotes.length === 0) return { evidence: [], covered: 'no', answer: '' };
  const figures = about.figure === null || quotes.some(({ quote }) => has(quote, about.figure ?? anyFigure));
  const there = chosen.some((choice) => choice.there) ? 1 : 0;
  const cues = there + chosen.filter((choice) => choice.says).length + first.length;
  // "No competitors" is what the deck says of it, and no answer to who they are.
  const isDenied = none && quotes.every(({ quote }) => hasNegation(quote));
  const isFull = cues >= 2 && figures && !none && !isNear;
  const covered = isDenied ? 'no' : isFull ? 'yes' : 'partly';
  return {
    evidence: quotes.map(({ slide, quote, answering }) => ({ slide, quote, answering })),
    covered,
    answer: answerText(prompt.language, quotes, { none, partly: covered === 'partly', figures }),
  };
}

/** The passages with the check of each; doubtful ones only where there is nothing better. */
function judged({ question }: ReadPrompt, choices: readonly Choice[], isNear: boolean): Judged[] {
  const slug = question?.slug ?? '';
  const about = topicOf(slug, question?.text ?? '');
  const of = isNear ? (about?.near ?? about) : about;
  if (of === null) return [];
  const all = choices.map((choice) => ({ ...choice, answering: judgeAnswering(slug, choice, of, isNear) }));
  const sure = all.filter(({ answering }) => answering !== 'doubtful');
  return sure.length > 0 ? sure : all;
}

/** What bears on the question where nothing answers it. */
const nearest = ({ slides }: ReadPrompt, about: Topic | null): Choice[] =>
  about === null || about.near === null
    ? []
    : choosePassages(slides, about.near)
        .filter(({ passage }) => !passage.quote.endsWith(':'))
        .slice(0, MOST_NEAR);

/** The labels, without those that another one says again but for its numbering. */
function withoutRepeats(labels: readonly string[]): string[] {
  const plain = labels.map((label) => bare(label).toLowerCase());
  return labels.filter((_, index) => {
    const own = plain[index] ?? '';
    return !plain.some((other, at) => (other === own ? at < index : at !== index && isLabelOf(own, other)));
  });
}

/** True when the longer label begins with the shorter one and goes on after it. */
const isLabelOf = (short: string, long: string): boolean =>
  short !== '' && long.startsWith(short) && /^\s*[:–—|-]/u.test(long.slice(short.length));

/** An answer of these quotes, which answer the question in part. */
export function answerOf(language: 'en' | 'de', found: readonly Cited[]): AnswerQuestionOutput {
  const quotes = found.slice(0, MOST_QUOTES);
  return {
    evidence: quotes.map(({ slide, quote, answering }) => ({ slide, quote, answering })),
    covered: 'partly',
    answer: answerText(language, quotes, { none: false, partly: true, figures: true }),
  };
}

const overlap = (a: string, b: string): boolean => a.includes(b) || b.includes(a);

function answerText(
  language: 'en' | 'de',
  quotes: readonly Cited[],
  { none, partly, figures }: { readonly none: boolean; readonly partly: boolean; readonly figures: boolean },
): string {
  const german = language === 'de';
  const parts: string[] = [];
  if (none) parts.push(german ? 'Nach dem Deck gibt es keine.' : 'The deck says that there are none.');
  let place = '';
  for (const { slide, quote, above } of quotes) {
    const under = withoutRepeats(above)
      .map((label) =>
        label
          .replaceAll(/[()\n]/gu, ' ')
          .trim()
          .slice(0, 80),
      )
      .join('; ');
    const here = `${german ? 'Folie' : 'Slide'} ${slide}${under === '' ? '' : ` (${under})`}:`;
    const words = german ? `„${quote}“` : `"${quote}"`;
    parts.push(here === place ? words : `${here} ${words}`);
    place = here;
  }
  if (!figures) parts.push(german ? 'Eine Zahl dazu wurde nicht gefunden.' : 'No figure for it was found.');
  else if (partly && !none) parts.push(german ? 'Mehr wurde dazu nicht gefunden.' : 'Nothing more on it was found.');
  let text = '';
  for (const part of parts) {
    const next = text === '' ? part : `${text} ${part}`;
    if (next.length <= LONGEST_ANSWER) text = next;
  }
  return text;
}
