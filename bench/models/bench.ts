/**
 * `deckhand bench models`: how fast and how well model servers answer the calls of a review.
 *
 * Each is reached through a proxy that keeps the requests of a review. They are sent once more without Deckhand, as many at a time as it had
 * slots: that is the bare loop, and what Deckhand adds to it is the figure that has an aim.
 */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { DeckhandClient } from '../../api/client.ts';
import { Egress, reachWith } from '../../activities/models/client/egress.ts';
import { openKeyedServer } from '../../activities/models/client/open.ts';
import type { ModelServer, ServerMetrics } from '../../activities/models/client/model-server.ts';
import { UNUSABLE_ANSWER } from '../../activities/models/run-call.ts';
import type { AnalysisReport } from '../../domain/decks/report.ts';
import { DeckhandError, errorText } from '../../domain/errors.ts';
import type { Evaluation } from '../../domain/evaluation/evaluation.ts';
import { READER_PROFILE } from '../../domain/models/catalog/catalog.ts';
import type { Config } from '../../platform/config.ts';
import { logPath } from '../../runtime/supervisor/child-logs.ts';
import { supervisorPaths } from '../../runtime/supervisor/supervisor.ts';
import { generateUniqueDeck } from '../../samples/generator/bulk.ts';
import { drawPlainDeck, plainSlides } from '../../testing/plain-deck.ts';
import { type Rig, startRig } from '../../testing/rig.ts';
import type { Figures } from '../figures.ts';
import { type Measures, measuresOf } from './measures.ts';
import { isChat, type RecordedRequest, sendBare, startRecorder } from './recorder.ts';
import { type BenchedServer, cachedServers, type RunningServer } from './servers.ts';

const MINUTE_MS = 60_000;
/** Longest times until the answer of a server is not waited for. */
const READY_MINUTES = 10;
const REVIEW_MINUTES = 60;
const BARE_MINUTES = 60;
const EVALUATION_MINUTES = 240;
const MOST_RATIO = '<= 1.3';
const LOST_MINUTES = 3;
const ASK_INTERVAL_MS = 200;
const LOST_ASK_INTERVAL_MS = 2000;
const PLAIN_SLIDES = 3;
/** Any number: the same slides each time. */
const DECK_SEED = 17;

type Tell = (line: string) => void;

/** Reviews the decks of a folder with a profile of a Deckhand, and judges them by their labels. */
export type EvaluateProfile = (
  profile: string,
  at: { readonly client: DeckhandClient; readonly config: Config; readonly signal: AbortSignal },
) => Promise<Evaluation>;

/** The measured server and deck. */
export interface ModelsBench {
  /** Null: the real servers of the tests that are in the cache. */
  readonly server: BenchedServer | null;
  /** File of a PDF, or slides of one that is made; null: a small one with the first questions of the template. */
  readonly deck: string | number | null;
  /** Null: nothing is judged. */
  readonly evaluate: EvaluateProfile | null;
}

/** Runs the benchmark. A server that does not end is a figure, and the next one follows. @throws DeckhandError `cancelled` when the signal fires */
export async function benchModels(
  figures: Figures,
  tell: Tell,
  bench: ModelsBench,
  signal: AbortSignal,
): Promise<void> {
  const pdf = await pdfOf(bench.deck);
  const servers = bench.server === null ? cachedServers(tell) : [bench.server];
  if (servers.length === 0) {
    throw new DeckhandError('dependency_missing', 'no real model server is in the cache', {
      hint: 'Build one with a command named above, or name yours: --server URL --model NAME',
    });
  }
  const seconds = new Map<string, number>();
  const judged = new Set<string>();
  for (const server of servers) {
    const startedMs = performance.now();
    try {
      seconds.set(server.name, await benchServer(server, { bench, pdf, judged, figures, tell, signal }));
    } catch (error) {
      if (signal.aborted) throw new DeckhandError('cancelled', 'the benchmark was cancelled', { cause: error });
      const reason = error instanceof DeckhandError ? error.userMessage : errorText(error);
      figures.add(`${server.name}: did not end: ${reason}`, (performance.now() - startedMs) / 1000, 's');
    }
  }
  const [fastest, ...others] = [...seconds].toSorted(([, a], [, b]) => a - b);
  if (fastest !== undefined && others.length > 0) tell(`the fastest is ${fastest[0]}`);
}

