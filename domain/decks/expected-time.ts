/**
 * Expected time of a deck before it begins: the calls of its scope with the tokens that each has to read and write, what a call takes, and
 * the slots. Pure.
 *
 * Whether a server keeps the beginning of a prompt in its cache is not known beforehand, so every prompt counts as read in full.
 */
import { durationWords } from '../text/words.ts';
import { MODEL_TASKS, type GpuClass, type ModelTask } from '../models/model-tasks.ts';
import type { CallShare, Places } from './admission/shares.ts';
import { scopeOfRun, tasksInScope } from './run-scope.ts';
import { PLAN_STEP_NAMES } from './stage-graph.ts';

/** Tokens of instructions, schema and question, and of a picture, in usual prompts. */
const INSTRUCTION_TOKENS = 500;
const PICTURE_TOKENS = 300;
/** Tokens of a page in the text of a deck: its words and what a model saw on it. */
const PAGE_TOKENS = 270;
/** An answer takes about this share of the longest one that is allowed. */
const USUAL_ANSWER_SHARE = 0.2;

/** A deck, as far as it is known before it begins. */
export interface DeckSize {
  readonly pages: number;
  /** Pages whose calls have no stored result. */
  readonly missingPages: number;
  /** Of the template that it will most likely be reviewed with. */
  readonly questions: number;
  /** Null for the full review. */
  readonly taskType: string | null;
  /** Tokens of a deck's text that fit into a prompt; more is condensed. */
  readonly windowTokens: number;
}

/** Calls of one task. */
export interface ExpectedCalls {
  readonly task: ModelTask;
  readonly calls: number;
  /** Of each. */
  readonly promptTokens: number;
  readonly outputTokens: number;
}

/**
 * The calls of a deck, step by step. Readings for health sectors are left out: whether they are made is known when the sector is.
 */
export function expectedCalls({ pages, missingPages, questions, taskType, windowTokens }: DeckSize): ExpectedCalls[] {
  const scope = scopeOfRun(taskType);
  const deckTokens = Math.min(pages * PAGE_TOKENS, windowTokens);
  const countOf = (task: ModelTask): number => {
    const { subject, step } = MODEL_TASKS[task];
    if (step === 'condensation' || (step === 'specialised' && taskType === null)) return 0;
    return { slide: missingPages, question: questions, deck: 1 }[subject];
  };
  return PLAN_STEP_NAMES.flatMap((step) => tasksInScope(scope, step)).flatMap((task) => {
    const calls = countOf(task);
    if (calls === 0) return [];
    const { gpuClass, readsDeck, numPredict } = MODEL_TASKS[task];
    const read = readsDeck ? deckTokens : gpuClass === 'gpu-visual' ? PICTURE_TOKENS + PAGE_TOKENS : PAGE_TOKENS;
    const promptTokens = INSTRUCTION_TOKENS + read;
    return [{ task, calls, promptTokens, outputTokens: Math.round(numPredict * USUAL_ANSWER_SHARE) }];
  });
}

/** Speed of one call, while others run beside it, in tokens per second. */
export interface CallSpeed {
  readonly readTokensPerSec: number;
  readonly writeTokensPerSec: number;
}

/** Known times of calls. */
export interface CallCosts {
  /** Measured speed of the model of a task; null = none. */
  readonly speedOf: (task: ModelTask) => CallSpeed | null;
  /** Mean seconds of calls of a task made lately; null = too few. */
  readonly secondsOf: (task: ModelTask) => number | null;
}

/** Seconds of one call: by the measured speed, else by calls made lately, else what calls usually take on a GPU. */
function callSeconds({ task, promptTokens, outputTokens }: ExpectedCalls, costs: CallCosts): number {
  const speed = costs.speedOf(task);
  if (speed === null) return costs.secondsOf(task) ?? MODEL_TASKS[task].expectedSeconds;
  return promptTokens / speed.readTokensPerSec + outputTokens / speed.writeTokensPerSec;
}

/** Expected calls, tokens and time of a deck. */
export interface DeckExpectation {
  /** From its first call to its review, with all slots its own. */
  readonly seconds: number;
  /** Seconds of work by class, on one slot. */
  readonly slotSeconds: CallShare;
  readonly calls: number;
  /** Tokens that all its prompts have together, and all its answers. */
  readonly promptTokens: number;
  readonly outputTokens: number;
}

