/**
 * `deckhand replay`: computes what is missing of a finished analysis, or of all that a filter finds, as new analyses linked to the old ones.
 */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { AnalysisStatusDocument, DeckhandClient, ReplayBatch, ReplayOptions } from '../../api/client.ts';
import { patiently } from '../../api/client/patience.ts';
import { type Stage, STAGES } from '../../domain/decks/stage-graph.ts';
import { type AnalysisStatus, isFinished } from '../../domain/decks/report.ts';
import { ANALYSIS_STATUSES } from '../../domain/decks/list/kinds.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { counted } from '../../domain/text/words.ts';
import { loadConfig } from '../../platform/config.ts';
import { endOnSignal } from '../../platform/signals.ts';
import { askApi, openApi } from '../api/open.ts';
import { exitCodeOfBatch, exitCodeOfError, progressLine } from '../decks/follow.ts';
import { describeBatch, describePlan } from '../decks/plan-text.ts';
import { isWholeWithin, modelByTask, numberThat } from '../terminal/arguments.ts';
import { JSON_HELP, printResult } from '../terminal/output.ts';
import { createProgress, type Progress } from '../terminal/progress.ts';

interface ReplayCommandOptions {
  readonly from?: Stage;
  readonly gaps?: boolean;
  readonly model?: Readonly<Record<string, string | null>>;
  readonly template?: string;
  readonly priority?: number;
  readonly status?: readonly FinishedStatus[];
  readonly since?: string;
  readonly deck?: string;
  readonly limit?: number;
  readonly again?: boolean;
  readonly dryRun?: boolean;
  readonly wait: boolean;
  readonly json?: boolean;
}

type FinishedStatus = Exclude<AnalysisStatus, 'queued' | 'running'>;

const FINISHED = ANALYSIS_STATUSES.filter((s): s is FinishedStatus => isFinished(s));
/** Says that a task is answered by the model that is configured for it. */
const CONFIGURED = 'default';

export function registerReplay(program: Command): void {
  program
    .command('replay')
    .description('compute what is missing of a finished analysis, as a new one linked to it; stored results are kept')
    .argument('[analysis]', 'id of the analysis; without one, all that --status finds')
    .addOption(new Option('--from <stage>', 'recompute this stage and what depends on it').choices(STAGES))
    .option('--gaps', 'compute only what failed; results that were computed without it are kept and marked')
    .option(
      '--model <task=name>',
      `another model for a task or stage (${CONFIGURED}: the configured one)`,
      addModel,
      {},
    )
    .option('--template <slug>', 'another template')
    .option('--priority <1-5>', '1 (critical) to 5 (batch)', wholeNumber(1, 5))
    .option('--status <status,…>', `replay all analyses in these states: ${FINISHED.join(', ')}`, statuses)
    .option('--since <time>', 'with --status: created since then, such as 2d, 36h or 2026-11-20')
    .option('--deck <id>', 'with --status: of this deck')
    .option('--limit <n>', 'with --status: start at most so many (100)', wholeNumber(1, 200))
    .option('--again', 'with --status: also analyses that are replays with the same choices')
    .option('--dry-run', 'only report what would be computed and what is kept')
    .option('--no-wait', 'only start it; the runtime keeps running')
    .option('--json', JSON_HELP)
    .action(async (analysis: string | undefined, options: ReplayCommandOptions) => {
      process.exitCode = await (analysis === undefined ? replayMany(options) : replayOne(analysis, options));
    });
}

const addModel = modelByTask('answer_question=phi4:latest', (name) => (name === CONFIGURED ? null : name));

const wholeNumber = (least: number, most: number) =>
  numberThat(isWholeWithin(least, most), `Write a whole number from ${least} to ${most}.`);

function statuses(text: string): FinishedStatus[] {
  return text.split(',').map((name) => {
    const found = FINISHED.find((status) => status === name.trim());
    if (found === undefined) throw new InvalidArgumentError(`One or more of: ${FINISHED.join(', ')}.`);
    return found;
  });
}

function choicesOf({ from, gaps, model, template, priority }: ReplayCommandOptions): ReplayOptions {
  return {
    kind: gaps === true ? 'gaps' : 'full',
    from,
    models: model,
    template,
    priority,
  };
}

