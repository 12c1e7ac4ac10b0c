/** Which rule answers which task. The keys are the titles of the `format` schemas. */
import type { ModelTask } from '../domain/models/model-tasks.ts';
import type { ExtractValueOutput } from '../domain/models/result-schemas.ts';
import { answerWithFacts } from './answer-from-facts.ts';
import { classifySector } from './classify-sector.ts';
import { condenseSlide, describeSlide } from './describe-slide.ts';
import { extractCompanyName } from './extract-company-name.ts';
import { extractDeckDate } from './extract-deck-date.ts';
import { extractFunding } from './extract-funding.ts';
import { extractOffering } from './extract-offering.ts';
import { extractProfile } from './extract-profile.ts';
import type { ReadPrompt } from './prompt.ts';
import { scoreAnswer } from './score-answer.ts';
import { slideFeedback } from './slide-feedback.ts';
import { specialised } from './specialised.ts';

/** A rule: from the prompt as read to the value of the task's schema. Pure. */
export type TaskRule = (prompt: ReadPrompt) => unknown;

/** The rule with its quotes marked as answers, unless it says less of them itself: it takes a value only from words that state it. */
const stating =
  (rule: (prompt: ReadPrompt) => ExtractValueOutput): TaskRule =>
  (prompt) => {
    const value = rule(prompt);
    return { ...value, evidence: value.evidence.map((item) => ({ answering: 'high', ...item })) };
  };

/** A task without a rule gets the empty answer of its schema: nothing found. */
const RULES: Readonly<Partial<Record<ModelTask, TaskRule>>> = {
  describe_slide: describeSlide,
  slide_feedback: slideFeedback,
  extract_offering: extractOffering,
  extract_company_name: extractCompanyName,
  extract_funding: stating(extractFunding),
  extract_deck_date: stating(extractDeckDate),
  extract_profile: extractProfile,
  classify_sector: classifySector,
  answer_question: answerWithFacts,
  score_answer: scoreAnswer,
  specialised_clinical: specialised('clinical'),
  specialised_regulatory: specialised('regulatory'),
  specialised_science: specialised('science'),
  condense_slide: condenseSlide,
};

/** The rule of a task; undefined when the reader has none. */
export function ruleOf(task: string): TaskRule | undefined {
  return Object.hasOwn(RULES, task) ? RULES[task as ModelTask] : undefined;
}
