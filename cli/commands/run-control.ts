/**
 * `deckhand cancel|pause|resume|prioritise|retry ANALYSIS`: changes a run while it goes on. They speak to what runs and start nothing.
 */
import { InvalidArgumentError, type Command } from 'commander';
import type { AnalysisSummary, DeckhandClient } from '../../api/client.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { PRIORITIES } from '../../domain/decks/priority.ts';
import { loadConfig } from '../../platform/config.ts';
import { clientOf } from '../../api/client/home-client.ts';
import { runningApiUrl } from '../../platform/runtime-info.ts';
import { endOnSignal } from '../../platform/signals.ts';

interface RunOptions {
  readonly json?: boolean;
}

interface RetryOptions extends RunOptions {
  readonly slide?: number;
  readonly question?: string;
}

/** Adds the commands. */
export function registerRunControl(program: Command): void {
  const onRun = (usage: string, description: string): Command =>
    program
      .command(usage)
      .description(description)
      .argument('<analysis>', 'id of the analysis')
      .option('--json', 'print the analysis as one JSON document and nothing else on stdout');

  onRun('cancel', 'stop an analysis; what is stored stays').action(async (id: string, options: RunOptions) => {
    const analysis = await ask((client, signal) => client.cancel(id, signal));
    const isOver = analysis.status === 'cancelled';
    print(options, analysis, isOver ? 'It is cancelled.' : 'Asked to stop: its model calls end within seconds.');
  });
  onRun('pause', 'hold an analysis: nothing more goes to a model; what is there already is finished and stored').action(
    async (id: string, options: RunOptions) => {
      const analysis = await ask((client, signal) => client.hold(id, 'pause', signal));
      print(options, analysis, `Held. Let it go on with: deckhand resume ${id}`);
    },
  );
  onRun('resume', 'let an analysis that is held go on').action(async (id: string, options: RunOptions) => {
    const analysis = await ask((client, signal) => client.hold(id, 'resume', signal));
    print(options, analysis, 'It goes on.');
  });
  onRun('prioritise', 'change the priority of an analysis, also of its calls that are queued')
    .alias('prioritize')
    .argument('<priority>', '1 (critical: has the fleet scaled at once) … 5 (batch)', parsePriority)
    .action(async (id: string, priority: number, options: RunOptions) => {
      const analysis = await ask((client, signal) => client.prioritise(id, priority, signal));
      print(options, analysis, `Priority ${priority}.`);
    });
  onRun('retry', 'try what failed of one slide or question again; of a finished analysis, by a replay of that alone')
    .option('--slide <number>', 'the slide', parseSlide)
    .option('--question <slug>', 'the question')
    .action(async (id: string, options: RetryOptions) => {
      const item = itemOf(options);
      const analysis = await ask((client, signal) => client.retry(id, item, signal));
      const isReplay = analysis.analysisId !== id;
      const text = `The analysis is over, so replay ${analysis.analysisId} fills it.`;
      print(options, analysis, isReplay ? text : 'It is tried again; its gap closes when it succeeds.');
    });
}

/** One question to what runs. */
function ask<T>(question: (client: DeckhandClient, signal: AbortSignal) => Promise<T>): Promise<T> {
  const config = loadConfig();
  return question(clientOf(config, runningApiUrl(config)), endOnSignal());
}

function print(options: RunOptions, analysis: AnalysisSummary, text: string): void {
  console.log(options.json === true ? JSON.stringify(analysis) : text);
}

/** A priority as it is typed. @throws InvalidArgumentError */
export function parsePriority(text: string): number {
  const priority = PRIORITIES.find((p) => String(p) === text);
  if (priority === undefined) throw new InvalidArgumentError('It is 1 (critical) to 5 (batch).');
  return priority;
}

function parseSlide(text: string): number {
  if (!/^[1-9]\d*$/u.test(text)) throw new InvalidArgumentError('It is the number of a slide, counted from 1.');
  return Number(text);
}

function itemOf({ slide, question }: RetryOptions): { readonly slide: number } | { readonly question: string } {
  if (slide !== undefined && question === undefined) return { slide };
  if (question !== undefined && slide === undefined) return { question };
  throw new DeckhandError('usage', 'retry needs one of --slide and --question', {
    userMessage: 'Name what is to be tried again: --slide NUMBER or --question SLUG.',
  });
}
