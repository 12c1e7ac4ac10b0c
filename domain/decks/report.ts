/**
 * The report document: what one analysis found, as `deckhand analyze --json` and `GET /analyses/{id}/report` give it.
 *
 * One zod schema is the source of the type, of the check and of the OpenAPI document. A value that is not known is null, with its
 * reason beside it; there is no default value. The document is complete at any time: before the end it holds what is stored so far.
 */
import { CONTRADICTION_KINDS } from '../evidence/contradictions.ts';
import { z } from 'zod';
import { LANGUAGES, SPECIALISED_KINDS, TASK_TYPES } from '../models/model-tasks.ts';
import { ANSWERING, ANSWERING_BY, ANSWERING_LEVELS } from '../evidence/answering.ts';
import { MARK_RULE } from '../evidence/answering-settings.ts';
import { VERDICTS } from '../evidence/quote-check.ts';
import { REREAD_STATES } from '../evidence/rereading.ts';
import { VALUE_STATES } from '../evidence/value-state.ts';
import { DOCUMENT_KINDS, PROFILE_TOPICS } from '../profile/topics.ts';
import { boxesSchema, pageStateSchema } from '../pages/page-schemas.ts';
import { ROLLOUT_SIDES } from '../rollouts/assignment.ts';
import { ANALYSIS_STATUSES } from './list/kinds.ts';
import { STAGES } from './stage-graph.ts';
import { REPLAY_KINDS } from './replay/choices.ts';

/** State of an analysis. */
export type AnalysisStatus = (typeof ANALYSIS_STATUSES)[number];

/** True for a status after which nothing changes any more. */
export const isFinished = (status: AnalysisStatus): boolean => status !== 'queued' && status !== 'running';

/**
 * State of a question. `pending`: not asked yet; `answered`: not scored yet; `unparseable` and `failed`: no score, with the cause in
 * `reason`; `skipped`: not asked because what it needs is missing; `unreadable`: not asked because no text of the deck could be read.
 */
export const QUESTION_STATUSES = [
  'pending',
  'answered',
  'scored',
  'unparseable',
  'failed',
  'skipped',
  'unreadable',
  'not_asked',
] as const;
export type QuestionStatus = (typeof QUESTION_STATUSES)[number];

/** State of an extracted value: one of the four states, or why it has none. `not_asked`: nothing of the run looks, or looked, for it. */
export const VALUE_STATUSES = ['pending', ...VALUE_STATES, 'unparseable', 'failed', 'skipped', 'not_asked'] as const;
export type ValueStatus = (typeof VALUE_STATUSES)[number];
/** State of a specialised reading or of the classification. */
export const READING_STATUSES = [
  'pending',
  'analysed',
  'classified',
  'unparseable',
  'failed',
  'skipped',
  'unreadable',
  'not_asked',
] as const;
export type ReadingStatus = (typeof READING_STATUSES)[number];

/** How far something that was found is covered. */
export const COVERED = ['yes', 'partly'] as const;

/** Name of the built-in reader, wherever a result of it is shown. */
export const RULES_LABEL = 'rules, not a language model';

const nullable = <T extends z.ZodType>(schema: T): z.ZodNullable<T> => schema.nullable();
const text = z.string();
const count = z.int().min(0);

/**
 * Verdicts on a quote in a report. `verified`: its words are in the text layer of the PDF, where any other program finds them;
 * `verified_ocr`: the page says so too, but some of its words were recognised in the picture. The others are those that are stored.
 */
export const REPORT_VERDICTS = [...VERDICTS, 'verified_ocr'] as const;
export type ReportVerdict = (typeof REPORT_VERDICTS)[number];

/** A verdict as it is called in a terminal and in an evaluation; every other text as it is. */
export const verdictName = (verdict: string): string => (verdict === 'verified_ocr' ? 'verified (OCR)' : verdict);

/** A quote that supports a value, with the verdict of the check against its page. */
export const reportEvidenceSchema = z.object({
  slide: z.int().min(1),
  quote: text,
  verdict: z.enum(REPORT_VERDICTS),
  /** Where the words stand, or why the quote is not verified; null where neither is known. */
  reason: nullable(text),
  /** What a verified quote covers, a box per line, in points of the page; null where that is not known. */
  boxes: nullable(boxesSchema),
  /** Whether it answers the question; null where that was not judged. */
  answering: nullable(z.enum(ANSWERING)).default(null),
  /** Where that judgement comes from; null with it. */
  answeringBy: nullable(z.enum(ANSWERING_BY)).default(null),
  /** The slide that the engine named, where the quote stands on another one alone and was moved there. */
  citedSlide: nullable(z.int()).default(null),
  /** True where some of its words were recognised in the picture (OCR), also where it is not verified. */
  recognised: z.boolean().default(false),
  /** Outcome of reading the quote again in the picture of its page; null as long as it was not. */
  reread: nullable(z.enum(REREAD_STATES)).default(null),
  /** Why the verdict was withdrawn, or why the quote could not be read again. */
  rereadReason: nullable(text).default(null),
});
export type ReportEvidence = z.infer<typeof reportEvidenceSchema>;

