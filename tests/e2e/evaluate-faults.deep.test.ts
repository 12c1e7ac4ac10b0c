/** `deckhand evaluate` on folders with faults: wrong labels, damaged decks, an interrupted run, a deck that is deleted. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { EVALUATION_REPORT_FILES, evaluationFolder } from '../../platform/evaluation-files.ts';
import { folderPerTest, perFile } from '../../testing/per-file.ts';
import { drawPlainDeck } from '../../testing/plain-deck.ts';
import { joinSharedStack } from '../../testing/rig.ts';
import { until } from '../../testing/until.ts';
import { commandsOf } from './evaluating.ts';

const rig = perFile(() => joinSharedStack());
const { deckhand, evaluate } = commandsOf(() => rig.config.environment);

it('faults of a folder are named, an interrupted run goes on, and a deleted deck leaves nothing in it', async () => {
  const folder = folderPerTest();
  const nowhere = await deckhand('evaluate', folder);
  expect(nowhere.code).toBe(2);
  expect(nowhere.stderr).toContain('no PDF files');

  const lines = ['Zylotrace offers an app that plans the routes of street sweepers', 'March 2026'];
  writeFileSync(path.join(folder, 'zylo.pdf'), await drawPlainDeck([{ title: 'Zylotrace', lines }]));
  writeFileSync(path.join(folder, 'other.pdf'), await drawPlainDeck([{ title: 'Quornbeam', lines: ['Hello'] }]));
  writeFileSync(path.join(folder, 'damaged.pdf'), '%PDF-1.7 and nothing more');
  writeFileSync(path.join(folder, 'labels.json'), JSON.stringify({ zylo: { compnay: 1 }, ghost: {} }));
  const warned = await deckhand('evaluate', folder);
  expect(warned.stderr).toContain('Did you mean "company"?');
  expect(warned.stdout).toMatch(/not judged.*damaged\.pdf, other\.pdf\./u);
  expect(warned.stdout).toMatch(/without a PDF in the folder: ghost\./u);
  expect(warned.stdout).toMatch(/Could not be read.*damaged\.pdf \(/u);

  writeFileSync(
    path.join(folder, 'labels.json'),
    JSON.stringify({ zylo: { company: ['Zylotrace'] }, damaged: { company: ['Acme'] } }),
  );
  const done = await evaluate(folder);
  expect(done.figures.fields).toMatchObject([{ field: 'company', counts: { missed: 1 } }]);
  // What an interruption leaves: a record that is not finished, with a deck that has no review yet.
  const record = path.join(evaluationFolder(rig.config.home, done.run.id), 'run.json');
  const interrupted = JSON.parse(readFileSync(record, 'utf8')) as { decks: object[] };
  const decks = interrupted.decks.map((deck, i) => (i === 1 ? { ...deck, done: false, analysisId: null } : deck));
  writeFileSync(record, JSON.stringify({ ...interrupted, finishedAt: null, decks }));
  const anew = await evaluate(folder, '--again');
  expect(anew.run.id).not.toBe(done.run.id);
  const idIn = ({ decks: all }: typeof done): string | null | undefined =>
    all.find(({ file }) => file === 'zylo.pdf')?.analysisId;
  expect(idIn(anew)).not.toBe(idIn(done));
  const continued = await evaluate(folder);
  expect(continued.run.id).toBe(done.run.id);
  expect(idIn(continued)).toBe(idIn(done));

  const zylo = continued.decks.find(({ file }) => file === 'zylo.pdf');
  const { deckId } = await rig.analysis(zylo?.analysisId ?? '');
  await rig.client.DELETE('/decks/{id}', { params: { path: { id: deckId } } });
  await until(
    async () => (await rig.client.GET('/decks/{id}/deletion', { params: { path: { id: deckId } } })).state,
  ).is((state) => state === 'deleted');
  expect(readFileSync(record, 'utf8')).not.toContain('ylo');
  expect(existsSync(path.join(path.dirname(record), EVALUATION_REPORT_FILES.html))).toBe(false);
  const shown = await deckhand('evaluate', 'show', done.run.id);
  expect(shown.stdout).toContain('1 deck of this run was deleted since.');
  const unknown = await deckhand('evaluate', 'show', `${done.run.id}x`);
  expect(unknown.code).toBe(4);
  expect(unknown.stderr).toContain(`Perhaps ${done.run.id}.`);
});

it('a profile that does not exist or is not served is refused before anything is uploaded', async () => {
  const folder = folderPerTest();
  writeFileSync(path.join(folder, 'unseen.pdf'), await drawPlainDeck([{ title: 'Unseen', lines: ['Never sent'] }]));
  writeFileSync(path.join(folder, 'labels.json'), '{}');
  const mistyped = await deckhand('evaluate', folder, '--models', 'reader,raeder');
  expect(mistyped.code).toBe(4);
  expect(mistyped.stderr).toContain('Did you mean reader?');
  const notServed = await deckhand('evaluate', folder, '--models', 'reader,ollama');
  expect(notServed.code).toBe(1);
  expect(notServed.stderr).toContain('nothing here holds those of ollama');
  expect(await rig.db.deck.count({ where: { fileName: 'unseen.pdf' } })).toBe(0);
});

it('a run without a review has its reports, and the exit code of what failed', async () => {
  const folder = folderPerTest();
  writeFileSync(path.join(folder, 'damaged.pdf'), '%PDF-1.7 and nothing more');
  writeFileSync(path.join(folder, 'labels.json'), '{}');
  const { code, stdout } = await deckhand('evaluate', folder);
  expect(code).toBe(2);
  expect(stdout).toContain('1 deck, 0 with a review');
  expect(stdout).toMatch(/^Report: /mu);
});
