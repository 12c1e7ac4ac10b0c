/**
 * `deckhand bench dev`: the loop of somebody who works on the workspace: from writing a source file to the changed text in Chromium, behind Vite's
 * development server on a whole Deckhand. The sources are a copy, so the checkout is not touched.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { REPOSITORY_DIR } from '../../platform/config.ts';
import { clientApiKey } from '../../platform/own-api-key.ts';
import { startDevServer } from '../../runtime/dev-server.ts';
import { launchBrowser } from '../../testing/browser.ts';
import { startRig } from '../../testing/rig.ts';
import type { Figures } from '../figures.ts';
import { median } from '../pipeline/decks.ts';

const ROUNDS = 10;
/** The file that is changed, and the words in it that the start page shows. */
const WORDS_FILE = 'web/shell/words.ts';
const WORDS = 'Portfolio';

/** Runs the benchmark. */
export async function benchDev(figures: Figures, tell: (line: string) => void): Promise<void> {
  tell('starting Deckhand and Vite');
  const rig = await startRig();
  const copy = mkdtempSync(path.join(tmpdir(), 'deckhand-dev-'));
  for (const part of ['web', 'domain', 'api', 'tsconfig.json', 'package.json']) {
    cpSync(path.join(REPOSITORY_DIR, part), path.join(copy, part), { recursive: true });
  }
  symlinkSync(path.join(REPOSITORY_DIR, 'node_modules'), path.join(copy, 'node_modules'));
  const server = await startDevServer({ webDir: path.join(copy, 'web'), apiUrl: rig.runtime.apiUrl });
  const browser = await launchBrowser();
  try {
    const context = await browser.newContext({ locale: 'en-GB' });
    await context.request.post(`${server.url}/api/v1/session`, {
      data: { key: clientApiKey(rig.config) ?? '' },
      headers: { origin: server.url },
    });
    const page = await context.newPage();
    await page.goto(server.url);
    const link = (name: string) => page.getByRole('link', { name, exact: true });
    await link(WORDS).waitFor();
    const file = path.join(copy, WORDS_FILE);
    const text = readFileSync(file, 'utf8');
    const seconds: number[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const name = `${WORDS} ${round}`;
      const startedMs = performance.now();
      writeFileSync(file, text.replaceAll(`'${WORDS}'`, `'${name}'`));
      await link(name).waitFor();
      seconds.push((performance.now() - startedMs) / 1000);
      tell(`round ${round}: ${seconds.at(-1)?.toFixed(2)} s`);
    }
    figures.add(`from writing a file to the changed text, median of ${ROUNDS}`, median(seconds), 's', '<= 1');
  } finally {
    await browser.close();
    await server.stop();
    rmSync(copy, { recursive: true, force: true });
    await rig.stop();
  }
}