async function pdfOf(deck: ModelsBench['deck']): Promise<Uint8Array> {
  if (typeof deck === 'number') return generateUniqueDeck({ slides: deck, seed: DECK_SEED });
  return deck === null ? drawPlainDeck(plainSlides('Pulsara').slice(0, PLAIN_SLIDES)) : readFile(deck);
}

/** Of one run of the benchmark. */
interface Setting {
  readonly bench: ModelsBench;
  readonly pdf: Uint8Array;
  /** Profiles whose figures are known: the built-in reader's are the same beside each server. */
  readonly judged: Set<string>;
  readonly figures: Figures;
  readonly tell: Tell;
  readonly signal: AbortSignal;
}

/** Measures a server. @returns seconds of the review */
async function benchServer(server: BenchedServer, setting: Setting): Promise<number> {
  const { bench, pdf, tell, signal } = setting;
  const { name } = server;
  await using started = new AsyncDisposableStack();
  tell(`${name}: starting`);
  const running = await startServer(server, started);
  const port = await portOf(running);
  // Deckhand sees the proxy alone, so it is asked here whether slides may leave for the server.
  await within(READY_MINUTES, 'the server did not answer', signal, (limited) => port.version({ signal: limited }));
  const recorder = await startRecorder(running.url, egressTo(running));
  started.defer(() => recorder.stop());
  signal.throwIfAborted();
  const isSmall = bench.deck === null && bench.evaluate === null;
  const rig = await startRig({
    template: isSmall ? 'short' : 'whole',
    // The class of each fault stands there.
    environment: { DECKHAND_LOG_LEVEL: 'info' },
  });
  started.defer(() => rig.stop());
  signal.throwIfAborted();

  const { profile, windows } = await addModel(rig, running, recorder.url, signal);
  const before = await port.metrics?.({ signal });
  tell(`${name}: reviewing`);
  const review = await within(REVIEW_MINUTES, 'the review did not end', signal, (limited) =>
    reviewOnce(rig, profile, pdf, limited),
  );
  tellCounters(name, before, await port.metrics?.({ signal }), tell);
  addReview(name, review, setting);
  if (bench.evaluate !== null) await judge(rig, { name, profile }, bench.evaluate, setting);
  const { beganAtMs, endedAtMs, seconds } = review.measures;
  const sent = recorder.requests.filter(
    (each) => isChat(each) && each.arrivedAtMs >= beganAtMs && each.arrivedAtMs <= endedAtMs,
  );
  // Deckhand ends, so that it takes no time from the bare loop.
  await started.disposeAsync();
  await benchBare(server, { review, sent, windows }, setting);
  return seconds;
}

/** Adds the figures of a review. */
function addReview(name: string, { measures, wholeSeconds, gaps }: Review, { figures, tell }: Setting): void {
  const add = (what: string, value: number, unit: string): void => figures.add(`${name}: ${what}`, value, unit);
  add('review, first request to last result', measures.seconds, 's');
  add('upload to report', wholeSeconds, 's');
  add('read', measures.readPerSec, 'tokens/s');
  add('written', measures.writtenPerSec, 'tokens/s');
  add('calls', measures.calls, 'calls');
  add('valid first answers', measures.firstValid, 'share');
  for (const [fault, count] of measures.faults) add(`fault ${fault}`, count, 'answers');
  add('gaps', gaps.length, 'gaps');
  for (const { code, message } of gaps) tell(`${name}: gap ${code}: ${message}`);
}

/** A review, its requests, and the windows of its models. */
interface Reviewed {
  readonly review: Review;
  readonly sent: readonly RecordedRequest[];
  readonly windows: ReadonlyMap<string, number>;
}

