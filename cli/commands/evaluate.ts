/**
 * `deckhand evaluate DIR`: reviews every deck of a folder and judges the reviews by labels. `evaluate list`, `show` and `compare` are about runs
 * that were kept.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { catalogName, READER_PROFILE } from '../../domain/models/catalog/catalog.ts';
import { findProfile } from '../../domain/models/catalog/lookup.ts';
import path from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { renderHtml } from '../../api/document/html.ts';
import { compareEvaluations, type EvaluationComparison } from '../../domain/evaluation/compare.ts';
import type { Evaluation } from '../../domain/evaluation/evaluation.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { type Language, LANGUAGES } from '../../domain/models/model-tasks.ts';
import { loadConfig, type Config } from '../../platform/config.ts';
import {
  EVALUATION_REPORT_FILES,
  evaluationFolder,
  type EvaluationRun,
  readEvaluationRuns,
  writeEvaluationRun,
} from '../../platform/evaluation-files.ts';
import { endOnSignal } from '../../platform/signals.ts';
import { askApi, isRunning, openApi } from '../api/open.ts';
import { exitCodeOfError } from '../decks/follow.ts';
import { codeVersionOf } from '../evaluation/code-version.ts';
import { evaluationOf } from '../evaluation/document.ts';
import { type DeckFolder, readDeckFolder } from '../evaluation/folder.ts';
import { evaluationDocument } from '../evaluation/report.ts';
import { findRun } from '../evaluation/run-list.ts';
import { runEvaluation, type RunSurroundings } from '../evaluation/run.ts';
import { renderEvaluation, renderEvaluationComparison, renderRunList } from '../evaluation/text.ts';
import { isWholeWithin, numberThat } from '../terminal/arguments.ts';
import { JSON_HELP, printingCommand, printResult } from '../terminal/output.ts';
import { createProgress } from '../terminal/progress.ts';

interface EvaluateOptions {
  readonly models?: readonly string[];
  readonly labels?: string;
  readonly out?: string;
  readonly language: Language;
  readonly atOnce: number;
  readonly again?: boolean;
  readonly keep?: boolean;
  readonly json?: boolean;
}

const DEFAULT_AT_ONCE = 4;
const MOST_AT_ONCE = 32;
const MOST_PROFILES = 2;

/** What the command prints with `--json`, and writes as `evaluation.json`. */
interface EvaluationDocument {
  /** One per profile. */
  readonly evaluations: readonly Evaluation[];
  /** Of two profiles. */
  readonly comparison: EvaluationComparison | null;
}

export function registerEvaluate(program: Command): void {
  const evaluate = program
    .command('evaluate')
    .description('review the decks of a folder and judge the reviews by labels; list, show and compare such runs')
    .argument('<dir>', 'folder of PDF files, with labels.json or truth.json (docs/evaluation.md)')
    .addOption(
      new Option(
        '--models <a[,b]>',
        'model profile that answers, or two with a comma between them; by default that of new analyses',
      ).argParser(parseProfiles),
    )
    .option('--labels <file>', 'labels file; by default the one in the folder')
    .option('--out <dir>', 'where the HTML and JSON reports go; by default the folder of the run in the data directory')
    .addOption(new Option('--language <language>', 'language of the reviews').choices(LANGUAGES).default('en'))
    .option('--at-once <decks>', 'decks in review at the same time', parseAtOnce, DEFAULT_AT_ONCE)
    .option('--again', 'review every deck, also those that the same profile and code have reviewed')
    .option('--keep', 'leave the runtime running afterwards (end it with: deckhand down)')
    .option('--json', JSON_HELP)
    .action((dir: string, options: EvaluateOptions) => evaluateFolder(dir, options));
  printingCommand(evaluate, 'list', 'list the evaluations that were made, newest first').action(
    async (_, command: Command) => {
      const runs = await readEvaluationRuns(loadConfig().home);
      printResult(
        command.optsWithGlobals(),
        runs.map(({ decks, ...run }) => ({ ...run, decks: decks.length })),
        (style) => renderRunList(runs, style),
      );
    },
  );
  printingCommand(evaluate, 'show <run>', 'show an evaluation again, and write its reports')
    .option('--out <dir>', 'where the HTML and JSON reports go')
    .action(async (id: string, _, command: Command) => {
      const options = command.optsWithGlobals<EvaluateOptions>();
      const { home, apiUrl } = loadConfig();
      const run = findRun(await readEvaluationRuns(home), id, apiUrl ?? null);
      const evaluation = await askApi('Reading the reviews', (client, signal) => evaluationOf(client, run, signal));
      await finish(home, options, { evaluations: [evaluation], comparison: null });
    });
  printingCommand(
    evaluate,
    'compare <run1> <run2>',
    'show what two evaluations say differently, and what was changed between them',
  )
    .option('--out <dir>', 'also write the comparison as HTML and JSON there')
    .action(async (first: string, second: string, _, command: Command) => {
      const options = command.optsWithGlobals<EvaluateOptions>();
      const { home, apiUrl = null } = loadConfig();
      const runs = await readEvaluationRuns(home);
      const [a, b] = [findRun(runs, first, apiUrl), findRun(runs, second, apiUrl)];
      const document = await askApi('Reading the reviews', async (client, signal) => {
        // Both are judged by the newer labels, so that a corrected label is no difference.
        const labels = new Map(b.decks.map(({ sha256, label }) => [sha256, label]));
        const evaluations = [
          await evaluationOf(client, a, signal, labels),
          await evaluationOf(client, b, signal),
        ] as const;
        return { evaluations, comparison: compareEvaluations(...evaluations) };
      });
      const file = options.out === undefined ? null : await writeReports(options.out, document);
      printResult(options, document.comparison, (style) =>
        [renderEvaluationComparison(document.comparison, style), ...(file === null ? [] : [reportLine(file)])].join(
          '\n\n',
        ),
      );
    });
}

