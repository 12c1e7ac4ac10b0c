/**
 * The kinds of model call Deckhand makes: one descriptor per task, which everything else is derived from. To add a task, add its descriptor
 * here and its prompt in `prisma/seed/prompts.ts`; a result of a new kind needs a schema (`result-schemas.ts`) and a function that stores it
 * (`activities/models/store-result.ts`), a new kind of input its message (`activities/models/call-input.ts`). The compiler asks for each.
 *
 * One model call = one activity = one stored result.
 */
import type { z } from 'zod';
import { stageOfStep, type PlanStep, type Stage } from '../decks/stage-graph.ts';
import { DeckhandError } from '../errors.ts';
import type { ValueKind } from '../evidence/value-check.ts';
import { RESULT_SCHEMAS, type ResultKind } from './result-schemas.ts';

/** Names of the class queues GPU workers pull from; also the classes a pool can serve. */
export const GPU_CLASSES = ['gpu-visual', 'gpu-text'] as const;
export type GpuClass = (typeof GPU_CLASSES)[number];

/** The task types that can be started alone, by the names that the API gives them. */
export const TASK_TYPES = [
  'visual_analysis',
  'slide_feedback',
  'company_offering_extraction',
  'startup_name_extraction',
  'healthcare_classification',
  'funding_amount_extraction',
  'deck_date_extraction',
  'profile_extraction',
  'template_analysis',
  'specialized_clinical',
  'specialized_regulatory',
  'specialized_science',
] as const;
export type TaskType = (typeof TASK_TYPES)[number];

interface CallInputDescriptor {
  /** What one call is about. */
  readonly subject: 'slide' | 'question' | 'deck';
  /** True when the prompt holds the text of the whole deck. */
  readonly readsDeck: boolean;
  /** Tasks whose results are part of the input: of the same slide or question, or of the whole deck. */
  readonly readsResultsOf: readonly string[];
}

/** What a call is given besides its instructions. */
export const CALL_INPUTS = {
  slide_image: { subject: 'slide', readsDeck: false, readsResultsOf: [] },
  slide_text: { subject: 'slide', readsDeck: false, readsResultsOf: ['describe_slide'] },
  deck: { subject: 'deck', readsDeck: true, readsResultsOf: ['describe_slide', 'condense_slide'] },
  deck_and_sectors: {
    subject: 'deck',
    readsDeck: true,
    readsResultsOf: ['describe_slide', 'condense_slide', 'extract_offering'],
  },
  deck_and_question: {
    subject: 'question',
    readsDeck: true,
    readsResultsOf: ['describe_slide', 'condense_slide', 'classify_sector'],
  },
  answer: { subject: 'question', readsDeck: false, readsResultsOf: ['answer_question'] },
} as const satisfies Record<string, CallInputDescriptor>;
export type CallInputKind = keyof typeof CALL_INPUTS;

interface ModelTaskDescriptor {
  /** Queue that its calls wait in. */
  readonly gpuClass: GpuClass;
  /** Name of the activity that makes its calls. Recorded in workflow histories: do not rename. */
  readonly activity: string;
  /** Step in which its calls are planned; the stage follows from it. */
  readonly step: PlanStep;
  readonly input: CallInputKind;
  /** What it answers, and with that how it is stored. */
  readonly result: ResultKind;
  /** Which of the results of this kind it is; null when its kind has no other. */
  readonly part: string | null;
  /** Kind of value, for an extraction: how it is normalised, and when a quote carries it. */
  readonly value?: ValueKind;
  readonly taskType: TaskType;
  /** What a call is about, for the Temporal UI. `subject`: `slide 7 of 30`, `question 12 of 34 (market_size)`. */
  readonly summary: (subject: string) => string;
  /** Begin of the sentence that says why its result is missing. `name`: the slide's number or the question's slug. */
  readonly missing: (name: string) => string;
  /** Expected seconds of one call on the reference GPU, for demand that has no calls to measure by. */
  readonly expectedSeconds: number;
  /** Longest answer in tokens: room for the longest one that the schema allows, at three characters a token. */
  readonly numPredict: number;
  /** Transcription and extraction want the likeliest words, prose a little freedom. */
  readonly temperature: number;
}

const extraction = <const Field extends string>(
  part: Field,
  words: string,
  { taskType, value, expectedSeconds }: Required<Pick<ModelTaskDescriptor, 'taskType' | 'value' | 'expectedSeconds'>>,
) =>
  ({
    gpuClass: 'gpu-text',
    activity: 'extractValue',
    step: 'extractions',
    input: 'deck',
    result: 'extraction',
    part,
    value,
    taskType,
    summary: () => words,
    missing: () => `${part} was not extracted`,
    expectedSeconds,
    numPredict: 512,
    temperature: 0.1,
  }) as const satisfies ModelTaskDescriptor;

