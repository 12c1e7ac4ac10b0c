/**
 * Finds out what a model can do on a server and how fast it is there, before it is given work.
 *
 * Each probe has a time limit that follows from its tokens and from the speed of the first answer, and all together have a time that does not
 * grow with the machine's slowness: what does not fit into it is left out by name. A probe that fails is a finding. Only a server that
 * does not answer at all, or stops answering, is an error.
 */
import { randomUUID } from 'node:crypto';
import { DeckhandError } from '../../../domain/errors.ts';
import { SMALLEST_SIDE_PX } from '../../../domain/decks/pdf.ts';
import { THINKING, type Thinking } from '../../../domain/models/attempt-plan.ts';
import { toModelSchema } from '../../../domain/models/json-schema.ts';
import { type ModelFindings, newFindings } from '../../../domain/models/probes/findings.ts';
import {
  FORBIDDING_QUESTION,
  garbageFrom,
  garbageWords,
  gradeAnswer,
  isUsable,
  judgeJson,
  judgeSchema,
  judgeThinking,
  pictureTokens,
  QUESTION,
  refusalOf,
  smallestSide,
  type TrialAnswer,
  type TrialOutcome,
} from '../../../domain/models/probes/judge.ts';
import {
  expectedMs,
  learnedSlots,
  limitMs,
  meanSpeed,
  type ProbeSize,
  REAL_PROMPT_TOKENS,
  settledSlots,
  speedOf,
  speedProbeSize,
  workInterval,
} from '../../../domain/models/probes/speed.ts';
import type { MeasuredSpeed, ModelSpeed } from '../../../domain/models/speed.ts';
import { estimateTokens } from '../../../domain/models/token-estimate.ts';
import type { ModelServer } from '../client/model-server.ts';
import { runTrial, type TrialRequest } from '../client/trial.ts';

/** Part of the time for all probes that the first answer may take: nothing is known of the speed before. */
const FIRST_SHARE = 5 / 6;
/** Part of what is left that one measurement of speed takes on a slow machine. */
const SPEED_SHARE = 1 / 8;
/** Part of what is left that the answer to a picture may take. */
const PICTURE_SHARE = 1 / 4;
/** A probe is begun where it fits so often into what is left. */
const RESERVE = 1.3;

const SYSTEM = 'This is a trial of a model.';
/** Of a question that was not answered at the temperature 0. */
const WARM = 0.4;
/** Most tokens of an answer: one without thinking, and one that thinks first. */
const ANSWER_TOKENS = 96;
const THINKING_TOKENS = 1024;
/** The least that an answer is expected to have. */
const LEAST_ANSWER_TOKENS = 32;
/** Times that the same question is asked. */
const REPEATS = 3;

/** Sides of square pictures, px, smallest first, and the size of a page as models get it. */
const PICTURE_SIDES_PX = [28, 64, SMALLEST_SIDE_PX] as const;
const PAGE_PX = { width: 896, height: 504 } as const;
/** Expected tokens of such pictures. */
const SMALL_PICTURE_TOKENS = 300;
const PAGE_TOKENS = 1200;
/** Answers that take so long do not arrive late by half of it: one round of calls at once that uses every slot is enough. */
const LONG_ANSWER_MS = 1000;
/** Longest prompt and answer of the calls that are sent at once. */
const PARALLEL_SIZE: ProbeSize = { readTokens: 512, writeTokens: 64 };

export interface ProbedModel {
  readonly name: string;
  /** Window that calls ask for, and what the server gave; null = it does not say. */
  readonly askedWindowTokens: number;
  readonly windowTokens: number | null;
  readonly trainedWindowTokens: number | null;
  readonly seesPictures: boolean;
  readonly canThink: boolean;
}

export interface ProbeOptions {
  /** Calls that are sent at once. */
  readonly parallel: number;
  readonly signal: AbortSignal;
  /** Time for all probes, ms; loading is over. */
  readonly budgetMs: number;
  /** Told what is being found out. */
  readonly onStep?: (step: string) => void;
  /** Findings about the model on this version of the server: only its speed is measured then. Null = none. */
  readonly known: ModelFindings | null;
}