async function evaluateFolder(dir: string, options: EvaluateOptions): Promise<void> {
  const config = loadConfig();
  const folder = await readDeckFolder(dir, options.labels);
  for (const warning of folder.warnings) console.error(warning);
  const evaluations: Evaluation[] = [];
  for (let left = options.models ?? null; left === null || left.length > 0;) {
    const made = await evaluateOnOne(left, folder, options, config);
    evaluations.push(...made);
    left = left?.slice(made.length) ?? [];
  }
  const [a, b] = evaluations;
  const comparison = a === undefined || b === undefined ? null : compareEvaluations(a, b);
  await finish(config.home, options, { evaluations, comparison });
  process.exitCode = exitCodeOf(evaluations);
}

/**
 * Makes the runs of these profiles on one Deckhand: all of them on one that runs already; on one that is started with the first profile, as
 * many as it serves.
 *
 * @param profiles null = the one of new analyses
 * @throws DeckhandError before anything is uploaded: `not_found` for a profile that does not exist, `conflict` for one that is not served
 */
async function evaluateOnOne(
  profiles: readonly string[] | null,
  folder: DeckFolder,
  options: EvaluateOptions,
  config: Config,
): Promise<readonly Evaluation[]> {
  const isJoined = isRunning(config);
  const [models = config.models] = profiles ?? [];
  const isReaderBeside = models === READER_PROFILE && options.models !== undefined && options.models.length > 1;
  const own = isReaderBeside && !isJoined ? withoutModelHosts(config) : config;
  const signal = endOnSignal();
  const progress = createProgress();
  const api = await openApi(own, { models, progress, signal });
  let isLast = false;
  try {
    const catalog = await api.client.GET('/models/catalog', { signal });
    const wanted = profiles ?? [catalog.default];
    for (const name of wanted) findProfile(catalog, name);
    const isServed = (wish: string): boolean => catalog.profiles.some(({ name, isServed: is }) => name === wish && is);
    const notServed = wanted.find((name) => !isServed(name));
    const served = notServed === undefined ? wanted : wanted.slice(0, wanted.indexOf(notServed));
    if (notServed !== undefined && (isJoined || served.length === 0)) throw nothingHolds(notServed, catalog.installed);
    const evaluations: Evaluation[] = [];
    // One after the other, so that neither takes the other's time.
    for (const name of served)
      evaluations.push(await evaluateWith(name, folder, options, own, { client: api.client, progress, signal }));
    isLast = served.length === wanted.length;
    return evaluations;
  } finally {
    progress.end();
    await (isLast && options.keep === true ? api.keep() : api.end());
  }
}