/** Expected calls, tokens and time of a deck when all slots are its own. */
export function expectDeck(size: DeckSize, costs: CallCosts, slots: Places): DeckExpectation {
  const all = expectedCalls(size).map((each) => ({ ...each, seconds: callSeconds(each, costs) }));
  const sum = (of: (each: (typeof all)[number]) => number): number => all.reduce((total, each) => total + of(each), 0);
  const classOf = (each: ExpectedCalls): GpuClass => MODEL_TASKS[each.task].gpuClass;
  const secondsOf = (gpuClass: GpuClass): number =>
    sum((each) => (classOf(each) === gpuClass ? each.calls * each.seconds : 0));
  // Tasks of a step run side by side; a step begins when the one before it has ended.
  const steps = Map.groupBy(all, ({ task }) => MODEL_TASKS[task].step);
  const seconds = [...steps.values()].map((tasks) => {
    const work = tasks.reduce((total, each) => total + each.calls * each.seconds, 0);
    const [first] = tasks;
    const places = first === undefined ? 1 : Math.max(1, slots[classOf(first)] + slots.both);
    return Math.max(work / places, ...tasks.map((each) => each.seconds));
  });
  return {
    seconds: seconds.reduce((total, each) => total + each, 0),
    slotSeconds: { 'gpu-visual': secondsOf('gpu-visual'), 'gpu-text': secondsOf('gpu-text') },
    calls: sum(({ calls }) => calls),
    promptTokens: sum(({ calls, promptTokens }) => calls * promptTokens),
    outputTokens: sum(({ calls, outputTokens }) => calls * outputTokens),
  };
}

/** Above this a person is told why it takes so long, and what else there is. */
const LONG_SECONDS = 3600;

/** `about 4 min`. */
export const aboutText = (seconds: number): string => `about ${durationWords(roundedSeconds(seconds) * 1000)}`;

/** The expected time of a deck, for people. */
export interface ExpectedDeck {
  /** Until its review is there, decks before it included. */
  readonly seconds: number;
  /** Of the deck alone. */
  readonly ownSeconds: number;
  /** Tokens of all its prompts. */
  readonly promptTokens: number;
  /** Null = not measured. */
  readonly readTokensPerSec: number | null;
}

/** Why a deck takes longer than an hour by itself, and the choices; null for one that does not. */
export function longDeckText({ ownSeconds, promptTokens, readTokensPerSec }: ExpectedDeck): string | null {
  if (ownSeconds <= LONG_SECONDS) return null;
  const count = (tokens: number): string => tokens.toLocaleString('en-US', { maximumSignificantDigits: 2 });
  const cause =
    readTokensPerSec === null
      ? `The prompts of this deck have ${count(promptTokens)} tokens.`
      : `The model reads ${count(readTokensPerSec)} tokens a second; the prompts of this deck have ${count(promptTokens)}.`;
  return (
    `It takes ${aboutText(ownSeconds)}. ${cause} ` +
    'You can let it go on, or cancel it and take a smaller model or another server (--models), or a template with fewer questions (--template).'
  );
}

/**
 * Seconds until the review of each deck of a line is there: what the decks before it keep the slots busy for, and what it takes itself.
 *
 * @param line in order; `left` is the share of the deck that is still to be done, 0 to 1
 */
export function secondsInLine(
  line: readonly { readonly expected: DeckExpectation; readonly left: number }[],
  slots: Places,
): number[] {
  let before = 0;
  return line.map(({ expected: { seconds, slotSeconds }, left }) => {
    const until = before + seconds * left;
    const [visual, text] = [slotSeconds['gpu-visual'] * left, slotSeconds['gpu-text'] * left];
    before += Math.max(
      visual / Math.max(1, slots['gpu-visual'] + slots.both),
      text / Math.max(1, slots['gpu-text'] + slots.both),
      (visual + text) / Math.max(1, slots['gpu-visual'] + slots['gpu-text'] + slots.both),
    );
    return until;
  });
}

/** Seconds as an estimate is shown: to ten seconds, above five minutes to the minute, above two hours to ten minutes. */
export function roundedSeconds(seconds: number): number {
  const step = seconds < 300 ? 10 : seconds < 7200 ? 60 : 600;
  return Math.max(step, Math.round(seconds / step) * step);
}

/** Token counts and duration of an answered call. */
export interface AnsweredCall {
  readonly promptTokens: number;
  readonly outputTokens: number;
  /** Without loading the model. */
  readonly seconds: number;
}

/** Fewer calls say nothing. */
const LEAST_CALLS = 5;

/**
 * The speed that explains answered calls best (least squares of `prompt ÷ read + output ÷ write = seconds`); null where they are too few, or
 * too much alike to tell reading from writing.
 */
export function fittedSpeed(calls: readonly AnsweredCall[]): CallSpeed | null {
  const told = calls.filter(({ promptTokens, seconds }) => promptTokens > 0 && seconds > 0);
  if (told.length < LEAST_CALLS) return null;
  const sum = (of: (call: AnsweredCall) => number): number => told.reduce((total, call) => total + of(call), 0);
  const [pp, oo, po] = [
    sum((c) => c.promptTokens ** 2),
    sum((c) => c.outputTokens ** 2),
    sum((c) => c.promptTokens * c.outputTokens),
  ];
  const [ps, os] = [sum((c) => c.promptTokens * c.seconds), sum((c) => c.outputTokens * c.seconds)];
  const determinant = pp * oo - po * po;
  const [perRead, perWritten] =
    determinant < 1e-3 * pp * oo ? [0, 0] : [(oo * ps - po * os) / determinant, (pp * os - po * ps) / determinant];
  if (perRead > 0 && perWritten > 0) return { readTokensPerSec: 1 / perRead, writeTokensPerSec: 1 / perWritten };
  return null;
}