/** Sends the requests of a review again to a server that has nothing of them in its cache, and adds the figures. */
async function benchBare(
  server: BenchedServer,
  { review, sent, windows }: Reviewed,
  { figures, tell, signal }: Setting,
): Promise<void> {
  const { name, isOwn } = server;
  const { measures, wholeSeconds, slots: atOnce } = review;
  await using started = new AsyncDisposableStack();
  const running = await startServer(server, started);
  if (isOwn) {
    await within(READY_MINUTES, 'the models were not loaded', signal, (limited) => load(running, windows, limited));
  }
  tell(
    `${name}: ${sent.length} requests of ${measures.calls} calls are sent again without Deckhand, ${atOnce} at a time`,
  );
  if (sent.length !== measures.sends) tell(`${name}: by the rows of its calls they are ${measures.sends}`);
  const mark = isOwn ? null : `Run ${randomBytes(6).toString('hex')}.`;
  const bare = await within(BARE_MINUTES, 'the bare loop did not end', signal, (limited) =>
    sendBare(sent, { url: running.url, egress: egressTo(running), atOnce, mark, signal: limited }),
  );
  const bytes = sent.reduce((sum, { answerBytes }) => sum + answerBytes, 0);
  tell(
    `${name}: answers of ${bytes} bytes in the review, and of ${bare.answerBytes} without it; they differ where the server is not deterministic${isOwn ? '' : ', or by the mark before each prompt that keeps its cache out of it'}`,
  );
  if (bare.refused > 0) tell(`${name}: ${bare.refused} of the requests were not answered`);
  const add = (what: string, value: number, unit: string, aim?: string): void =>
    figures.add(`${name}: ${what}`, value, unit, aim);
  add('bare loop', bare.seconds, 's');
  add('pipeline ÷ bare loop', measures.seconds / bare.seconds, 'ratio', MOST_RATIO);
  add('upload to report ÷ bare loop', wholeSeconds / bare.seconds, 'ratio');
}

async function startServer(server: BenchedServer, stack: AsyncDisposableStack): Promise<RunningServer> {
  const running = await server.start();
  stack.defer(() => running.stop());
  return running;
}

/** Each connection is checked: that a server was asked before says nothing of the next one. */
const egressTo = ({ dataLeavesHost = false }: RunningServer): Egress => new Egress(reachWith(dataLeavesHost));

const portOf = ({ kind, url, keyFile, dataLeavesHost = false }: RunningServer): Promise<ModelServer> =>
  openKeyedServer({ kind, url, keyFile: keyFile ?? null, dataLeavesHost });

/** A profile, and the windows of its models. */
interface AddedModels {
  readonly profile: string;
  readonly windows: ReadonlyMap<string, number>;
}

/** Adds the model and waits until it may be used. */
async function addModel(rig: Rig, server: RunningServer, url: string, signal: AbortSignal): Promise<AddedModels> {
  const { kind, model, visual, keyFile, windowTokens: window } = server;
  const body = { model, server: url, kind, visual, keyFile, window };
  const { profile, models } = await rig.client.POST('/models/add', { body, signal });
  await within(READY_MINUTES, 'the server was not ready', signal, async (limited) => {
    for (;;) {
      const { profiles } = await rig.client.GET('/models/catalog', { signal: limited });
      if (profiles.find(({ name }) => name === profile)?.state === 'ready') return;
      await sleep(ASK_INTERVAL_MS, undefined, { signal: limited });
    }
  });
  return { profile, windows: new Map(models.map((each) => [each.name, each.window])) };
}

/** Duration and end of a review. */
interface Review {
  readonly measures: Measures;
  readonly wholeSeconds: number;
  readonly gaps: AnalysisReport['gaps'];
  /** Calls that the server was given at a time. */
  readonly slots: number;
}

/** Reviews the deck. @throws Error for a review without a result */
async function reviewOnce(rig: Rig, profile: string, pdf: Uint8Array, signal: AbortSignal): Promise<Review> {
  const startedMs = performance.now();
  const deckId = await rig.upload(pdf);
  const { analysisId } = await rig.client.startAnalysis(deckId, { models: profile }, signal);
  await followToEnd(rig, analysisId, profile, signal);
  const { status, failure, gaps } = await rig.client.report(analysisId, signal);
  const wholeSeconds = (performance.now() - startedMs) / 1000;
  if (failure !== null) throw new Error(`the review ended ${status}: ${failure.message}`);
  const where = { analysisId };
  const [calls, attempts, faults] = await Promise.all([
    rig.db.modelCall.findMany({ where }),
    rig.db.callAttempt.findMany({ where }),
    faultsOf(rig, analysisId),
  ]);
  const instanceName = attempts[0]?.instanceName ?? '';
  const { slots } = await rig.db.instanceServing.findUniqueOrThrow({ where: { instanceName } });
  return { measures: measuresOf({ calls, attempts, faults }), wholeSeconds, gaps, slots };
}