const nothingHolds = (profile: string, installed: string): DeckhandError =>
  new DeckhandError('conflict', `nothing holds the models of profile ${profile}`, {
    userMessage: `Deckhand runs with the models of ${installed}, and nothing here holds those of ${profile}.`,
    hint: '`./deckhand models list` shows what is ready to use. Where no Deckhand runs (`./deckhand down`), this command starts it with each profile in turn.',
  });

/** Settings for the built-in reader beside an Ollama: the servers that they name are those of the Ollama. */
const withoutModelHosts = ({ environment }: Config): Config =>
  loadConfig({ ...environment, OLLAMA_HOST: undefined, DECKHAND_STATIC_HOSTS: undefined });

/** Makes a run with one profile, or goes on with one. */
export async function evaluateWith(
  models: string,
  folder: DeckFolder,
  {
    language = 'en',
    atOnce = DEFAULT_AT_ONCE,
    again = false,
  }: Partial<Pick<EvaluateOptions, 'language' | 'atOnce' | 'again'>>,
  config: Config,
  surroundings: RunSurroundings,
): Promise<Evaluation> {
  const { client, progress, signal } = surroundings;
  const code = config.apiUrl === undefined ? codeVersionOf(config.repositoryDir) : null;
  const request = { home: config.home, models, language, code, apiUrl: config.apiUrl ?? null, atOnce, again };
  const reviewed = await runEvaluation(folder, request, surroundings);
  progress.update('Reading the reviews');
  const run: EvaluationRun = { ...reviewed, finishedAt: new Date().toISOString() };
  const evaluation = await evaluationOf(client, run, signal);
  const { fields, topics, invented } = evaluation.figures;
  const shares = [
    ...fields.map(({ field, right: { right, of } }) => ({ field, right, of })),
    ...topics.map(({ topic, right: { right, of } }) => ({ field: `topic_${topic}`, right, of })),
  ];
  await writeEvaluationRun(config.home, { ...run, shares, invented });
  return evaluation;
}

/** 0 where every run has a review; else that of the gravest reason why one has none. */
function exitCodeOf(evaluations: readonly Evaluation[]): number {
  const without = evaluations.filter(({ figures }) => figures.finished === 0);
  return Math.max(0, ...without.flatMap(({ decks }) => decks.map(({ failure }) => exitCodeOfError(failure?.code))));
}

/** Writes the reports, says where they are, and prints the result. */
async function finish(home: string, options: EvaluateOptions, document: EvaluationDocument): Promise<void> {
  const { evaluations, comparison } = document;
  const last = evaluations.at(-1);
  if (last === undefined) throw new DeckhandError('internal', 'no profile was asked for');
  const file = await writeReports(options.out ?? evaluationFolder(home, last.run.id), document);
  printResult(options, document, (style) =>
    [
      ...evaluations.map((evaluation) => renderEvaluation(evaluation, style)),
      ...(comparison === null ? [] : [renderEvaluationComparison(comparison, style)]),
      reportLine(file),
    ].join('\n\n'),
  );
}

const reportLine = (file: string): string => `Report: ${file}`;

/** Writes both reports. @returns the path of the page */
async function writeReports(out: string, document: EvaluationDocument): Promise<string> {
  await mkdir(out, { recursive: true });
  const page = path.resolve(out, EVALUATION_REPORT_FILES.html);
  await writeFile(page, renderHtml(evaluationDocument(document.evaluations, document.comparison)), { mode: 0o600 });
  const json = path.resolve(out, EVALUATION_REPORT_FILES.json);
  await writeFile(json, `${JSON.stringify(document, null, 1)}\n`, { mode: 0o600 });
  return page;
}

function parseProfiles(text: string): string[] {
  const profiles = text.split(',').map((name) => {
    const { success, data } = catalogName.safeParse(name.trim());
    if (!success) throw new InvalidArgumentError(`"${name}" is no name of a model profile.`);
    return data;
  });
  if (profiles.length > MOST_PROFILES || new Set(profiles).size < profiles.length) {
    throw new InvalidArgumentError('Name one profile, or two different ones with a comma between them.');
  }
  return profiles;
}

const parseAtOnce = numberThat(isWholeWithin(1, MOST_AT_ONCE), `Write a number from 1 to ${MOST_AT_ONCE}.`);