const specialised = <const Kind extends string>(part: Kind, words: string, taskType: TaskType) =>
  ({
    gpuClass: 'gpu-text',
    activity: 'analyseSpecialised',
    step: 'specialised',
    input: 'deck',
    result: 'specialised',
    part,
    taskType,
    summary: () => `${words} reading`,
    missing: () => `The ${part} reading was not made`,
    expectedSeconds: 20,
    numPredict: 3072,
    temperature: 0.2,
  }) as const satisfies ModelTaskDescriptor;

const OF_SLIDE = { gpuClass: 'gpu-visual', step: 'slides', input: 'slide_image', part: null } as const;
const OF_TEXT = { gpuClass: 'gpu-text', part: null } as const;

/** Every task. The key is the `title` of the JSON schema sent as `format`. */
const DESCRIPTORS = {
  describe_slide: {
    ...OF_SLIDE,
    activity: 'describeSlide',
    result: 'description',
    taskType: 'visual_analysis',
    summary: (slide) => slide,
    missing: (number) => `Slide ${number} was not described`,
    expectedSeconds: 15,
    numPredict: 2560,
    temperature: 0.2,
  },
  slide_feedback: {
    ...OF_SLIDE,
    activity: 'giveSlideFeedback',
    result: 'feedback',
    taskType: 'slide_feedback',
    summary: (slide) => `feedback on ${slide}`,
    missing: (number) => `Slide ${number} got no feedback`,
    expectedSeconds: 8,
    numPredict: 384,
    temperature: 0.3,
  },
  extract_offering: extraction('offering', 'offering', {
    taskType: 'company_offering_extraction',
    value: 'prose',
    expectedSeconds: 6,
  }),
  extract_company_name: extraction('company_name', 'company name', {
    taskType: 'startup_name_extraction',
    value: 'company',
    expectedSeconds: 4,
  }),
  extract_funding: extraction('funding', 'funding', {
    taskType: 'funding_amount_extraction',
    value: 'amount',
    expectedSeconds: 5,
  }),
  extract_deck_date: extraction('deck_date', 'date of the deck', {
    taskType: 'deck_date_extraction',
    value: 'date',
    expectedSeconds: 4,
  }),
  // Planned with the values: one call for all topics.
  extract_profile: {
    ...OF_TEXT,
    activity: 'extractProfile',
    step: 'extractions',
    input: 'deck',
    result: 'profile',
    taskType: 'profile_extraction',
    summary: () => 'profile',
    missing: () => 'The profile was not made',
    expectedSeconds: 25,
    numPredict: 4096,
    temperature: 0.1,
  },
  classify_sector: {
    ...OF_TEXT,
    activity: 'classifySector',
    step: 'classification',
    input: 'deck_and_sectors',
    result: 'classification',
    taskType: 'healthcare_classification',
    summary: () => 'sector',
    missing: () => 'The sector was not classified',
    expectedSeconds: 6,
    numPredict: 640,
    temperature: 0.2,
  },
  answer_question: {
    ...OF_TEXT,
    activity: 'answerQuestion',
    step: 'answers',
    input: 'deck_and_question',
    result: 'answer',
    taskType: 'template_analysis',
    summary: (question) => question,
    missing: (slug) => `Question ${slug} was not answered`,
    expectedSeconds: 12,
    numPredict: 1280,
    temperature: 0.1,
  },
  score_answer: {
    ...OF_TEXT,
    activity: 'scoreAnswer',
    step: 'scores',
    input: 'answer',
    result: 'score',
    taskType: 'template_analysis',
    summary: (question) => `score of ${question}`,
    missing: (slug) => `The answer to ${slug} was not scored`,
    expectedSeconds: 6,
    numPredict: 384,
    temperature: 0.1,
  },
  specialised_clinical: specialised('clinical', 'clinical', 'specialized_clinical'),
  specialised_regulatory: specialised('regulatory', 'regulatory', 'specialized_regulatory'),
  specialised_science: specialised('science', 'scientific', 'specialized_science'),
  condense_slide: {
    ...OF_TEXT,
    activity: 'condenseSlide',
    step: 'condensation',
    input: 'slide_text',
    result: 'condensation',
    // It prepares the text that mostly the questions of the template read.
    taskType: 'template_analysis',
    summary: (slide) => `condense ${slide}`,
    missing: (number) => `Slide ${number} could not be condensed and was cut instead`,
    expectedSeconds: 5,
    numPredict: 896,
    temperature: 0.1,
  },
} as const satisfies Record<string, ModelTaskDescriptor>;

export type ModelTask = keyof typeof DESCRIPTORS;
export const MODEL_TASK_NAMES = Object.keys(DESCRIPTORS) as ModelTask[];

/** Name of an activity that makes model calls. */
export type ModelActivity = (typeof DESCRIPTORS)[ModelTask]['activity'];