/** Waits for the end of an analysis. @throws Error where its server has not answered for too long, as one that has ended */
async function followToEnd({ client }: Rig, analysisId: string, profile: string, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const ended = async (): Promise<void> => {
    for await (const { type } of client.events(analysisId, either)) if (type === 'finished') return;
  };
  const lost = async (): Promise<void> => {
    let answeredMs = performance.now();
    while (performance.now() - answeredMs < LOST_MINUTES * MINUTE_MS) {
      await sleep(LOST_ASK_INTERVAL_MS, undefined, { signal: either });
      const { profiles } = await client.GET('/models/catalog', { signal: either });
      if (profiles.find(({ name }) => name === profile)?.state !== 'does not answer') answeredMs = performance.now();
    }
    throw new Error(`the server did not answer for ${LOST_MINUTES} minutes`);
  };
  try {
    await Promise.race([ended(), lost()]);
  } finally {
    over.abort();
  }
}

const faultLine = z.object({ analysisId: z.string(), msg: z.literal(UNUSABLE_ANSWER), fault: z.string() });

/** Classes of the answers that could not be used, by the log of the gateway. */
async function faultsOf({ config }: Rig, analysisId: string): Promise<string[]> {
  const log = await readFile(logPath(supervisorPaths(config.home).logDir, 'gateway'), 'utf8');
  const lines = log.split('\n').filter((line) => line.includes(UNUSABLE_ANSWER));
  const entries = lines.map((line) => faultLine.parse(JSON.parse(line)));
  return entries.filter((entry) => entry.analysisId === analysisId).map(({ fault }) => fault);
}

/** The server's own counters, beside the figures from stored calls. */
function tellCounters(
  name: string,
  before: ServerMetrics | null | undefined,
  after: ServerMetrics | null | undefined,
  tell: Tell,
): void {
  const since = (of: 'promptTokens' | 'outputTokens'): number | null => {
    const [first, last] = [before?.[of] ?? null, after?.[of] ?? null];
    return first === null || last === null ? null : last - first;
  };
  const [read, written] = [since('promptTokens'), since('outputTokens')];
  if (read === null && written === null) return;
  tell(`${name}: by its own counters it read ${read ?? '?'} tokens and wrote ${written ?? '?'} meanwhile`);
}

/** Adds the figures of the profile by the labels, and those of the reader. */
async function judge(
  { client, config }: Rig,
  { name, profile }: { readonly name: string; readonly profile: string },
  evaluate: EvaluateProfile,
  { judged, figures, tell, signal }: Setting,
): Promise<void> {
  for (const [owner, models] of [
    [name, profile],
    [READER_PROFILE, READER_PROFILE],
  ] as const) {
    if (judged.has(owner)) continue;
    tell(`${name}: evaluating ${models}`);
    const {
      figures: { fields, invented, finished },
    } = await within(EVALUATION_MINUTES, 'the evaluation did not end', signal, (limited) =>
      evaluate(models, { client, config, signal: limited }),
    );
    judged.add(owner);
    // A field that people have to grade has no share yet.
    for (const { field, right } of fields.filter(({ right }) => right.of > 0))
      figures.add(`${owner}: ${field} right`, right.right, `of ${right.of}`);
    figures.add(`${owner}: invented`, invented, 'values');
    figures.add(`${owner}: decks with a review`, finished, 'decks');
  }
}

/** Has each model answer with one token, which loads it. */
async function load(server: RunningServer, windows: ReadonlyMap<string, number>, signal: AbortSignal): Promise<void> {
  const port = await portOf(server);
  for (const [model, windowTokens] of windows) {
    const request = {
      model,
      messages: [{ role: 'user', content: 'Answer with one word.' }],
      schema: null,
      windowTokens,
      mostTokens: 1,
      temperature: 0,
      seed: 1,
      thinking: 'leave',
    } as const;
    for await (const part of port.chat(request, signal)) if (part.end !== null) break;
  }
}

/** Runs work that ends with its signal, for a bounded time. @param what is said of work that takes longer */
async function within<T>(
  minutes: number,
  what: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = AbortSignal.timeout(minutes * MINUTE_MS);
  try {
    return await work(AbortSignal.any([signal, limit]));
  } catch (error) {
    signal.throwIfAborted();
    if (!limit.aborted) throw error;
    throw new Error(`${what} within ${minutes} minutes`, { cause: error });
  }
}
