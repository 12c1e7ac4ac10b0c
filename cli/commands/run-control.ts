/**
 * `deckhand cancel|pause|resume|prioritise|retry ANALYSIS`: changes a running analysis. They need a running Deckhand.
 */
import { type Command, InvalidArgumentError } from 'commander';
import { PRIORITIES } from '../../domain/decks/priority.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { askRunning } from '../api/open.ts';
import { type JsonOption, printResult } from '../terminal/output.ts';

interface RetryOptions extends JsonOption {
  readonly slide?: number;
  readonly question?: string;
}

export function registerRunControl(program: Command): void {
  const onRun = (usage: string, description: string): Command =>
    program
      .command(usage)
      .description(description)
      .argument('<analysis>', 'id of the analysis')
      .option('--json', 'print the analysis as one JSON document and nothing else on stdout');

  onRun('cancel', 'cancel an analysis; stored results are kept').action(async (id: string, options: JsonOption) => {
    const analysis = await askRunning((client, signal) =>
      client.POST('/analyses/{id}/cancel', { params: { path: { id } }, signal }),
    );
    const isOver = analysis.status === 'cancelled';
    printResult(options, analysis, () =>
      isOver ? 'It is cancelled.' : 'Asked to stop: its model calls end within seconds.',
    );
  });
  onRun('pause', 'pause an analysis: no more model calls are scheduled; those in flight finish and are stored').action(
    async (id: string, options: JsonOption) => {
      const analysis = await askRunning((client, signal) =>
        client.POST('/analyses/{id}/pause', { params: { path: { id } }, signal }),
      );
      printResult(options, analysis, () => `Paused. Resume it with: deckhand resume ${id}`);
    },
  );
  onRun('resume', 'resume a paused analysis').action(async (id: string, options: JsonOption) => {
    const analysis = await askRunning((client, signal) =>
      client.POST('/analyses/{id}/resume', { params: { path: { id } }, signal }),
    );
    printResult(options, analysis, () => 'Resumed.');
  });
  onRun('prioritise', 'change the priority of an analysis, also of its calls that are queued')
    .alias('prioritize')
    .argument('<priority>', '1 (critical: the fleet scales at once) … 5 (batch)', parsePriority)
    .action(async (id: string, priority: number, options: JsonOption) => {
      const analysis = await askRunning((client, signal) =>
        client.POST('/analyses/{id}/priority', { params: { path: { id } }, body: { priority }, signal }),
      );
      printResult(options, analysis, () => `Priority ${priority}.`);
    });
  onRun('retry', 'retry what failed of one slide or question; for a finished analysis, by a replay of that item')
    .option('--slide <number>', 'the slide', parseSlide)
    .option('--question <slug>', 'the question')
    .action(async (id: string, options: RetryOptions) => {
      const item = itemOf(options);
      const analysis = await askRunning((client, signal) =>
        client.POST('/analyses/{id}/retry', { params: { path: { id } }, body: item, signal }),
      );
      const isReplay = analysis.analysisId !== id;
      const text = `The analysis is finished, so replay ${analysis.analysisId} retries it.`;
      printResult(options, analysis, () => (isReplay ? text : 'It is being retried. Its gap closes when it succeeds.'));
    });
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
    userMessage: 'Name what to retry: --slide NUMBER or --question SLUG.',
  });
}
