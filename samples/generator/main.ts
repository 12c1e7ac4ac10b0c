/**
 * Rewrites the committed samples: `node samples/generator/main.ts`. Run it after a change of content or layout and commit what it wrote.
 *
 * The files come out byte for byte the same each time; a test compares them with what is committed.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { committedSamples } from './committed.ts';

const folder = join(import.meta.dirname, '..');
for (const sample of await committedSamples()) {
  await writeFile(join(folder, `${sample.name}.pdf`), sample.pdf);
  await writeFile(join(folder, `${sample.name}.json`), sample.truthJson);
  process.stdout.write(`${sample.name}.pdf  ${(sample.pdf.length / 1024).toFixed(0)} KiB\n`);
}