/** A task with everything that follows from its descriptor. */
export interface ModelTaskDefinition extends ModelTaskDescriptor {
  readonly activity: ModelActivity;
  readonly stage: Stage;
  readonly schema: z.ZodType;
  readonly subject: CallInputDescriptor['subject'];
  readonly readsDeck: boolean;
  readonly readsResultsOf: readonly ModelTask[];
}

/** Every task by its name. */
export const MODEL_TASKS = Object.fromEntries(
  MODEL_TASK_NAMES.map((task): [ModelTask, ModelTaskDefinition] => {
    const descriptor: ModelTaskDescriptor & { readonly activity: ModelActivity } = DESCRIPTORS[task];
    const input: CallInputDescriptor & { readonly readsResultsOf: readonly ModelTask[] } =
      CALL_INPUTS[descriptor.input];
    return [
      task,
      { ...descriptor, ...input, stage: stageOfStep(descriptor.step), schema: RESULT_SCHEMAS[descriptor.result] },
    ];
  }),
) as Readonly<Record<ModelTask, ModelTaskDefinition>>;

/** Tasks that have a property, in the order of the descriptors. */
export const tasksWhere = (has: (task: ModelTaskDefinition) => boolean): readonly ModelTask[] =>
  MODEL_TASK_NAMES.filter((task) => has(MODEL_TASKS[task]));

/** Tasks of a step. */
export const tasksOfStep = (step: PlanStep): readonly ModelTask[] => tasksWhere((task) => task.step === step);

/** Tasks whose prompt holds the text of the whole deck. */
export const DECK_TASKS = tasksWhere((task) => task.readsDeck);

/** True for a task that judges an answer: what the answer was built without, its result is built without, too. */
export const readsAnswer = (task: ModelTask): boolean => MODEL_TASKS[task].input === 'answer';

/** Names of the activities of a class. */
export const activitiesOfClass = (gpuClass: GpuClass): readonly ModelActivity[] => [
  ...new Set(tasksWhere((task) => task.gpuClass === gpuClass).map((task) => MODEL_TASKS[task].activity)),
];

/** The task of a stored name. @throws DeckhandError `internal` for a name that is none */
export function modelTaskOf(name: string): ModelTask {
  const task = MODEL_TASK_NAMES.find((each) => each === name);
  if (task === undefined) throw new DeckhandError('internal', `unknown model task ${name}`);
  return task;
}

type PartOf<Result extends ResultKind> = Extract<(typeof DESCRIPTORS)[ModelTask], { readonly result: Result }>['part'];
const partsOf = <Result extends ResultKind>(result: Result): NonNullable<PartOf<Result>>[] =>
  tasksWhere((task) => task.result === result).map((task) => MODEL_TASKS[task].part as NonNullable<PartOf<Result>>);

/** Fields the extraction stage looks for. */
export type ExtractionField = PartOf<'extraction'>;
export const EXTRACTION_FIELDS: readonly ExtractionField[] = partsOf('extraction');

/** Specialised readings, made for health sectors. */
export type SpecialisedKind = PartOf<'specialised'>;
export const SPECIALISED_KINDS: readonly SpecialisedKind[] = partsOf('specialised');

/** Model task that computes an extraction field. */
export const taskOfField = (field: ExtractionField): ModelTask => `extract_${field}`;
/** Model task that computes a specialised reading. */
export const taskOfSpecialised = (kind: SpecialisedKind): ModelTask => `specialised_${kind}`;

/** What one call is about. */
export interface CallSubject {
  readonly task: ModelTask;
  /** Set for a task about a slide. */
  readonly slideNumber: number | null;
  /** Set for a task about a question. */
  readonly questionId: string | null;
}

/** A call of a task, about a slide, a question or the whole deck. */
export const callSubject = (task: ModelTask, about: Partial<CallSubject> = {}): CallSubject => ({
  task,
  slideNumber: null,
  questionId: null,
  ...about,
});

/** Name of the item that a call fills, and of its gap: `slide/3/description`, `answer/QUESTION`, `extraction/funding`, `classification`. */
export function gapItemOf(call: { readonly task: string } & Omit<CallSubject, 'task'>): string {
  const { subject, result, part } = MODEL_TASKS[modelTaskOf(call.task)];
  switch (subject) {
    case 'slide':
      return `slide/${call.slideNumber ?? 0}/${result}`;
    case 'question':
      return `${result}/${call.questionId ?? ''}`;
    case 'deck':
      return part === null ? result : `${result}/${part}`;
  }
}

/** Gap of a page that could not be drawn. */
export const pageGapItem = (slide: number): string => `slide/${slide}/page`;
/** Gap of all answers, where no question was asked. */
export const ALL_ANSWERS_ITEM = 'answers';

/** Output languages of a review. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];
