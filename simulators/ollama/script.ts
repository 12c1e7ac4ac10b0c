/** The script of a reader: faults for calls, set at the start or at run time by tests. */
import { z } from 'zod';
import { chooseRule, type RuleCounts } from '../script-rules.ts';

/** The calls that a rule applies to; every given field must fit. */
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

/** How a call may ask a model to think: `"think": false`, `"low"`, anything else, or not at all. */
export const THINKING_WISHES = ['off', 'low', 'on', 'unasked'] as const;
export type ThinkingWish = (typeof THINKING_WISHES)[number];

/** Fault of a matching call. Several fields may be combined. */
const faultSchema = z.strictObject({
  /** Milliseconds before the first token, spent in the slot. */
  latencyMs: z.number().min(0).optional(),
  /** Speed of generation. */
  tokensPerSecond: z.number().positive().optional(),
  /** Speed at which the prompt is read, in the slot; by default it is read at once. */
  readTokensPerSecond: z.number().positive().optional(),
  /** Time of a model load for this call. */
  loadMs: z.number().min(0).optional(),
  /** Accept the call, keep its slot, never answer. */
  wedge: z.boolean().optional(),
  /** Send this many tokens, then nothing more. */
  stallAfterTokens: z.int().min(0).optional(),
  /** Phrases of an order: where at least half of them are in its prompt, the model gives the highest score and says that all is covered. */
  obeys: z.array(z.string().min(1)).optional(),
  /** This text instead of the right answer, whatever the schema says. */
  text: z.string().optional(),
  /** A model that thinks has content only for these wishes; for any other its thinking alone comes. */
  answersWhenAsked: z.array(z.enum(THINKING_WISHES)).optional(),
  /** The runner panics on a picture with a smaller side. */
  smallestSidePx: z.int().min(1).optional(),
  /** Text that is no JSON. */
  badJson: z.boolean().optional(),
  /** JSON that does not fit the schema. */
  schemaInvalid: z.boolean().optional(),
  /** Repeated words until the token limit. */
  repetition: z.boolean().optional(),
  /** White space until the token limit. */
  whitespaceLoop: z.boolean().optional(),
  /** Half the answer with `done_reason: "length"`. */
  truncate: z.boolean().optional(),
  /** Refuse with this status, and with `error` instead of Ollama's message for it. */
  status: z.int().min(400).max(599).optional(),
  error: z.string().optional(),
  /** Append the prompt to the message of the refusal. */
  quote: z.boolean().optional(),
  /** Close the connection after this many bytes of the body; 0 = before the headers. */
  disconnectAfterBytes: z.int().min(0).optional(),
  /** The model runs on the CPU: `size_vram` 0, and five tokens a second unless a speed is given. */
  cpuFallback: z.boolean().optional(),
  /** Thinking text before the answer in the content. */
  thinkingText: z.string().optional(),
  /** Text before and after the answer, as where nothing enforces the schema. */
  around: z.tuple([z.string(), z.string()]).optional(),
});

/** A whole script. */
export const readerScriptSchema = z.strictObject({
  /** Every call takes exactly this many seconds in its slot (benchmarks). */
  callSeconds: z.number().min(0).optional(),
  /** Time of every model load. */
  loadMs: z.number().min(0).optional(),
  /** Largest window that the server gives, whatever is asked for. */
  windowTokens: z.int().min(1).optional(),
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

/** Fields of a call that rules can match. */
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

/** Ollama's message for a status, for faults that name the status only. */
export function messageForStatus(status: number): string {
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
