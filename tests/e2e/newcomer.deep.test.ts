/**
 * A newcomer has an Ollama with a vision model that Deckhand has never heard of: three commands on a fresh data directory, no file edited, and a
 * review by that model. What the commands could do before goes on working beside it.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { analysisReportSchema, type AnalysisReport } from '../../domain/decks/report.ts';
import { type Environment, loadConfig } from '../../platform/config.ts';
import { type CommandRun, runCommand } from '../../testing/command.ts';
import { folderPerFile, perFile } from '../../testing/per-file.ts';
import { drawPlainDeck, plainSlides } from '../../testing/plain-deck.ts';
import { startReaderProcess } from '../../testing/rig.ts';
import { sharedServers } from '../../testing/test-servers.ts';

/** The model of the newcomer, and those of the preset `ollama`, under which this server has other files. */
const ollama = perFile(() =>
  startReaderProcess(['--also', 'llava:7b=vision,gemma3:12b=vision,phi4:latest=text,mistral:7b=text']),
);
const servers = perFile(async () => {
  const shared = await sharedServers();
  return { environment: shared.environment, stop: () => shared.release() };
});
const home = folderPerFile();

let environment: Environment;
beforeAll(() => {
  const { DECKHAND_MODELS: _, ...others } = loadConfig().environment;
  environment = { ...others, ...servers.environment, DECKHAND_HOME: home, OLLAMA_HOST: ollama.host };
});

const deckhand = (line: string): Promise<CommandRun> => runCommand(line.split(' '), environment);

/** Runs a command that has to end well, and returns its output. */
async function printed(line: string): Promise<string> {
  const run = await deckhand(line);
  expect(run, line).toMatchObject({ code: 0 });
  return run.stdout;
}
const documentOf = async (line: string): Promise<unknown> => JSON.parse(await printed(`${line} --json`));

/** Reviews a deck of its own. @returns the names of the models whose results are in the review */
async function modelsOfReview(company: string, options = ''): Promise<string[]> {
  const file = path.join(home, `${company}.pdf`);
  writeFileSync(file, await drawPlainDeck(plainSlides(company).slice(0, 2)));
  const report = analysisReportSchema.parse(await documentOf(`analyze ${file}${options}`));
  expect(report.status).toBe('completed');
  return [...new Set(provenancesOf(report).map(({ model }) => model))].toSorted();
}

const provenancesOf = ({ slides, chapters }: AnalysisReport) =>
  [
    ...slides.flatMap((slide) => [slide.descriptionProvenance, slide.feedbackProvenance]),
    ...chapters.flatMap(({ questions }) => questions.flatMap((q) => [q.answerProvenance, q.scoreProvenance])),
  ].filter((provenance) => provenance !== null);

it('three commands lead from a model of an Ollama to a review by it', async () => {
  expect(await printed('models add llava:7b')).toContain('deckhand models use llava-7b');
  expect(await printed('models use llava-7b')).toContain('New analyses are answered by llava-7b.');
  expect(await modelsOfReview('Newcomer')).toEqual(['llava:7b']);
});

it('the profile is listed as the default, shown with what is known of its model, and answers when tried', async () => {
  // The command starts Deckhand: its first readiness check may go on.
  expect(await printed('models list')).toMatch(/^llava-7b +llava:7b +.*default, (?:ready|being checked)$/mu);
  const shown = await printed('models show llava-7b');
  expect(shown).toMatch(/^llava:7b +ollama-\d+ +16384 tokens +yes +.*not known/mu);
  expect(await printed('models try')).toMatch(/^llava:7b +\S+ +answered in /mu);
});

it('a file says of a profile what add has no option for: a model for one task, and a temperature', async () => {
  const { servers: known } = (await documentOf('models list')) as { readonly servers: readonly { name: string }[] };
  const file = path.join(home, 'mixed.json');
  const models = { 'gpu-visual': 'llava:7b', 'gpu-text': 'llava:7b', score_answer: 'mistral:7b' };
  const entries = {
    models: [{ name: 'mistral:7b', server: known[0]?.name, window: 8192, languages: ['en'] }],
    profiles: [{ name: 'mixed', models, temperature: 0.3 }],
  };
  writeFileSync(file, JSON.stringify(entries));
  expect(await printed(`models apply ${file}`)).toBe('mistral:7b is written.\nmixed is written.\n');
  expect(await documentOf('models show mixed')).toMatchObject({ models, temperature: 0.3, isServed: true });
  writeFileSync(file, JSON.stringify({ profiles: [{ name: 'mixed' }] }));
  const refused = await deckhand(`models apply ${file}`);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain(`${file}: profiles.0.models`);
});

it('the default cannot be removed', async () => {
  const run = await deckhand('models remove llava-7b');
  expect(run.code).not.toBe(0);
  expect(run.stderr).toContain('llava-7b is the profile of new analyses.');
});

it('--models reader goes on working beside it', async () => {
  expect(await modelsOfReview('Rules', ' --models reader')).toEqual(['reader-text:1', 'reader-vision:1']);
});

it('--models ollama goes on working, after models --pin has accepted what the server has under its names', async () => {
  const pins = await documentOf('models --models ollama --pin');
  expect(pins).toMatchObject({ profile: 'ollama', items: expect.arrayContaining([expect.anything()]) as unknown });
  expect(await modelsOfReview('Pair', ' --models ollama')).toEqual(['gemma3:12b', 'phi4:latest']);
});

it('a start with a profile that does not exist is refused with the one that was meant', async () => {
  const run = await deckhand('up --keep --models llava-7');
  expect(run.code).not.toBe(0);
  expect(run.stderr).toContain('There is no model profile "llava-7". Did you mean llava-7b?');
});