async function replayOne(analysisId: string, options: ReplayCommandOptions): Promise<number> {
  const misplaced = ['status', 'since', 'deck', 'limit', 'again'] as const;
  const filter = misplaced.find((name) => options[name] !== undefined);
  if (filter !== undefined) throw usage(`--${filter} is for many analyses; leave it out, or the id.`);
  const choices = choicesOf(options);
  if (options.dryRun === true) {
    const plan = await askApi('Planning the replay', (client, signal) =>
      client.planReplay(analysisId, choices, signal),
    );
    printResult(options, plan, () => describePlan(plan));
    return 0;
  }
  const [status] = await run(options, async (client, signal) => [
    (await client.replay(analysisId, choices, signal)).analysisId,
  ]);
  if (status === undefined) return 0;
  printResult(options, status, () => describeEnd(status));
  return exitCodeOf(status);
}

async function replayMany(options: ReplayCommandOptions): Promise<number> {
  const { status, since, deck, limit, again } = options;
  if (status === undefined) throw usage('Name an analysis, or a filter: --status completed_with_gaps --since 2d.');
  const request = { ...choicesOf(options), status: [...status], since, deck, limit, again };
  if (options.dryRun === true) {
    const batch = await askApi('Planning the replays', (client, signal) =>
      client.POST('/replays', { body: { ...request, dryRun: true }, signal }),
    );
    printResult(options, batch, () => describeBatch(batch));
    return exitCodeOfBatch(batch);
  }
  let batch: ReplayBatch | undefined;
  const ends = await run(options, async (client, signal, progress) => {
    batch = await client.POST('/replays', { body: request, signal });
    progress.end();
    if (options.json !== true) console.log(describeBatch(batch));
    return batch.items.flatMap((i) => (i.outcome === 'started' && i.replay !== null ? [i.replay.analysisId] : []));
  });
  if (options.json === true) console.log(JSON.stringify(options.wait ? { ...batch, ends } : batch));
  else for (const end of ends) console.log(describeEnd(end));
  return Math.max(batch === undefined ? 0 : exitCodeOfBatch(batch), ...ends.map(exitCodeOf));
}

const usage = (message: string): DeckhandError =>
  new DeckhandError('usage', message, { hint: 'See: deckhand replay --help' });

/** Starts replays and, unless `--no-wait` is given, waits for their ends. */
async function run(
  { wait }: ReplayCommandOptions,
  start: (client: DeckhandClient, signal: AbortSignal, progress: Progress) => Promise<readonly string[]>,
): Promise<AnalysisStatusDocument[]> {
  const config = loadConfig();
  const signal = endOnSignal();
  const progress = createProgress();
  const api = await openApi(config, { models: config.models, progress, signal });
  try {
    progress.update('Starting the replay');
    const ids = await start(api.client, signal, progress);
    if (!wait)
      return await Promise.all(ids.map((id) => api.client.GET('/analyses/{id}', { params: { path: { id } }, signal })));
    return await Promise.all(ids.map((id) => untilEnd(api.client, id, progress, signal)));
  } finally {
    progress.end();
    await (wait ? api.end() : api.keep());
  }
}

async function untilEnd(
  client: DeckhandClient,
  analysisId: string,
  progress: Progress,
  signal: AbortSignal,
): Promise<AnalysisStatusDocument> {
  try {
    for await (const event of client.events(analysisId, signal)) {
      if (event.type === 'progress' || event.type === 'finished')
        progress.update(progressLine(event.data.fileName, event.data));
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new DeckhandError('cancelled', 'not waited for', {
      userMessage: 'The replay continues while Deckhand runs.',
      hint: `End it with: deckhand cancel ${analysisId}`,
      cause: error,
    });
  }
  return patiently(() => client.GET('/analyses/{id}', { params: { path: { id: analysisId } }, signal }), {
    signal,
    answeredBefore: true,
  });
}

/** One that failed or was cancelled has nothing to compare. */
const hasResult = (status: AnalysisStatus): boolean => status !== 'failed' && status !== 'cancelled';

export function describeEnd(status: AnalysisStatusDocument): string {
  const { analysisId, replayOf, progress, failure } = status;
  const score = status.overallScore === null ? '' : `, overall ${status.overallScore.toFixed(1)} of 7`;
  return [
    `${analysisId}: ${status.status.replaceAll('_', ' ')}${score}`,
    `  ${counted(progress.modelCalls, 'call')} made, ${counted(progress.cachedCalls, 'stored result')} kept, ${counted(progress.gaps, 'gap')}`,
    ...(failure === null ? [] : [`  ${failure.code}: ${failure.message}`]),
    ...(isFinished(status.status) && hasResult(status.status) && replayOf !== null
      ? [`  What changed: deckhand compare ${replayOf} ${analysisId}`]
      : []),
  ].join('\n');
}

function exitCodeOf({ status, failure }: AnalysisStatusDocument): number {
  if (hasResult(status)) return 0;
  return exitCodeOfError(failure?.code);
}