/** Where a value comes from. */
export const provenanceSchema = z.object({
  task: text,
  model: text,
  modelDigest: text,
  engineKind: text,
  serverVersion: text,
  promptVersion: count,
  /** Null for values that no template asks for. */
  templateVersion: nullable(count),
  host: text,
  /** Version of the set-up that the host had then; null where it is not known (any more). */
  setupVersion: nullable(text),
  /** Host name of the server outside the network that answered; null where the slides stayed inside. */
  outsideHost: nullable(text),
  options: z.object({
    numCtx: count,
    numPredict: count,
    temperature: z.number(),
    topP: z.number(),
    /** Of the attempt that succeeded. */
    temperatureUsed: z.number(),
    seedUsed: z.int(),
  }),
  attempts: count,
  durationMs: count,
  loadMs: count,
  promptTokens: count,
  outputTokens: count,
  contentKey: text,
  computedAt: z.iso.datetime(),
});
export type Provenance = z.infer<typeof provenanceSchema>;

const evidence = z.array(reportEvidenceSchema);
const provenance = nullable(provenanceSchema);
/** Slides that were missing when the value was computed and have been read since; the value does not consider them. */
const computedWithout = z.array(z.int().min(1));

/** One of the four values looked for in the whole deck. */
export const reportValueSchema = z.object({
  field: text,
  status: z.enum(VALUE_STATUSES),
  raw: nullable(text),
  /** Money only. */
  amount: nullable(z.number()),
  /** Lower end where the deck names a range; `amount` is the upper one. */
  minAmount: nullable(z.number()),
  /** ISO 4217, money only. */
  currency: nullable(text),
  /** Dates only: `2026-03-14`, `2026-03` or `2026`. */
  iso: nullable(text),
  reason: nullable(text),
  computedWithout,
  evidence,
  provenance,
});

/** One question of a chapter. */
export const reportQuestionSchema = z.object({
  slug: text,
  text,
  healthFocus: nullable(text),
  weight: z.number(),
  status: z.enum(QUESTION_STATUSES),
  score: nullable(z.int().min(0).max(7)),
  /** What became of the search for an answer; null while there is none, or when it failed. */
  state: nullable(z.enum(VALUE_STATES)),
  /** How far the deck covers the question, as the model sees it; null where nothing was found. */
  covered: nullable(z.enum(COVERED)),
  answer: nullable(text),
  rationale: nullable(text),
  reason: nullable(text),
  /** Of the answer and its score. */
  computedWithout,
  evidence,
  answerProvenance: provenance,
  scoreProvenance: provenance,
});
export type ReportQuestion = z.infer<typeof reportQuestionSchema>;

export const reportChapterSchema = z.object({
  slug: text,
  name: text,
  description: text,
  weight: z.number(),
  score: nullable(z.number().min(0).max(7)),
  scored: count,
  asked: count,
  questions: z.array(reportQuestionSchema),
});
export type ReportChapter = z.infer<typeof reportChapterSchema>;

export const reportSpecialisedSchema = z.object({
  kind: z.enum(SPECIALISED_KINDS),
  status: z.enum(READING_STATUSES),
  /** As for a question. */
  state: nullable(z.enum(VALUE_STATES)),
  covered: nullable(z.enum(COVERED)),
  summary: nullable(text),
  reason: nullable(text),
  points: z.array(z.object({ heading: text, text })),
  computedWithout,
  evidence,
  provenance,
});

/** A fact of the profile, with its quotes. */
export const reportFactSchema = z.object({
  /** A use of funds, person, market, competitor, achievement or customer group; empty where the topic has none. */
  name: text,
  /** Its figure, role or words, as the deck has them; empty where the topic has none. */
  value: text,
  /** Of a value that is an amount of money, as of {@link reportValueSchema}. */
  amount: nullable(z.number()),
  minAmount: nullable(z.number()),
  currency: nullable(text),
  /** Of a value that is a share. */
  percent: nullable(z.number()),
  /** True for something that is only planned. */
  isPlan: z.boolean(),
  evidence,
});
export type ReportFact = z.infer<typeof reportFactSchema>;

