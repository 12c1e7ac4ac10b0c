/** `deckhand bench pipeline`: the speed of the pipeline compared with that of the same servers without it. */
import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { MODEL_TASK_NAMES, MODEL_TASKS } from '../../domain/models/model-tasks.ts';
import { generateUniqueDeck } from '../../samples/generator/bulk.ts';
import { startRig, type Rig } from '../../testing/rig.ts';
import { until } from '../../testing/until.ts';
import { startRealOllama, TINY_MODELS } from '../../tests/ollama/server.ts';
import type { Figures } from '../figures.ts';
import type { BareInput } from './bare-workflows.ts';
import { ourPagesPerSecond, pdftoppmPagesPerSecond } from './conversion.ts';
import { median, runSlideStage, uploadToFirstFinding } from './decks.ts';

const SLIDES = 30;
const SLOTS = 8;
const CALL_SECONDS = 0.5;
const DECK_COUNTS = [1, 10, 50];
/** Most scheduled activities of a deck; the bare fan-out gets the same per deck. */
const WIDTH_PER_DECK = 32;
/** Window of the tiny models. */
const NUM_CTX = 8192;

type Tell = (line: string) => void;

/** Runs the benchmark. */
export async function benchPipeline(figures: Figures, tell: Tell): Promise<void> {
  tell('starting the runtime');
  const rig = await startRig({
    readerArgs: ['--parallel', String(SLOTS), '--call-seconds', String(CALL_SECONDS)],
    environment: { DECKHAND_MODEL_CONCURRENCY: String(SLOTS) },
  });
  try {
    // The first deck warms caches and provides the image of the bare calls.
    const warm = await uploadUnique(rig, 1, 1000);
    await runSlideStage(rig, warm, 'en');
    const slide = await rig.db.slide.findFirstOrThrow({ where: { deckId: warm[0] ?? '' } });
    const imageFile = `${rig.config.blobDir}/${slide.modelBlobKey ?? ''}`;
    const bare = await startBareFanOut(rig, SLOTS, imageFile);
    try {
      await benchSlideStage(rig, bare, figures, tell);
      await benchActivities(rig, bare, figures, tell);
    } finally {
      await bare.stop();
    }
    await benchFirstFinding(rig, figures, tell);
  } finally {
    await rig.stop();
  }
  await benchConversion(figures, tell);
  tell('a 30-page deck on a real Ollama');
  figures.add(
    '30-page deck on real Ollama (tiny vision model), upload to last finding',
    await uploadToLastFindingOnRealOllama(await pdfOf(9000)),
    's',
  );
}

const pdfOf = (seed: number): Promise<Uint8Array> => generateUniqueDeck({ slides: SLIDES, seed });

async function uploadUnique(rig: Rig, count: number, firstSeed: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push(await rig.upload(await pdfOf(firstSeed + i), `bench-${firstSeed + i}.pdf`));
  return ids;
}

async function benchSlideStage(rig: Rig, bare: BareFanOut, figures: Figures, tell: Tell): Promise<void> {
  for (const count of DECK_COUNTS) {
    tell(`${count} decks of ${SLIDES} slides`);
    const decks = await uploadUnique(rig, count, count * 10_000);
    const stage = await runSlideStage(rig, decks, 'en');
    const bareSeconds = await bare.run({
      activity: 'bareCall',
      count: stage.calls,
      width: Math.min(WIDTH_PER_DECK * count, 1500),
    });
    const bound = Math.max((stage.calls * CALL_SECONDS) / SLOTS, stage.firstRenderSeconds + CALL_SECONDS);
    figures.add(`slide stage, ${count} decks: makespan`, stage.makespanSeconds, 's');
    figures.add(`slide stage, ${count} decks: makespan ÷ bound`, stage.makespanSeconds / bound, 'ratio');
    figures.add(
      `slide stage, ${count} decks: makespan ÷ bare fan-out`,
      stage.makespanSeconds / bareSeconds,
      'ratio',
      '<= 1.05',
    );
  }
}

