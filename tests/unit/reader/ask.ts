/** Asks a rule the way the pipeline does: real prompt bodies, real message layout, answer checked against the task's schema. */
import { MODEL_TASKS, type Language, type ModelTask } from '../../../domain/models/model-tasks.ts';
import {
  type AnswerQuestionOutput,
  type ClassifySectorOutput,
  type CondenseSlideOutput,
  type DescribeSlideOutput,
  type ExtractValueOutput,
  type ScoreAnswerOutput,
  type SlideFeedbackOutput,
  type SpecialisedAnalysisOutput,
} from '../../../domain/models/result-schemas.ts';
import type { ProfileOutput } from '../../../domain/profile/schema.ts';
import {
  answerUserMessage,
  classifyUserMessage,
  deckBlock,
  scoreUserMessage,
  slideUserMessage,
  systemMessage,
  type QuestionText,
} from '../../../domain/models/prompt-assembly.ts';
import { PROMPTS } from '../../../prisma/seed/prompts.ts';
import { SECTORS } from '../../../prisma/seed/sectors.ts';
import { SEVEN_CHAPTER_REVIEW } from '../../../prisma/seed/seven-chapter-review.ts';
import { readPrompt } from '../../../reader/prompt.ts';
import { ruleOf } from '../../../reader/tasks.ts';

interface Outputs {
  describe_slide: DescribeSlideOutput;
  slide_feedback: SlideFeedbackOutput;
  extract_offering: ExtractValueOutput;
  extract_company_name: ExtractValueOutput;
  extract_funding: ExtractValueOutput;
  extract_deck_date: ExtractValueOutput;
  extract_profile: ProfileOutput;
  classify_sector: ClassifySectorOutput;
  answer_question: AnswerQuestionOutput;
  score_answer: ScoreAnswerOutput;
  specialised_clinical: SpecialisedAnalysisOutput;
  specialised_regulatory: SpecialisedAnalysisOutput;
  specialised_science: SpecialisedAnalysisOutput;
  condense_slide: CondenseSlideOutput;
}
type Output<T extends ModelTask> = Outputs[T];

/** The part of a task that a model is sent. */
export const messagesOf = (task: ModelTask, user: string, language: Language) => [
  { role: 'system', content: systemMessage(PROMPTS.find(({ slug }) => slug === task)?.body ?? '', language) },
  { role: 'user', content: user },
];

/** The rule's answer to one user message. */
export const ask = <T extends ModelTask>(task: T, user: string, language: Language = 'en'): Output<T> =>
  MODEL_TASKS[task].schema.parse(ruleOf(task)?.(readPrompt(messagesOf(task, user, language)))) as Output<T>;

/** Marks the text of a slide: its first line is the title, the other lines are one block. */
const marked = (text: string): string => {
  const [title = '', ...lines] = text.split('\n');
  return [title === '' ? '' : `# ${title}`, lines.join('\n')].filter((block) => block !== '').join('\n\n');
};

/** A deck of slide texts as text calls see it. */
export const deckOf = (...slides: readonly string[]): string =>
  deckBlock(slides.map((text, index) => ({ number: index + 1, markup: marked(text), description: null })));

/** A deck of slides with their marks, and of lines that pages two to last carry. */
export const deckOfMarks = (slides: readonly string[], running: readonly string[] = []): string =>
  deckBlock(
    slides.map((markup, index) => ({ number: index + 1, markup, description: null })),
    running.map((text) => ({ text, pages: slides.map((_, index) => index + 1).slice(1) })),
  );

/** The answer to a question on a deck, and its score. */
export function answered(
  slug: string,
  deck: string,
  language: Language = 'en',
): Output<'answer_question'> & Pick<ScoreAnswerOutput, 'score'> {
  const result = ask('answer_question', answerUserMessage(questionOf(slug), deck), language);
  if (result.covered === 'no') return { ...result, score: 0 };
  const message = scoreUserMessage(questionOf(slug), result.answer, result.evidence);
  return { ...result, score: ask('score_answer', message, language).score };
}

/** One slide as vision calls see it. */
export const slideOf = (text: string, number = 1): string => slideUserMessage({ number, markup: marked(text) });

/** A question of the Seven-Chapter review. */
export function questionOf(slug: string): QuestionText {
  const question = SEVEN_CHAPTER_REVIEW.chapters
    .flatMap((chapter) => chapter.questions)
    .find((candidate) => candidate.slug === slug);
  if (question === undefined) throw new Error(`no question ${slug}`);
  return question;
}

/** The answer from a deck block. */
export const answerOf = (slug: string, deck: string, language: Language = 'en'): Output<'answer_question'> =>
  ask('answer_question', answerUserMessage(questionOf(slug), deck), language);

export const answer = (slug: string, slides: readonly string[], language: Language = 'en'): Output<'answer_question'> =>
  answerOf(slug, deckOf(...slides), language);

export const score = (
  slug: string,
  text: string,
  quotes: readonly { slide: number; quote: string }[],
): Output<'score_answer'> => ask('score_answer', scoreUserMessage(questionOf(slug), text, quotes));

/** The sector of a deck block. */
export const classifyDeck = (offering: string, deck: string): Output<'classify_sector'> =>
  ask('classify_sector', classifyUserMessage(offering, SECTORS, deck));

export const classify = (offering: string, ...slides: readonly string[]): Output<'classify_sector'> =>
  classifyDeck(offering, deckOf(...slides));
