/** Judges what came back from the probes of a model: pure, and told nothing of a server's protocol. */
import { z } from 'zod';
import type { Thinking } from '../attempt-plan.ts';
import { jsonIn } from '../model-output.ts';
import type { ModelFindings } from './findings.ts';

/** One answer to a probe. Times in ms; `firstTokenMs` and `endMs` since the request was sent. */
export interface TrialAnswer {
  readonly text: string;
  readonly thinkingChars: number;
  /** It was cut off at its limit of tokens. */
  readonly isCut: boolean;
  readonly promptTokens: number;
  readonly outputTokens: number;
  /** Timings of reading and writing as the server reports them; null where it does not. */
  readonly readMs: number | null;
  readonly writeMs: number | null;
  readonly firstTokenMs: number;
  readonly endMs: number;
}

/** The answer of a probe, or why there is none. */
export type TrialOutcome =
  | ({ readonly kind: 'answered' } & TrialAnswer)
  /** The server answered with an error. */
  | { readonly kind: 'failed'; readonly message: string }
  /** No answer came in the time that it had. */
  | { readonly kind: 'late'; readonly limitMs: number };

/** How good an answer is, worst first. */
const GRADES = ['nothing', 'words', 'json_inside', 'json', 'right'] as const;
export type AnswerGrade = (typeof GRADES)[number];

const rank = (grade: AnswerGrade): number => GRADES.indexOf(grade);

const ASKED_WORD = 'harbour';
const ASKED_COUNT = 7;

/** The question that is asked several times, and the schema of its answer, which has an object within. */
export const QUESTION = {
  user: `Answer in JSON: "word" is "${ASKED_WORD}", "count" is ${ASKED_COUNT}, "place" holds "city", the capital of France.`,
  schema: z.strictObject({
    word: z.string().max(40),
    count: z.int().min(0).max(99),
    place: z.strictObject({ city: z.string().max(40) }),
  }),
} as const;

const rightSchema = z.object({ word: z.string(), count: z.number() });

/** Grades one answer to {@link QUESTION}. */
export function gradeAnswer(outcome: TrialOutcome): AnswerGrade {
  if (outcome.kind !== 'answered') return 'nothing';
  const text = outcome.text.trim();
  if (text === '') return 'nothing';
  const found = objectIn(text);
  if (found === null) return 'words';
  const right = rightSchema.safeParse(found.value);
  if (right.success && right.data.word.toLowerCase().includes(ASKED_WORD) && right.data.count === ASKED_COUNT)
    return found.isAlone ? 'right' : 'json_inside';
  return found.isAlone ? 'json' : 'json_inside';
}

/** True where the answer holds JSON. */
export const isUsable = (grade: AnswerGrade): boolean => rank(grade) >= rank('json_inside');

/** The first JSON object of an answer, and whether the answer is nothing else; null = there is none. */
function objectIn(text: string): { readonly value: object; readonly isAlone: boolean } | null {
  const [first] = jsonIn(text);
  if (first === undefined) return null;
  const value: unknown = JSON.parse(first);
  return typeof value === 'object' && value !== null ? { value, isAlone: first === text.trim() } : null;
}

/** How the answers hold JSON, by the first usable one. */
export function judgeJson(grade: AnswerGrade): NonNullable<ModelFindings['answers']> {
  if (!isUsable(grade)) return 'none';
  return grade === 'json_inside' ? 'inside' : 'alone';
}

/** How it thinks, by the first usable answer and how that was asked for. */
export function judgeThinking(mode: Thinking, thinkingChars: number): NonNullable<ModelFindings['thinking']> {
  if (mode === 'low') return 'low';
  if (thinkingChars > 0) return 'always';
  return mode === 'off' ? 'off' : 'none';
}

/** Why a model is refused none of whose first answers holds JSON; null = none came, which says nothing about the model. */
export function refusalOf(
  outcomes: readonly { readonly mode: Thinking; readonly outcome: TrialOutcome }[],
): string | null {
  const answered = outcomes.flatMap(({ outcome }) => (outcome.kind === 'answered' ? [outcome] : []));
  if (answered.length === 0) return null;
  if (answered.some(({ text }) => text.trim() !== '')) return 'the answers are no JSON';
  if (answered.some(({ thinkingChars }) => thinkingChars > 0)) {
    const modes = outcomes.map(({ mode }) => mode);
    const tried = modes.includes('off') ? ', also with thinking off and low' : '';
    return `answers empty while thinking${tried}`;
  }
  return 'the answers are empty';
}

/**
 * The first of several answers to the same question that makes less sense than the first one, 1-based; null = none does.
 *
 * Only a fall counts: a model whose first answer is not right either has shown nothing. A model of few words may answer in other words, so a
 * fall has to last to the last answer.
 */
export function garbageFrom(grades: readonly AnswerGrade[]): number | null {
  const [first] = grades;
  if (first === undefined || !isUsable(first)) return null;
  const isWorse = (grade: AnswerGrade): boolean =>
    first === 'right' ? grade !== 'right' && grade !== 'json_inside' : !isUsable(grade);
  const at = grades.findIndex((grade, index) =>
    grades.slice(index).every((later) => isWorse(later) && grade !== 'nothing'),
  );
  return at === -1 ? null : at + 1;
}

const ORDINALS: readonly string[] = ['first', 'second', 'third', 'fourth', 'fifth'];

/** Refusal of a model whose answers turn into garbage. @param from 1-based */
export const garbageWords = (from: number): string => `random words from the ${ORDINALS[from - 1] ?? 'last'} answer on`;

/** A question whose natural answer its schema forbids: "Paris" is none of the values, and the other answer is a sentence. */
export const FORBIDDING_QUESTION = {
  user: 'Which city is the capital of France, and what is it famous for? Answer in one sentence.',
  schema: z.strictObject({
    capital: z.enum(['apple', 'copper', 'violin']),
    fame: z.strictObject({ famousFor: z.int().min(0).max(9) }),
  }),
} as const;

/** Whether a schema is enforced that forbids the natural answer; null = the answer does not show it. */
export function judgeSchema(outcome: TrialOutcome): ModelFindings['schema'] {
  if (outcome.kind !== 'answered' || outcome.text.trim() === '') return null;
  const found = objectIn(outcome.text);
  if (found?.isAlone === true && FORBIDDING_QUESTION.schema.safeParse(found.value).success) return 'enforced';
  // An answer that was cut off may have kept to the schema as far as it goes.
  const mayFit = outcome.isCut && outcome.text.trimStart().startsWith('{') && !/paris/iu.test(outcome.text);
  return mayFit ? null : 'ignored';
}

/** The smallest side that was taken; null = none was. */
export function smallestSide(
  tried: readonly { readonly sidePx: number; readonly outcome: TrialOutcome }[],
): number | null {
  const taken = tried.filter(({ outcome }) => outcome.kind === 'answered').map(({ sidePx }) => sidePx);
  return taken.length === 0 ? null : Math.min(...taken);
}

/** Tokens of a picture: those of a prompt with it less those of the same prompt without; null where the server does not count them. */
export function pictureTokens(withPicture: TrialOutcome, promptTokensWithout: number): number | null {
  if (withPicture.kind !== 'answered') return null;
  const tokens = withPicture.promptTokens - promptTokensWithout;
  return tokens > 0 ? tokens : null;
}
