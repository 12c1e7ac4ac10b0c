/** A review of the same PDF under another name goes by the name it was handed in under. */
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

it('`deckhand analyze` prints and saves the review of a known PDF under the name it was given', async () => {
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
