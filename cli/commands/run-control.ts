/**
 * `deckhand cancel|pause|resume|prioritise|retry ANALYSIS`: changes a run while it goes on. They speak to what runs and start nothing.
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

/** Adds the commands. */
export function registerRunControl(program: Command): void {
  const onRun = (usage: string, description: string): Command =>
    program
      .command(usage)
      .description(description)
      .argument('<analysis>', 'id of the analysis')
      .option('--json', 'print the analysis as one JSON document and nothing else on stdout');

  onRun('cancel', 'stop an analysis; what is stored stays').action(async (id: string, options: JsonOption) => {
    const analysis = await askRunning((client, signal) => client.cancel(id, signal));
    const isOver = analysis.status === 'cancelled';
    printResult(options, analysis, () =>
      isOver ? 'It is cancelled.' : 'Asked to stop: its model calls end within seconds.',
    );
  });
  onRun('pause', 'hold an analysis: nothing more goes to a model; what is there already is finished and stored').action(
    async (id: string, options: JsonOption) => {
      const analysis = await askRunning((client, signal) => client.hold(id, 'pause', signal));
      printResult(options, analysis, () => `Held. Let it go on with: deckhand resume ${id}`);
    },
  );
  onRun('resume', 'let an analysis that is held go on').action(async (id: string, options: JsonOption) => {
    const analysis = await askRunning((client, signal) => client.hold(id, 'resume', signal));
    printResult(options, analysis, () => 'It goes on.');
  });
  onRun('prioritise', 'change the priority of an analysis, also of its calls that are queued')
    .alias('prioritize')
    .argument('<priority>', '1 (critical: has the fleet scaled at once) … 5 (batch)', parsePriority)
    .action(async (id: string, priority: number, options: JsonOption) => {
      const analysis = await askRunning((client, signal) => client.prioritise(id, priority, signal));
      printResult(options, analysis, () => `Priority ${priority}.`);
    });
  onRun('retry', 'try what failed of one slide or question again; of a finished analysis, by a replay of that alone')
    .option('--slide <number>', 'the slide', parseSlide)
    .option('--question <slug>', 'the question')
    .action(async (id: string, options: RetryOptions) => {
      const item = itemOf(options);
      const analysis = await askRunning((client, signal) => client.retry(id, item, signal));
      const isReplay = analysis.analysisId !== id;
      const text = `The analysis is over, so replay ${analysis.analysisId} fills it.`;
      printResult(options, analysis, () => (isReplay ? text : 'It is tried again; its gap closes when it succeeds.'));
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
    userMessage: 'Name what is to be tried again: --slide NUMBER or --question SLUG.',
  });
}
