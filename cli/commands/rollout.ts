/**
 * `deckhand rollout`: gives a share of the decks other models or another pool, compares both sides, and takes it back.
 */
import { type Command, InvalidArgumentError } from 'commander';
import { askApi } from '../api/open.ts';
import { describeRollout, renderComparison, renderRollouts } from '../rollouts/text.ts';
import { modelByTask } from '../terminal/arguments.ts';
import { type JsonOption, printResult, printingCommand } from '../terminal/output.ts';

interface StartOptions extends JsonOption {
  readonly profile?: string;
  readonly model: Readonly<Record<string, string>>;
  readonly pool?: string;
  readonly percent?: number;
  readonly tenant?: readonly string[];
}

export function registerRollout(program: Command): void {
  const rollout = program.command('rollout').description('give a share of the decks other models or another pool');

  printingCommand(rollout, 'start <name>', 'start a rollout, change its share, or start it again; one at a time')
    .option('--profile <profile>', 'model profile of the candidate, for a pool that holds its models')
    .option('--model <task=name>', 'model of the candidate for a task or stage; repeat it for others', addModel, {})
    .option('--pool <name>', 'pool of the candidate: one with ownQueues in the fleet file')
    .option('--percent <0-100>', 'share of the decks; 100 where tenants are named', percentOf)
    .option('--tenant <slug,…>', 'only decks of these tenants', (text) => text.split(',').map((slug) => slug.trim()))
    .action(async (name: string, { profile, model, pool, percent, tenant, json }: StartOptions) => {
      const wish = {
        name,
        profile,
        models: model,
        pool,
        percent,
        tenants: tenant === undefined ? undefined : [...tenant],
      };
      const started = await askApi('Starting the rollout', (client, signal) =>
        client.POST('/rollouts', { body: wish, signal }),
      );
      printResult({ json }, started, () => describeRollout(started));
    });

  printingCommand(rollout, 'list', 'all rollouts, newest first').action(async (options: JsonOption) => {
    const { items } = await askApi('Reading the rollouts', (client, signal) => client.GET('/rollouts', { signal }));
    printResult(options, { items }, (style) => renderRollouts(items, style));
  });

  printingCommand(rollout, 'show <name>', 'compare both sides: ends, seconds, cost, scores, quotes, verdicts').action(
    async (name: string, options: JsonOption) => {
      const found = await askApi('Comparing', (client, signal) =>
        client.GET('/rollouts/{name}', { params: { path: { name } }, signal }),
      );
      printResult(options, found, (style) => renderComparison(found, style));
    },
  );

  printingCommand(rollout, 'stop <name>', 'take it back: new analyses are as before, running ones finish').action(
    async (name: string, options: JsonOption) => {
      const ended = await askApi('Ending the rollout', (client, signal) =>
        client.POST('/rollouts/{name}/stop', { params: { path: { name } }, signal }),
      );
      printResult(options, ended, () => describeRollout(ended));
    },
  );
}

const addModel = modelByTask('score_answer=gemma3:12b', (name) => name);

function percentOf(text: string): number {
  const percent = Number(text.replace(/\s*%$/u, ''));
  if (text.trim() !== '' && percent >= 0 && percent <= 100) return percent;
  throw new InvalidArgumentError('Write a number from 0 to 100.');
}
