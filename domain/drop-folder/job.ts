/**
 * Job files: what a client writes into the queue of a drop folder, checked once.
 */
import { z } from 'zod';
import { errorText } from '../errors.ts';
import { LANGUAGES, TASK_TYPES } from '../models/model-tasks.ts';
import type { Language, TaskType } from '../models/model-tasks.ts';

/** Largest job file that is read, in bytes. */
export const MAX_JOB_BYTES = 1024 * 1024;

/** Deepest nesting of a job file: it is given back with the outcome, and what is nested without end cannot be written. */
export const MAX_JOB_DEPTH = 100;

/** Words for priorities, beside the numbers 1 to 5. */
export const PRIORITY_WORDS = {
  critical: 1,
  emergency: 1,
  urgent: 1,
  high: 2,
  normal: 3,
  medium: 3,
  low: 4,
  batch: 5,
} as const;

const priority = z.preprocess(
  (value) => (typeof value === 'string' ? priorityOfText(value) : value),
  z
    .int({ error: `has to be 1 (critical) to 5 (batch), or one of ${Object.keys(PRIORITY_WORDS).join(', ')}` })
    .min(1)
    .max(5),
);

function priorityOfText(text: string): unknown {
  const word = text.trim().toLowerCase();
  if (Object.hasOwn(PRIORITY_WORDS, word)) return PRIORITY_WORDS[word as keyof typeof PRIORITY_WORDS];
  return /^\d$/u.test(word) ? Number(word) : text;
}

/** Null counts as left out: that is how many writers of JSON say so. */
const optional = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? undefined);

const jobFileSchema = z.looseObject({
  /** The name of the file, with or without `job_`; left out: the name of the file. */
  job_id: optional(z.string().min(1)),
  /** The PDF, relative to the drop folder or absolute inside an allowed root. */
  file_path: z.string().min(1).max(4096),
  priority: optional(priority),
  template: optional(z.string().min(1).max(100)),
  language: optional(z.enum(LANGUAGES)),
  /** One task type alone instead of the full review. */
  task_type: optional(z.enum(TASK_TYPES)),
});

/** A checked job. */
export interface DropJob {
  /** Name of the job file without `.json`. */
  readonly name: string;
  /** As the client gave it; the name where it gave none. */
  readonly jobId: string;
  readonly filePath: string;
  /** 1 (critical) … 5 (batch). */
  readonly priority: number;
  /** Null lets the sector decide. */
  readonly template: string | null;
  readonly language: Language;
  /** Null for the full review. */
  readonly taskType: TaskType | null;
  /** The whole document as dropped, with the fields that mean nothing to us: it is given back with the outcome. */
  readonly document: Readonly<Record<string, unknown>>;
}

/** What became of the text of a job file. */
export type ParsedJob =
  | { readonly kind: 'job'; readonly job: DropJob }
  /** Not a JSON document (yet): a file that is still being written looks like this. */
  | { readonly kind: 'unreadable'; readonly reason: string }
  /** A whole document that is no job. `document` is what it holds, as far as that is an object. */
  | { readonly kind: 'invalid'; readonly reason: string; readonly document: Readonly<Record<string, unknown>> };

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isObject = (value: unknown): value is Record<string, unknown> => isContainer(value) && !Array.isArray(value);

/** Whether objects and lists are nested deeper than this. Level by level: a recursion has a limit of its own, which is what to stay below. */
function isDeeperThan(depth: number, document: unknown): boolean {
  let level = [document].filter(isContainer);
  for (let at = 1; at <= depth && level.length > 0; at += 1) {
    level = level.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return level.length > 0;
}

/**
 * Reads a job file.
 *
 * @param name of the job, from its file's name
 */
export function parseJob(name: string, text: string): ParsedJob {
  let document: unknown;
  try {
    document = JSON.parse(text.replace(/^\uFEFF/u, ''));
  } catch (error) {
    const reason = text.trim() === '' ? 'the file is empty' : `it is not JSON: ${errorText(error)}`;
    return { kind: 'unreadable', reason };
  }
  if (isDeeperThan(MAX_JOB_DEPTH, document)) {
    // Not given back: writing it is what cannot be done.
    return { kind: 'invalid', reason: `it is nested deeper than ${MAX_JOB_DEPTH} levels`, document: {} };
  }
  const invalid = (reason: string): ParsedJob => ({
    kind: 'invalid',
    reason,
    document: isObject(document) ? document : {},
  });
  if (!isObject(document)) return invalid('it is not a JSON object');
  const parsed = jobFileSchema.safeParse(document);
  if (!parsed.success) {
    return invalid(parsed.error.issues.map((i) => `${i.path.join('.') || 'job'}: ${i.message}`).join('; '));
  }
  const { job_id: jobId = name, file_path: filePath, language = 'en' } = parsed.data;
  if (jobId !== name && `job_${jobId}` !== name) {
    return invalid(`job_id: is ${JSON.stringify(jobId)}, but the file is called ${name}.json`);
  }
  return {
    kind: 'job',
    job: {
      name,
      jobId,
      filePath,
      language,
      priority: parsed.data.priority ?? 3,
      template: parsed.data.template ?? null,
      taskType: parsed.data.task_type ?? null,
      document,
    },
  };
}

/** What two jobs must agree in, beside their PDF, to be the same job dropped twice. Priority is not in it: it changes no result. */
export type JobChoices = Pick<DropJob, 'template' | 'language' | 'taskType'>;

export const sameChoices = (a: JobChoices, b: JobChoices): boolean =>
  a.template === b.template && a.language === b.language && a.taskType === b.taskType;
