/**
 * `deckhand demo`: all of Deckhand on this machine, with sample decks and a simulated GPU provider.
 *
 * The demo has a data directory of its own inside the installation's, so that it disturbs nothing and can start from nothing each time.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import type { z } from 'zod';
import type { DeckhandClient } from '../../api/client.ts';
import { clientOf } from '../../api/client/home-client.ts';
import type { fleetConfigSchema } from '../../domain/fleet/pool/pool-config.ts';
import { type Config, loadConfig } from '../../platform/config.ts';
import { readControlFile } from '../../platform/runtime-info.ts';
import { endOnSignal, untilAborted } from '../../platform/signals.ts';
import { failureOf, reviewDeck, saveHtmlReport } from '../decks/follow.ts';
import { renderReview } from '../decks/review-text.ts';
import { costLine, ladderLines, readHistories, transitionLines, untilPhase } from '../demo/fleet-activity.ts';
import { createProgress, type Progress } from '../terminal/progress.ts';
import { styleOfStdout } from '../terminal/style.ts';

/** Seconds without a call after which the demo's instance is put to sleep. */
const DEMO_IDLE_SECONDS = 10;

/** Name of the demo's one pool. */
const DEMO_POOL = 'gpu';

type FleetInput = z.input<typeof fleetConfigSchema>;

/** Compressed: what takes minutes at a provider takes seconds here, in the same proportions. */
const demoFleet = (several: boolean): FleetInput => ({
  provider: 'datacrunch',
  // With several clouds the first has nothing.
  simulator: { scenario: 'demo', scenarios: several ? { datacrunch: 'drought' } : {} },
  ...(several ? { providers: { aws: { regions: ['eu-west-1', 'eu-central-1'] } } } : {}),
  access: 'simulated',
  pools: [
    {
      name: DEMO_POOL,
      ...(several ? { providers: ['datacrunch', 'aws'], providerOrder: 'preferred' } : {}),
      classes: ['gpu-visual', 'gpu-text'],
      selector: 'h100-or-less',
      min: 0,
      max: 1,
      sleepPolicy: 'fixed',
      timing: {
        upDelayMs: 2_000,
        downDelayMs: 10_000,
        tickMs: 1_000,
        idleTickMs: 5_000,
        bootPollMs: 300,
        bootPollMaxMs: 1_000,
        stuckAfterMs: 60_000,
        proveTimeoutMs: 60_000,
        ladderPauseMs: 1_000,
        ladderPauseMaxMs: 5_000,
        drainTimeoutMs: 30_000,
        destroyRetryMs: 1_000,
        goneConfirmMs: 1_000,
        fixedIdleMs: DEMO_IDLE_SECONDS * 1_000,
        minIdleMs: 1_000,
      },
    },
  ],
  reaper: { intervalMs: 30_000, minAgeMs: 60_000, quarantineMs: 10_000 },
});

const FIRST_DECK = path.join('samples', 'cardiosense.pdf');
const SECOND_DECK = path.join('samples', 'quayline.pdf');
/** The instance sleeps after its idle time; this is far beyond it. */
const SLEEP_LIMIT_MS = (DEMO_IDLE_SECONDS + 60) * 1000;

interface DemoOptions {
  readonly keep?: boolean;
  readonly clouds?: boolean;
}

/**
 * Variables that would take the demo out of its own directory. A control process ends the pools that its fleet file does not name: on the database
 * and the Temporal server of a real installation the demo's would end real ones.
 */
const NOT_FOR_DEMO: ReadonlySet<string> = new Set([
  'DATABASE_URL',
  'TEMPORAL_ADDRESS',
  'DECKHAND_BLOB_DIR',
  'DECKHAND_PROVIDER_URLS',
  'DATACRUNCH_CLIENT_ID',
  'DATACRUNCH_CLIENT_SECRET',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'OLLAMA_HOST',
  'DECKHAND_STATIC_HOSTS',
  'DECKHAND_API_URL',
  'DECKHAND_API_KEY',
]);

export function registerDemo(program: Command): void {
  program
    .command('demo')
    .description(
      'start everything with simulated GPUs, review two sample decks, show the review and what the fleet did; on a terminal it stays until Ctrl-C',
    )
    .option('--keep', 'leave the demo running and return')
    .option('--clouds', 'with two simulated clouds: the first is sold out, the second serves')
    .action(runDemo);
}

