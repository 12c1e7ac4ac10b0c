/** The same PDF under another name: one deck, which knows both names, and a review that goes by the name it was handed in under. */
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { analysisReportSchema } from '../../domain/decks/report.ts';
import { plainDeck } from '../../testing/plain-deck.ts';
import { joinSharedStack } from '../../testing/rig.ts';
import { folderPerFile, perFile } from '../../testing/per-file.ts';
import { runCommand } from '../../testing/command.ts';

const files = folderPerFile();
const rig = perFile(() => joinSharedStack());

/** Runs `deckhand analyze` over a file and returns what it printed. */
async function analyze(file: string, ...options: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(['analyze', file, ...options], rig.config.environment);
  expect(code, stderr).toBe(0);
  return stdout;
}

it('a PDF that is there under another name is the same deck: the answer to the upload has the new name, the deck has both', async () => {
  const bytes = await plainDeck('Names of an upload');
  const [first, second] = ['Ärzte-App.pdf', 'cardio.pdf'].map((name) => path.join(files, name));
  for (const file of [first ?? '', second ?? '']) writeFileSync(file, bytes);
  const before = await rig.client.uploadDeck(first ?? '');
  expect(before).toMatchObject({ fileName: 'Ärzte-App.pdf', otherNames: [] });
  const after = await rig.client.uploadDeck(second ?? '');
  expect(after).toMatchObject({ id: before.id, fileName: 'cardio.pdf', otherNames: ['Ärzte-App.pdf'] });
  // A name is kept once, and the first stays the deck's own.
  await Promise.all([1, 2, 3].map(() => rig.client.uploadDeck(second ?? '')));
  expect(await rig.db.deck.findUnique({ where: { id: before.id } })).toMatchObject({
    fileName: 'Ärzte-App.pdf',
    otherNames: ['cardio.pdf'],
  });
  expect(await rig.client.uploadDeck(first ?? '')).toMatchObject({
    fileName: 'Ärzte-App.pdf',
    otherNames: ['cardio.pdf'],
  });
});

it('a PDF that is there under another name analyze prints and saves the review under the name it was given', async () => {
  const bytes = await plainDeck('Names of a review');
  const names = ['earlier', 'later'];
  for (const name of names) writeFileSync(path.join(files, `${name}.pdf`), bytes);
  for (const name of names) await analyze(path.join(files, `${name}.pdf`));
  const saved = readdirSync(path.join(rig.config.home, 'reports')).map((file) => file.replace(/-[^-]+$/, ''));
  // Other files save their reports in the same folder.
  expect(saved.filter((name) => names.includes(name)).toSorted()).toEqual(names);
  const report = analysisReportSchema.parse(JSON.parse(await analyze(path.join(files, 'later.pdf'), '--json')));
  expect(report.deck.fileName).toBe('later.pdf');
});
