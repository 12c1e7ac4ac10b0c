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
  classify_sector: ClassifySectorOutput;
  answer_question: AnswerQuestionOutput;
  score_answer: ScoreAnswerOutput;
  specialised_clinical: SpecialisedAnalysisOutput;
  specialised_regulatory: SpecialisedAnalysisOutput;
  specialised_science: SpecialisedAnalysisOutput;
  condense_slide: CondenseSlideOutput;
}
type Output<T extends ModelTask> = Outputs[T];

/** The rule's answer to one user message. */
export function ask<T extends ModelTask>(task: T, user: string, language: Language = 'en'): Output<T> {
  const body = PROMPTS.find((prompt) => prompt.slug === task)?.body ?? '';
  const messages = [
    { role: 'system', content: systemMessage(body, language) },
    { role: 'user', content: user },
  ];
  return MODEL_TASKS[task].schema.parse(ruleOf(task)?.(readPrompt(messages))) as Output<T>;
}

/** A deck of slide texts as text calls see it. */
export const deckOf = (...slides: readonly string[]): string =>
  deckBlock(slides.map((textLayer, index) => ({ number: index + 1, textLayer, description: null })));

/** One slide as vision calls see it. */
export const slideOf = (textLayer: string, number = 1): string => slideUserMessage({ number, textLayer });

/** A question of the Seven-Chapter review. */
export function questionOf(slug: string): QuestionText {
  const question = SEVEN_CHAPTER_REVIEW.chapters
    .flatMap((chapter) => chapter.questions)
    .find((candidate) => candidate.slug === slug);
  if (question === undefined) throw new Error(`no question ${slug}`);
  return question;
}

export const answer = (slug: string, slides: readonly string[], language: Language = 'en'): Output<'answer_question'> =>
  ask('answer_question', answerUserMessage(questionOf(slug), deckOf(...slides)), language);

export const score = (
  slug: string,
  text: string,
  quotes: readonly { slide: number; quote: string }[],
): Output<'score_answer'> => ask('score_answer', scoreUserMessage(questionOf(slug), text, quotes));

export const classify = (offering: string, ...slides: readonly string[]): Output<'classify_sector'> =>
  ask('classify_sector', classifyUserMessage(offering, SECTORS, deckOf(...slides)));