async function runDemo(options: DemoOptions): Promise<void> {
  const { startRuntime } = await import('../../runtime/runtime.ts');
  const several = options.clouds === true;
  const config = demoConfig(several);
  const signal = endOnSignal();
  const progress = createProgress();
  const runtime = await startRuntime(config, {
    models: 'reader',
    onProgress: (line) => progress.update(line),
    signal,
  });
  runtime.onRestart(({ name, reason, restarts }) =>
    progress.update(`${name} ended (${reason}) and is started again (${restarts})`),
  );
  try {
    const client = clientOf(config, runtime.apiUrl);
    const startedAtMs = Date.now();
    const plan = await client.GET('/fleet/plan', { params: { query: { pool: DEMO_POOL } }, signal });
    const ladder = ladderLines(plan);
    const report = await review(client, config, FIRST_DECK, progress, signal);
    console.log(renderReview(report, styleOfStdout()));

    console.log(
      `\nThe GPUs are simulated, nothing was rented. Time is compressed: a boot takes 3–6 s, and after ${DEMO_IDLE_SECONDS} s without work a machine sleeps.`,
    );
    console.log(`\nThe ladder of the pool "${DEMO_POOL}" (h100-or-less) when the deck came:`);
    for (const line of ladder) console.log(line);
    await untilPhase(client, 'suspended', SLEEP_LIMIT_MS, (line) => progress.update(line), signal);
    progress.end();
    const second = await review(client, config, SECOND_DECK, progress, signal);
    console.log(
      `\nWhat the fleet did while it read ${path.basename(FIRST_DECK)}, slept, and woke for ${path.basename(SECOND_DECK)}:`,
    );
    for (const line of transitionLines(await readHistories(client, signal), startedAtMs)) console.log(line);
    console.log(`${costLine(await client.GET('/fleet', { signal }), plan)}\n`);

    const isKept = options.keep === true;
    const stays = isKept || process.stdout.isTTY;
    // An address of a demo that ends now would lead nowhere.
    if (stays) console.log(`Open first            ${runtime.apiUrl}/decks/${report.deck.id}`);
    console.log(`Reports with slides   ${await saveHtmlReport(client, report, config.home)}`);
    console.log(`                      ${await saveHtmlReport(client, second, config.home)}`);
    console.log(
      `Look around           ${stays ? '' : './deckhand demo --keep, then '}DECKHAND_HOME=${config.home} ./deckhand fleet --watch`,
    );
    console.log(`Your own deck         ./deckhand analyze your-deck.pdf`);
    console.log(`A language model      ./deckhand analyze your-deck.pdf --models qwen3-vl (docs/models.md)`);
    console.log(`Rented GPUs           docs/fleet.md`);
    if (stays && !isKept) {
      console.error('\nThe demo runs until Ctrl-C.');
      await Promise.race([runtime.closed, untilAborted(signal)]);
    }
  } finally {
    progress.end();
    if (options.keep === true) {
      await runtime.detach();
      console.error(`The demo keeps running: API ${runtime.apiUrl}, Temporal UI ${runtime.temporalUiUrl ?? 'none'}.`);
      console.error(`End it with: DECKHAND_HOME=${config.home} ./deckhand down`);
    } else await runtime.stop();
  }
}

/** The demo's settings: a data directory of its own, empty unless a demo is still up, and the simulated fleet. */
function demoConfig(several: boolean): Config {
  const installation = loadConfig();
  const home = path.join(installation.home, 'demo');
  if (readControlFile(home) === undefined) rmSync(home, { recursive: true, force: true });
  const fleetFile = writeDemoFleet(home, several);
  const environment = Object.entries(installation.environment).filter(([name]) => !NOT_FOR_DEMO.has(name));
  return loadConfig({
    ...Object.fromEntries(environment),
    DECKHAND_HOME: home,
    DECKHAND_FLEET_FILE: fleetFile,
    // No key is needed: the demo listens on loopback and holds only samples.
    DECKHAND_AUTH: 'open',
    DECKHAND_API_HOST: '127.0.0.1',
  });
}

async function review(client: DeckhandClient, config: Config, sample: string, progress: Progress, signal: AbortSignal) {
  const file = path.join(config.repositoryDir, sample);
  const report = await reviewDeck(client, file, { models: 'reader' }, progress, signal);
  progress.end();
  const failure = failureOf(report);
  if (failure !== null) throw failure;
  return report;
}

/** Writes the demo's fleet file into its data directory and returns its path. */
function writeDemoFleet(home: string, several: boolean): string {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const file = path.join(home, 'fleet.json');
  writeFileSync(file, `${JSON.stringify(demoFleet(several), null, 2)}\n`);
  return file;
}