export interface ProbeResult {
  readonly findings: ModelFindings;
  /** Null where the time was not enough, or the model is refused. */
  readonly speed: MeasuredSpeed | null;
}

/**
 * Runs the probes of a model that is in the server's memory.
 *
 * @throws DeckhandError `model_stalled` when the server does not answer in the time it has, or stops answering; the error of the server where
 *   every first answer is one; the signal's reason
 */
export async function probeModel(server: ModelServer, model: ProbedModel, options: ProbeOptions): Promise<ProbeResult> {
  const { askedWindowTokens, windowTokens, trainedWindowTokens, seesPictures } = model;
  const probes = new Probes(server, model, options);
  const first = await probes.firstAnswer(options.known?.thinking ?? null);
  const window = { askedWindowTokens, windowTokens, trainedWindowTokens };
  if (first !== null && options.known !== null)
    return { speed: await probes.speed(), findings: { ...options.known, ...window } };
  if (first !== null) await probes.furtherAnswers(first);
  let speed: MeasuredSpeed | null = null;
  if (first !== null && probes.findings.refusal === null) {
    await probes.schema();
    speed = await probes.speed();
    if (seesPictures) await probes.pictures(first.promptTokens);
  }
  return { findings: { ...probes.findings, ...window }, speed };
}

type Asked = Pick<TrialRequest, 'user' | 'schema'> & Partial<TrialRequest>;

class Probes {
  readonly #server: ModelServer;
  readonly #model: ProbedModel;
  readonly #options: ProbeOptions;
  readonly #endsAtMs: number;
  readonly #budgetMs: number;
  /** Probes in a row that had no answer in time. */
  #lateInARow = 0;
  #failure: DeckhandError | null = null;
  #mode: Thinking = 'leave';
  #rough: ModelSpeed = { readTokensPerSec: 1, writeTokensPerSec: 1 };
  #answerTokens = LEAST_ANSWER_TOKENS;
  findings: ModelFindings;

  constructor(server: ModelServer, model: ProbedModel, options: ProbeOptions) {
    this.#server = server;
    this.#model = model;
    this.#options = options;
    this.#budgetMs = options.budgetMs;
    this.#endsAtMs = performance.now() + this.#budgetMs;
    this.findings = newFindings(model.askedWindowTokens, model.seesPictures);
  }

