/** Commands that only ask join what runs on the data directory, whatever profile their own settings name; only another start is refused. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Evaluation } from '../../domain/evaluation/evaluation.ts';
import { REPOSITORY_DIR } from '../../platform/config.ts';
import { type CommandRun, runCommand } from '../../testing/command.ts';
import { folderPerFile, folderPerTest } from '../../testing/per-file.ts';
import { plainDeck } from '../../testing/plain-deck.ts';
import { rigPerFile } from '../../testing/rig.ts';

const rig = rigPerFile({ template: 'short', readerArgs: ['--also', 'llava:7b=vision'] });
const folder = folderPerFile();
const SAMPLES = path.join(REPOSITORY_DIR, 'samples');
const REFUSED = 'already runs with other models';

/** Runs a command whose settings name another profile and another model server than those that run. */
const deckhand = (line: string): Promise<CommandRun> =>
  runCommand(line.split(' '), {
    ...rig.config.environment,
    DECKHAND_MODELS: 'ollama',
    OLLAMA_HOST: 'http://127.0.0.1:9',
  });

/** Commands by the file that opens the API, with their exit codes: 4 and 2 where what they ask for is not there, which the API says. */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  // First: its reviews are there for the analysis.
  'evaluate.ts': { [`evaluate ${SAMPLES} --models reader`]: 0 },
  'access.ts': { 'keys list': 0, 'tenants list': 0 },
  'analyze.ts': { [`analyze ${SAMPLES}/quayline.pdf`]: 0, 'analyze nothing.pdf': 4 },
  'budgets.ts': { budgets: 0 },
  'costs.ts': { costs: 0, 'costs forecast': 0, 'costs reports': 0 },
  'decks.ts': { 'compare a b': 4, 'delete a --yes': 4 },
  'export.ts': { [`export ${folder}/export`]: 0 },
  'fleet.ts': { fleet: 0, reap: 2 },
  'models.ts': { models: 0, 'models list': 0, 'models show reader': 0 },
  'offers.ts': { plan: 2, tiers: 2, capacity: 2 },
  'replay.ts': { 'replay none --dry-run': 4 },
  'rollout.ts': { 'rollout list': 0 },
  'targets.ts': { targets: 0, performance: 0 },
  'temporal.ts': { schedules: 0 },
  'webhooks.ts': { 'webhooks list': 0 },
};

it('the table has every file whose commands open the API', () => {
  const commands = path.join(REPOSITORY_DIR, 'cli/commands');
  const opening = readdirSync(commands).filter((name) =>
    /\b(?:askApi|openApi)\b/u.test(readFileSync(path.join(commands, name), 'utf8')),
  );
  expect(opening.toSorted()).toEqual(Object.keys(COMMANDS).toSorted());
});

it.each(Object.values(COMMANDS).flatMap((lines) => Object.entries(lines)))('%s joins what runs', async (line, code) => {
  const run = await deckhand(line);
  expect(run.stderr).not.toContain(REFUSED);
  expect(run.code).toBe(code);
});

it('models are shown of the profile that runs', async () => {
  expect(JSON.parse((await deckhand('models --json')).stdout)).toMatchObject({ profile: 'reader' });
  expect(JSON.parse((await deckhand('models --models ollama --json')).stdout)).toMatchObject({ profile: 'ollama' });
});

it('a running Deckhand says whether it can answer with another profile', async () => {
  const unknown = await deckhand(`analyze ${SAMPLES}/lumbalis.pdf --models nobody`);
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain('There is no model profile "nobody"');
});

it('a start with another profile is refused', async () => {
  const up = await deckhand('up --keep');
  expect(up.code).toBe(1);
  expect(up.stderr).toContain(`${REFUSED} (reader at`);
});

it('set-ups and prices know a profile that a command has added', async () => {
  const need = `--sees --digest ${'c'.repeat(64)} --weights 7.5 --cache 2.5`;
  expect(await deckhand(`models add house:12b --pool --profile house ${need}`)).toMatchObject({ code: 0 });
  const setup = await deckhand('setup ollama --models house');
  expect(setup).toMatchObject({ code: 0, stdout: expect.stringContaining('house:12b') as unknown });
  for (const name of ['house', 'house:12b']) {
    const { stdout, stderr } = await deckhand(`prices --fits ${name} --json`);
    expect(JSON.parse(stdout), stderr).toMatchObject({ models: ['house:12b'] });
  }
});

/** Profile and reviews of each run of an evaluation. */
async function evaluated(line: string): Promise<(readonly [string, number])[]> {
  const { code, stdout, stderr } = await deckhand(`evaluate ${line} --json`);
  expect(code, stderr).toBe(0);
  const { evaluations } = JSON.parse(stdout) as { evaluations: Evaluation[] };
  return evaluations.map(({ run, figures }) => [run.models, figures.finished] as const);
}

it('a running Deckhand evaluates with every profile that it serves, and by default with the profile of new analyses', async () => {
  const decks = folderPerTest();
  writeFileSync(path.join(decks, 'beside.pdf'), await plainDeck('Beside'));
  writeFileSync(path.join(decks, 'labels.json'), '{}');
  expect(await deckhand(`models add llava:7b --server ${rig.reader.host} --profile office`)).toMatchObject({ code: 0 });
  expect(await evaluated(`${decks} --models reader,office`)).toEqual([
    ['reader', 1],
    ['office', 1],
  ]);
  expect(await deckhand('models use office')).toMatchObject({ code: 0 });
  expect(await evaluated(decks)).toEqual([['office', 1]]);
});