/** A topic of the profile. `stated_absent`: the evidence is how the deck says that there is none. */
export const reportTopicSchema = z.object({
  topic: z.enum(PROFILE_TOPICS),
  status: z.enum(VALUE_STATUSES),
  facts: z.array(reportFactSchema),
  /** Of a topic that is stated as absent. */
  evidence,
});
export type ReportTopic = z.infer<typeof reportTopicSchema>;

/** The facts of a deck by topic. Outside score and coverage. */
export const reportProfileSchema = z.object({
  status: z.enum(READING_STATUSES),
  reason: nullable(text),
  /** Kind of the document, with words that show it where it is no pitch deck; null without a profile. */
  document: nullable(z.object({ kind: z.enum(DOCUMENT_KINDS), evidence })),
  topics: z.array(reportTopicSchema),
  computedWithout,
  provenance,
});
export type ReportProfile = z.infer<typeof reportProfileSchema>;

/** Of a review that was made before decks had a profile. */
const NO_PROFILE: ReportProfile = {
  status: 'not_asked',
  reason: null,
  document: null,
  topics: [],
  computedWithout: [],
  provenance: null,
};

export const reportSlideSchema = z.object({
  number: z.int().min(1),
  title: nullable(text),
  summary: nullable(text),
  /** False when the model could read nothing on it; null when it was not described. */
  legible: nullable(z.boolean()),
  /** True where its words come from the PDF; false where they were recognised in the picture, or nothing was read. */
  hasTextLayer: z.boolean(),
  /** Size of the page and where its text comes from; null for a page that could not be drawn. */
  page: nullable(pageStateSchema),
  hasIssues: nullable(z.boolean()),
  feedback: nullable(text),
  figures: z.array(z.object({ kind: text, description: text })),
  /** Words of the page that nobody can see, for the hazard `invisible_text`; they are part of no prompt and no evidence. */
  invisibleText: nullable(text),
  /** Path on the API; null for a page that could not be drawn. */
  imageUrl: nullable(text),
  failure: nullable(z.object({ code: text, message: text })),
  descriptionProvenance: provenance,
  feedbackProvenance: provenance,
});
export type ReportSlide = z.infer<typeof reportSlideSchema>;

export const reportGapSchema = z.object({
  item: text,
  stage: text,
  slide: nullable(z.int()),
  question: nullable(text),
  code: text,
  message: text,
});

export type ReportGap = z.infer<typeof reportGapSchema>;

/** What holds for the whole review and replaces many gaps. */
export const NOTICE_CODES = ['no_readable_text', 'language_not_supported'] as const;

/** A machine that answered, with the version of its set-up; null where that is not known. */
export const reportHostSchema = z.object({ name: text, setupVersion: nullable(text) });

export const engineSchema = z.object({
  name: text,
  /** `rules` for the built-in reader. */
  kind: text,
  /** How to name it to people: `rules, not a language model` for the built-in reader, else the model's name. */
  label: text,
  version: nullable(text),
});

/** One of two statements that contradict each other, in the words of the slide. */
const contradictionSideSchema = z.object({ slide: z.int().min(1), quote: text, value: text });
const contradictionSchema = z.object({
  kind: z.enum(CONTRADICTION_KINDS),
  /** What the values are of: `customers`, `revenue 2025`, `TAM`; the words of the slide for a total. */
  subject: text,
  first: contradictionSideSchema,
  second: contradictionSideSchema,
});
export type ReportContradiction = z.infer<typeof contradictionSchema>;

const NO_SECOND_READING = { agreed: 0, withdrawn: 0, notRead: 0 } as const;
/** Counts of quotes by their two marks, and the rule behind them; see `domain/decks/review/marks.ts`. */
const reportMarksSchema = z.object({
  rule: z.object({ level: z.enum(ANSWERING_LEVELS), share: z.number().min(0).max(1) }),
  /** Quotes of values, answers and readings, each counted once; those of answers that are not supported are left out. */
  quotes: count,
  /** Of these, those that stand on their slide. */
  onSlide: count,
  /** Of these, those that answer a question that they stand under. */
  answering: count,
  /** Of these, those of which that was not judged. */
  notJudged: count,
});

/** Of a document that was stored before quotes had marks. */
const NO_MARKS = { rule: MARK_RULE, quotes: 0, onSlide: 0, answering: 0, notJudged: 0 } as const;