/** Measures the cost of activities with calls that take no time. The pages are rendered before. */
async function benchActivities(rig: Rig, bare: BareFanOut, figures: Figures, tell: Tell): Promise<void> {
  tell('activities per second');
  const decks = await uploadUnique(rig, 10, 100_000);
  await rig.reader?.script({ callSeconds: 0 });
  await runSlideStage(rig, decks, 'en');
  const stage = await runSlideStage(rig, decks, 'de');
  const bareSeconds = await bare.run({ activity: 'noOp', count: stage.activities, width: WIDTH_PER_DECK * 10 });
  await rig.reader?.script({ callSeconds: CALL_SECONDS });
  const ours = stage.activities / stage.makespanSeconds;
  const bareRate = stage.activities / bareSeconds;
  figures.add('activities per second, pipeline', ours, '1/s');
  figures.add('activities per second, bare no-op fan-out', bareRate, '1/s');
  figures.add('activities per second ÷ bare no-op fan-out', ours / bareRate, 'ratio', '>= 0.8');
}

async function benchFirstFinding(rig: Rig, figures: Figures, tell: Tell): Promise<void> {
  tell('upload to first finding');
  const seconds: number[] = [];
  for (let i = 0; i < 5; i++) seconds.push(await uploadToFirstFinding(rig, await pdfOf(200_000 + i), `first-${i}.pdf`));
  figures.add('upload to first slide finding, median of 5', median(seconds), 's', `<= ${1 + CALL_SECONDS}`);
}

async function benchConversion(figures: Figures, tell: Tell): Promise<void> {
  tell('conversion');
  const pdf = await pdfOf(300_000);
  for (const renderer of ['pdf-to-img', 'pdfium'] as const) {
    figures.add(`conversion with ${renderer}`, await ourPagesPerSecond(pdf, SLIDES, renderer), 'pages/s');
  }
  if (!hasPdftoppm()) {
    tell('pdftoppm is not installed: not compared (apt-get install poppler-utils)');
    return;
  }
  figures.add('conversion with pdftoppm -jpeg', await pdftoppmPagesPerSecond(pdf, SLIDES), 'pages/s');
}

function hasPdftoppm(): boolean {
  try {
    execFileSync('pdftoppm', ['-v'], { stdio: 'ignore' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** The bare fan-out: the same calls on the same servers, without Deckhand. */
interface BareFanOut {
  /** Seconds that `count` activities took. */
  run(input: BareInput): Promise<number>;
  stop(): Promise<void>;
}

/** Starts the worker of the bare fan-out beside a rig. */
async function startBareFanOut(rig: Rig, slots: number, imageFile: string): Promise<BareFanOut> {
  const { temporalAddress, temporalNamespace, modelHost } = rig.runtime;
  const child = spawn(
    process.execPath,
    [
      path.join(import.meta.dirname, 'bare-worker.ts'),
      temporalAddress,
      temporalNamespace,
      rig.runtime.home,
      modelHost,
      String(slots),
      imageFile,
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  await once(child.stdout, 'data');
  return {
    run: async (input) => {
      const startedAtMs = performance.now();
      await rig.temporal.workflow.execute('bareFanOut', {
        taskQueue: 'bench-bare',
        workflowId: `bench/${randomUUID()}`,
        args: [input],
      });
      return (performance.now() - startedAtMs) / 1000;
    },
    stop: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

/** Seconds from the upload to the last stored finding of a deck on a real Ollama server with tiny random-weight models. */
async function uploadToLastFindingOnRealOllama(pdf: Uint8Array): Promise<number> {
  const ollama = await startRealOllama();
  const rig = await startRig({ ollamaHost: ollama.host, models: 'ollama' });
  try {
    for (const task of MODEL_TASK_NAMES) {
      const modelName = MODEL_TASKS[task].gpuClass === 'gpu-visual' ? TINY_MODELS.vision : TINY_MODELS.text;
      await rig.db.modelConfiguration.updateMany({
        where: { profile: 'ollama', task },
        data: { modelName, numCtx: NUM_CTX, numPredict: 1024, pinnedDigest: null },
      });
    }
    // Calls are routed to the host only after its readiness check, which is not measured.
    const unpinned = () => rig.db.modelConfiguration.count({ where: { profile: 'ollama', pinnedDigest: null } });
    await until(unpinned).is(0);
    const startedAtMs = performance.now();
    const deckId = await rig.upload(pdf, 'thirty.pdf');
    const report = await rig.review(deckId, { taskType: 'visual_analysis' });
    if (report.status !== 'completed' && report.status !== 'completed_with_gaps')
      throw new Error(`ended ${report.status}`);
    return (performance.now() - startedAtMs) / 1000;
  } finally {
    await rig.stop();
    await ollama.stop();
  }
}
