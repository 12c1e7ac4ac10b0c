/**
 * `deckhand analyze FILE…`: reviews decks and prints the reviews. Starts what is not running and ends it again, unless `--keep` is given.
 */
import { type Command, Option } from 'commander';
import { parseDeadline } from '../../domain/decks/deadline.ts';
import type { AnalysisReport } from '../../domain/decks/report.ts';
import { asDeckhandError, type DeckhandError } from '../../domain/errors.ts';
import { type Language, LANGUAGES } from '../../domain/models/model-tasks.ts';
import { loadConfig } from '../../platform/config.ts';
import { printError } from '../../platform/print-error.ts';
import { endOnSignal } from '../../platform/signals.ts';
import { openApi } from '../api/open.ts';
import { failureOf, reviewDeck, saveHtmlReport, worstExitCode } from '../decks/follow.ts';
import { renderReview } from '../decks/review-text.ts';
import { createProgress } from '../terminal/progress.ts';
import { styleOfStdout } from '../terminal/style.ts';
import { parsePriority } from './run-control.ts';
import { modelsOption } from './up.ts';

interface AnalyzeOptions {
  readonly language: Language;
  readonly template?: string;
  readonly models?: string;
  readonly priority?: number;
  readonly deadline?: string;
  readonly json?: boolean;
  readonly keep?: boolean;
}

export function registerAnalyze(program: Command): void {
  program
    .command('analyze')
    .description('review pitch decks (PDF) and print the reviews')
    .argument('<files...>', 'PDF files')
    .addOption(new Option('--language <language>', 'language of the review').choices(LANGUAGES).default('en'))
    .option('--template <slug>', 'template to review with; by default the sector decides')
    .addOption(modelsOption())
    .option('--priority <1-5>', '1 (critical: the fleet scales at once) to 5 (batch); 3 by default', parsePriority)
    .option(
      '--deadline <time>',
      'end then with what there is: 90s, 10m, 2h, 1d from now, or a time such as 2026-11-27T09:00Z',
    )
    .option('--json', 'print one JSON document (a list for several files) and nothing else on stdout')
    .option('--keep', 'leave the runtime running afterwards (end it with: deckhand down)')
    .action(async (files: string[], options: AnalyzeOptions) => {
      process.exitCode = await analyze(files, options, program.opts<{ debug?: boolean }>().debug === true);
    });
}

async function analyze(files: readonly string[], options: AnalyzeOptions, debug: boolean): Promise<number> {
  // Counts from now, not from when everything has started.
  const deadline = options.deadline === undefined ? null : parseDeadline(options.deadline, Date.now()).toISOString();
  const config = loadConfig();
  const signal = endOnSignal();
  const progress = createProgress();
  const api = await openApi(config, { models: options.models ?? config.models, progress, signal });
  const failures: (DeckhandError | null)[] = [];
  const reports: AnalysisReport[] = [];
  try {
    const { client } = api;
    const choices = {
      language: options.language,
      // Without one the API takes the default of the installation.
      models: options.models,
      template: options.template,
      priority: options.priority,
      deadline,
    };
    // Several decks run at the same time: the queues share the models fairly between them.
    const outcomes = await Promise.allSettled(files.map((file) => reviewDeck(client, file, choices, progress, signal)));
    progress.end();
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') {
        failures.push(asDeckhandError(outcome.reason));
        printError(outcome.reason, debug);
        continue;
      }
      const report = outcome.value;
      const failure = failureOf(report);
      reports.push(report);
      failures.push(failure);
      if (failure !== null) printError(failure, debug);
      else if (options.json !== true) {
        console.log(renderReview(report, styleOfStdout()));
        console.log(`Report: ${await saveHtmlReport(client, report, config.home)}`);
      }
    }
    if (options.json === true && reports.length > 0)
      console.log(JSON.stringify(files.length === 1 ? reports[0] : reports));
  } finally {
    progress.end();
    if (options.keep === true) {
      await api.keep();
      if (config.apiUrl === undefined) console.error(`It keeps running at ${api.url}. End it with: deckhand down`);
    } else await api.end();
  }
  return worstExitCode(failures);
}