/** The whole document. */
export const analysisReportSchema = z.object({
  analysisId: text,
  status: z.enum(ANALYSIS_STATUSES),
  /** Null for the full review. */
  taskType: nullable(z.enum(TASK_TYPES)),
  /** Set for a replay: of which analysis, and whether only what had failed was computed. */
  replay: nullable(z.object({ of: text, kind: z.enum(REPLAY_KINDS) })),
  /** Set for an analysis that was started in a rollout: with the candidate's models or pool, or without. */
  rollout: nullable(z.object({ name: text, side: z.enum(ROLLOUT_SIDES) })),
  language: z.enum(LANGUAGES),
  stage: nullable(z.enum(STAGES)),
  createdAt: z.iso.datetime(),
  startedAt: nullable(z.iso.datetime()),
  finishedAt: nullable(z.iso.datetime()),
  /** From the request to the last stored result; null while it runs. */
  durationMs: nullable(count),
  failure: nullable(z.object({ code: text, message: text })),
  engine: nullable(engineSchema),
  deck: z.object({
    id: text,
    fileName: text,
    sha256: text,
    /** Pages; null before the file was looked into. */
    slides: nullable(count),
    sizeBytes: count,
    title: nullable(text),
    hasTextLayer: nullable(z.boolean()),
    /** ISO 639-1 of the language that most of its text is in; null where that is not known. */
    language: nullable(text),
    /** Things in the file that are reported and never executed. */
    hazards: z.array(text),
  }),
  company: nullable(text),
  offering: nullable(text),
  funding: z.object({
    raw: nullable(text),
    amount: nullable(z.number()),
    /** Lower end of a range. */
    minAmount: nullable(z.number()),
    currency: nullable(text),
  }),
  deckDate: z.object({ raw: nullable(text), iso: nullable(text) }),
  /** The four values above with state, evidence and provenance. */
  extractions: z.array(reportValueSchema),
  sector: z.object({
    slug: nullable(text),
    name: nullable(text),
    secondary: nullable(text),
    /** 0..1, the model's own, never corrected. */
    confidence: nullable(z.number().min(0).max(1)),
    /** Whether the confidence reaches the sector's minimum; null without a classification. */
    confident: nullable(z.boolean()),
    reasoning: nullable(text),
    keywords: z.array(text),
    status: z.enum(READING_STATUSES),
    reason: nullable(text),
    computedWithout,
    provenance,
  }),
  template: z.object({
    slug: nullable(text),
    name: nullable(text),
    version: nullable(count),
    reason: nullable(text),
    requested: nullable(text),
  }),
  overall: z.object({
    /** 0..7; null when nothing was scored. */
    score: nullable(z.number().min(0).max(7)),
    method: nullable(text),
    /** Scored questions as a share of the asked ones; null when none was asked. */
    coverage: nullable(z.number().min(0).max(1)),
    scored: count,
    asked: count,
    /** Of any of the scores. */
    computedWithout,
  }),
  /** Why the deck as a whole could not be reviewed, in the language of the report; empty for a deck that was. */
  notices: z.array(z.object({ code: z.enum(NOTICE_CODES), text })),
  /** At most five, taken from the best-evidenced answers. */
  keyPoints: z.array(z.object({ text, chapter: text, question: text, score: z.int(), evidence })).max(5),
  chapters: z.array(reportChapterSchema),
  specialised: z.array(reportSpecialisedSchema),
  profile: reportProfileSchema.default(NO_PROFILE),
  marks: reportMarksSchema.default(NO_MARKS),
  /** Chapters below 4, weakest first, at most four. */
  recommendations: z.array(z.object({ chapter: text, score: z.number(), text, questions: z.array(text) })).max(4),
  /** Words in the deck that address the model; reported, never obeyed. */
  steering: z.array(z.object({ slide: z.int().min(1), text })),
  /**
   * Quotes that were read again in the picture of their slide, each counted once; all 0 before, and where that is switched off. One that keeps
   * its verdict because a person called its claim right counts as agreed.
   */
  secondReading: z.object({ agreed: count, withdrawn: count, notRead: count }).default(NO_SECOND_READING),
  /** Two statements of the deck that cannot both be right, by slide. */
  contradictions: z.array(contradictionSchema),
  /** Set when the deck did not fit the model's window and was reduced slide by slide. */
  condensed: nullable(text),
  slides: z.array(reportSlideSchema),
  gaps: z.array(reportGapSchema),
  /** The hosts that provenance names; a host is named once for each set-up that answered. */
  hosts: z.array(reportHostSchema).default([]),
});
export type AnalysisReport = z.infer<typeof analysisReportSchema>;