  /** The first usable answer, which decides how the model is asked to think; null = it is refused. */
  async firstAnswer(known: ModelFindings['thinking']): Promise<TrialAnswer | null> {
    const tried: { mode: Thinking; outcome: TrialOutcome }[] = [];
    const modes = modesOf(this.#model.canThink, known);
    // A second chance, as calls have it: a small model may loop at the coldest temperature alone.
    const [only] = modes.length === 1 ? modes : [];
    for (const mode of only === undefined ? modes : [only, only]) {
      this.#step(mode === 'leave' ? 'answers' : `answers with thinking ${mode}`);
      this.#mode = mode;
      const limit = tried.length === 0 ? this.#budgetMs * FIRST_SHARE : this.#leftMs();
      const isRepeated = tried.at(-1)?.mode === mode;
      const outcome = await this.#ask({ ...this.#question(), ...(isRepeated && { temperature: WARM }) }, limit);
      tried.push({ mode, outcome });
      if (outcome.kind === 'late' && tried.length === 1) throw this.#stalled(outcome.limitMs);
      if (outcome.kind !== 'answered') continue;
      this.#rough = speedOf(outcome);
      const grade = gradeAnswer(outcome);
      if (!isUsable(grade)) continue;
      this.#answerTokens = Math.max(LEAST_ANSWER_TOKENS, outcome.outputTokens);
      this.#found({ answers: judgeJson(grade), thinking: judgeThinking(mode, outcome.thinkingChars) });
      return outcome;
    }
    const refusal = refusalOf(tried);
    if (refusal === null) throw this.#failure ?? this.#stalled(this.#budgetMs);
    this.#found({ answers: 'none', refusal });
    return null;
  }

  /** The same question again: it is to make as much sense as the first time. */
  async furtherAnswers(first: TrialAnswer): Promise<void> {
    this.#step('three answers in a row');
    const grades = [gradeAnswer({ kind: 'answered', ...first })];
    const size = this.#answerSize();
    if (!this.#fits('third answer', size, REPEATS - 1)) return;
    const again = async (): Promise<void> => {
      const outcome = await this.#askNext(this.#question(), this.#limitMs(size));
      if (outcome.kind !== 'answered') this.#skip('third answer', reasonOf(outcome));
      grades.push(gradeAnswer(outcome));
    };
    while (grades.length < REPEATS) await again();
    // One slip is none: what is garbage stays garbage.
    if (garbageFrom(grades) !== null) await again();
    const from = garbageFrom(grades);
    if (from !== null) this.#found({ thirdAnswer: 'garbage', refusal: garbageWords(from) });
    else if (isUsable(grades[REPEATS - 1] ?? 'nothing')) this.#found({ thirdAnswer: 'ok' });
  }

  async schema(): Promise<void> {
    this.#step('schema');
    const size = this.#answerSize();
    if (!this.#fits('schema', size)) return;
    const { user, schema } = FORBIDDING_QUESTION;
    const outcome = await this.#askNext({ user, schema: toModelSchema(schema, 'trial_schema') }, this.#limitMs(size));
    const found = judgeSchema(outcome);
    if (found === null) this.#skip('schema', reasonOf(outcome));
    else this.#found({ schema: found });
  }

  async pictures(promptTokensWithout: number): Promise<void> {
    this.#step('pictures');
    const tried: { sidePx: number; outcome: TrialOutcome }[] = [];
    for (const sidePx of PICTURE_SIDES_PX) {
      const size = this.#answerSize(SMALL_PICTURE_TOKENS);
      if (!this.#fits('smallest picture', size)) return;
      const outcome = await this.#askWith(await picture(sidePx, sidePx), size);
      tried.push({ sidePx, outcome });
      if (outcome.kind === 'answered') break;
    }
    const smallestSidePx = smallestSide(tried);
    this.#found({ smallestSidePx });
    if (smallestSidePx === null) {
      const last = tried.at(-1);
      return this.#skip('pictures', last === undefined ? 'none was tried' : reasonOf(last.outcome));
    }
    const page = this.#answerSize(PAGE_TOKENS);
    if (!this.#fits('tokens per picture', page)) return;
    const outcome = await this.#askWith(await picture(PAGE_PX.width, PAGE_PX.height), page);
    const tokensPerPicture = pictureTokens(outcome, promptTokensWithout);
    if (tokensPerPicture === null) {
      const why = outcome.kind === 'answered' ? 'the server does not count them' : reasonOf(outcome);
      return this.#skip('tokens per picture', why);
    }
    this.#found({ tokensPerPicture });
  }

  /** Speeds alone and with every slot in use; null = not measured. */
  async speed(): Promise<MeasuredSpeed | null> {
    this.#step('speed');
    const first = this.#speedSize();
    if (!this.#fits('speed', first)) return null;
    let size = first;
    let alone = await this.#measure(size);
    if (alone === null) return null;
    // The first answer was short: its speed may have been far too low.
    const longer = this.#speedSize();
    if (longer.readTokens >= size.readTokens * 2 && expectedMs(longer, alone) * RESERVE < this.#leftMs()) {
      size = longer;
      alone = (await this.#measure(longer)) ?? alone;
    }
    if (size.readTokens < this.#withinWindow({ readTokens: REAL_PROMPT_TOKENS, writeTokens: 1 }).readTokens)
      this.#skip('reading speed', `measured with ${size.readTokens} tokens, not with ${REAL_PROMPT_TOKENS}`);
    if (this.#options.parallel < 2) return { alone, full: alone, slots: 1 };
    return { alone, ...(await this.#fullSpeed(alone)) };
  }

  #speedSize(): ProbeSize {
    return this.#withinWindow(speedProbeSize(this.#rough, this.#leftMs() * SPEED_SHARE));
  }

  /** The speed of one call; later limits follow from it. Null = there was no answer. */
  async #measure(size: ProbeSize): Promise<ModelSpeed | null> {
    const outcome = await this.#askNext(writing(size), this.#limitMs(size));
    if (outcome.kind !== 'answered') {
      this.#skip('speed', reasonOf(outcome));
      return null;
    }
    this.#rough = speedOf(outcome);
    return this.#rough;
  }

  async #fullSpeed(alone: ModelSpeed): Promise<Pick<MeasuredSpeed, 'full' | 'slots'>> {
    this.#step('speed at full slots');
    const { parallel } = this.#options;
    const most = speedProbeSize(alone, (this.#leftMs() * SPEED_SHARE * 2) / parallel);
    const size = this.#withinWindow({
      readTokens: Math.min(PARALLEL_SIZE.readTokens, most.readTokens),
      writeTokens: Math.min(PARALLEL_SIZE.writeTokens, most.writeTokens),
    });
    // A server that has one slot answers them one after the other.
    if (!this.#fits('speed at full slots', size, parallel)) return { full: null, slots: null };
    const neededMs = expectedMs(size, this.#rough) * parallel * RESERVE;
    const rounds: Pick<MeasuredSpeed, 'full' | 'slots'>[] = [];
    let settled: number | null = null;
    do {
      const round = await this.#atOnce(size);
      if (round.slots === null) return rounds[0] ?? round;
      rounds.push(round);
      if (round.slots >= parallel && expectedMs(size, this.#rough) >= LONG_ANSWER_MS) return round;
      settled = settledSlots(rounds.flatMap(({ slots }) => slots ?? []));
    } while (settled === null && neededMs <= this.#leftMs());
    // Without the time for a round that decides, the most: too few would be kept for days.
    const slots = settled ?? Math.max(...rounds.map((round) => round.slots ?? 0));
    return rounds.find((round) => round.slots === slots) ?? { full: null, slots };
  }

  /** As many calls at once as the server is given. */
  async #atOnce(size: ProbeSize): Promise<Pick<MeasuredSpeed, 'full' | 'slots'>> {
    const { parallel } = this.#options;
    const outcomes = await Promise.all(
      Array.from({ length: parallel }, () => this.#ask(writing(size), this.#limitMs(size) * parallel)),
    );
    const answered = outcomes.flatMap((outcome) => (outcome.kind === 'answered' ? [outcome] : []));
    const failed = outcomes.find((outcome) => outcome.kind !== 'answered');
    if (failed !== undefined) this.#skip('speed at full slots', reasonOf(failed));
    const slots = failed === undefined ? learnedSlots(answered.map(workInterval)) : null;
    if (slots === null && failed === undefined) this.#skip('slots', 'the answers were too short to tell');
    return { full: meanSpeed(answered), slots };
  }

  #question(): Asked {
    return { user: QUESTION.user, schema: toModelSchema(QUESTION.schema, 'trial_answer') };
  }

  /** A picture costs more than its tokens, and how much differs by model: it has a share of the time, and a late answer is a finding. */
  #askWith(image: Uint8Array, size: ProbeSize): Promise<TrialOutcome> {
    const limit = Math.max(expectedMs(size, this.#rough) * RESERVE, this.#leftMs() * PICTURE_SHARE);
    return this.#ask({ ...this.#question(), images: [image] }, limit);
  }

  /** One probe after the other: a server that twice in a row does not answer in time has stopped answering. */
  async #askNext(asked: Asked, limit: number): Promise<TrialOutcome> {
    const outcome = await this.#ask(asked, limit);
    if (outcome.kind !== 'late') this.#lateInARow = 0;
    // Where the time for all probes ends first, the server may only be slow.
    else if (outcome.limitMs >= limit) this.#lateInARow += 1;
    if (outcome.kind === 'late' && this.#lateInARow > 1) throw this.#stalled(outcome.limitMs);
    return outcome;
  }

  async #ask(asked: Asked, limit: number): Promise<TrialOutcome> {
    const { name: model, askedWindowTokens: windowTokens } = this.#model;
    const { signal } = this.#options;
    const ownLimitMs = Math.max(1, Math.min(limit, this.#leftMs()));
    const own = AbortSignal.timeout(Math.ceil(ownLimitMs));
    const mostTokens = this.#mode === 'off' || !this.#model.canThink ? ANSWER_TOKENS : THINKING_TOKENS;
    const request = { model, windowTokens, system: SYSTEM, thinking: this.#mode, mostTokens, ...asked };
    try {
      return { kind: 'answered', ...(await runTrial(this.#server, request, AbortSignal.any([signal, own]))) };
    } catch (error) {
      signal.throwIfAborted();
      if (own.aborted) return { kind: 'late', limitMs: ownLimitMs };
      if (!(error instanceof DeckhandError)) throw error;
      this.#failure = error;
      return { kind: 'failed', message: error.message };
    }
  }

  #found(more: Partial<ModelFindings>): void {
    this.findings = { ...this.findings, ...more };
  }

  #skip(probe: string, reason: string): void {
    this.#found({ skipped: [...this.findings.skipped, `${probe}: ${reason}`] });
  }

  #step(what: string): void {
    this.#options.onStep?.(what);
  }

  /** False, and said, where a probe does not fit into what is left of the time. */
  #fits(probe: string, size: ProbeSize, times = 1): boolean {
    const neededMs = expectedMs(size, this.#rough) * times * RESERVE;
    const leftMs = this.#leftMs();
    if (neededMs <= leftMs) return true;
    this.#skip(probe, `about ${seconds(neededMs)} s are needed, ${seconds(leftMs)} s were left`);
    return false;
  }

  #answerSize(more = 0): ProbeSize {
    const readTokens = estimateTokens(`${SYSTEM} ${QUESTION.user}`) + TEMPLATE_TOKENS + more;
    return { readTokens, writeTokens: this.#answerTokens };
  }

  /** No prompt of a probe fills the window. */
  #withinWindow({ readTokens, writeTokens }: ProbeSize): ProbeSize {
    const { askedWindowTokens, windowTokens } = this.#model;
    const window = Math.min(askedWindowTokens, windowTokens ?? askedWindowTokens);
    return { readTokens: Math.max(1, Math.min(readTokens, Math.floor(window / 2))), writeTokens };
  }

  #limitMs(size: ProbeSize): number {
    const thinking = this.#mode === 'off' || !this.#model.canThink ? size.writeTokens : THINKING_TOKENS;
    return limitMs({ ...size, writeTokens: Math.max(size.writeTokens, thinking) }, this.#rough);
  }

  #leftMs(): number {
    return Math.max(0, this.#endsAtMs - performance.now());
  }

  #stalled(afterMs: number): DeckhandError {
    const { name } = this.#model;
    const message = `${name} at ${this.#server.url} did not answer a trial within ${seconds(afterMs)} s`;
    return new DeckhandError('model_stalled', message, { userMessage: 'The model does not answer.' });
  }
}

/** Tokens of a chat template. */
const TEMPLATE_TOKENS = 24;

const seconds = (ms: number): string => (ms < 10_000 ? (ms / 1000).toFixed(1) : String(Math.round(ms / 1000)));

/** How a model is asked to think, in the order in which it is tried; what is known to work is tried alone. */
function modesOf(canThink: boolean, known: ModelFindings['thinking']): readonly Thinking[] {
  switch (known) {
    case 'off':
    case 'low':
      return [known];
    case 'none':
    case 'always':
      return ['leave'];
    case null:
      return canThink ? THINKING : ['leave'];
  }
}

function reasonOf(outcome: TrialOutcome): string {
  switch (outcome.kind) {
    case 'answered':
      return outcome.text.trim() === '' ? 'the answer was empty' : 'the answer did not show it';
    case 'failed':
      return outcome.message;
    case 'late':
      return `no answer came within ${seconds(outcome.limitMs)} s`;
  }
}

/** A prompt of so many tokens that no cache has, and an answer that does not end by itself. */
const writing = ({ readTokens, writeTokens }: ProbeSize): Asked => ({
  system: `Trial ${randomUUID()}. ${fillerText(readTokens)}`,
  user: 'Count from 1 to 200 in words.',
  schema: null,
  mostTokens: writeTokens,
});

/** Text of about so many tokens. */
function fillerText(tokens: number): string {
  const sentence = 'The old town lies between the river and the hills. ';
  return sentence.repeat(Math.max(1, Math.round(tokens / estimateTokens(sentence))));
}

/** A plain JPEG, as pages are sent. */
async function picture(width: number, height: number): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp');
  return sharp({ create: { width, height, channels: 3, background: '#c8d0d8' } })
    .jpeg()
    .toBuffer();
}
