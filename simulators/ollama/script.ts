/**
 * The script of a reader: which calls go wrong, and how. Tests write it, validated here, set at start or at run time.
 *
 * Rules are tried in order; the first whose match fits the call and whose count is not used up applies its fault.
 */
import { z } from 'zod';
import { chooseRule, type RuleCounts } from '../script-rules.ts';

/** Which calls a rule applies to; every given field must fit. */
const matchSchema = z.strictObject({
  /** Title of the `format` schema, e.g. `describe_slide`. */
  task: z.string().optional(),
  /** Model name as requested. */
  model: z.string().optional(),
  /** 1-based number (or numbers) of the call among those that fit the other fields of this match. */
  nth: z.union([z.int().min(1), z.array(z.int().min(1))]).optional(),
  /** Slide number of a call over one slide. */
  slide: z.int().min(1).optional(),
  /** Slug of a template question. */
  question: z.string().optional(),
});

/** What happens to a matching call. Several fields may be combined. */
const faultSchema = z.strictObject({
  /** Milliseconds before the first token, spent in the slot. */
  latencyMs: z.number().min(0).optional(),
  /** Pace of generation. */
  tokensPerSecond: z.number().positive().optional(),
  /** Milliseconds the model takes to load for this call. */
  loadMs: z.number().min(0).optional(),
  /** Accept the call, keep its slot, never answer. */
  wedge: z.boolean().optional(),
  /** Send so many tokens, then nothing any more. */
  stallAfterTokens: z.int().min(0).optional(),
  /** Text that is no JSON. */
  badJson: z.boolean().optional(),
  /** JSON that does not fit the schema. */
  schemaInvalid: z.boolean().optional(),
  /** The same words again and again until the token limit. */
  repetition: z.boolean().optional(),
  /** White space until the token limit. */
  whitespaceLoop: z.boolean().optional(),
  /** Half the answer with `done_reason: "length"`. */
  truncate: z.boolean().optional(),
  /** Refuse with this status (and words; each status has Ollama's by default). */
  status: z.int().min(400).max(599).optional(),
  error: z.string().optional(),
  /** Quote all that was asked behind the words of a refusal. */
  quote: z.boolean().optional(),
  /** Cut the connection after so many bytes of the body; 0 = before the headers. */
  disconnectAfterBytes: z.int().min(0).optional(),
  /** The model runs on the CPU: `size_vram` 0 and five tokens a second unless a pace is given. */
  cpuFallback: z.boolean().optional(),
  /** Thinking that leaks into the content before the answer. */
  thinkingText: z.string().optional(),
});

/** A whole script. */
export const readerScriptSchema = z.strictObject({
  /** Every call takes exactly so many seconds in its slot (benchmarks). */
  callSeconds: z.number().min(0).optional(),
  /** Milliseconds every model load takes. */
  loadMs: z.number().min(0).optional(),
  rules: z
    .array(
      z.strictObject({
        match: matchSchema.default({}),
        fault: faultSchema,
        /** The rule applies to at most this many calls. */
        times: z.int().min(1).optional(),
      }),
    )
    .default([]),
});

export type ReaderScript = z.infer<typeof readerScriptSchema>;
export type ReaderScriptInput = z.input<typeof readerScriptSchema>;
export type Fault = z.infer<typeof faultSchema>;

/** What a call looks like to the script. */
export interface CallTraits {
  readonly task: string;
  readonly model: string;
  readonly slide: number | null;
  readonly question: string | null;
}

/** A script with the counts of its rules. */
export class ScriptPlayer {
  readonly script: ReaderScript;
  readonly #counts: RuleCounts = { seen: [], applied: [] };

  constructor(script: ReaderScriptInput) {
    this.script = readerScriptSchema.parse(script);
  }

  /** The fault for this call, empty when none fits. Counts the call in every rule that it fits. */
  faultFor(call: CallTraits): Fault {
    const rule = chooseRule(this.script.rules, this.#counts, ({ task, model, slide, question }) =>
      [
        [task, call.task],
        [model, call.model],
        [slide, call.slide],
        [question, call.question],
      ].every(([wanted, given]) => wanted === undefined || wanted === given),
    );
    return rule?.fault ?? {};
  }
}

/** Ollama's words for a status, used when a fault names only the status. */
export function wordsForStatus(status: number): string {
  switch (status) {
    case 503:
      return 'server busy, please try again.  maximum pending requests exceeded';
    case 400:
      return 'the input length exceeds the context length';
    case 404:
      return "model 'reader' not found";
    default:
      return 'model runner has unexpectedly stopped, this may be due to resource limitations or an internal error, check ollama server logs for details';
  }
}
