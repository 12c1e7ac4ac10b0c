/** The workflow bundle in the user's cache: built once for the same sources, and old ones go when another is built. */
import { existsSync, mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { REPOSITORY_DIR } from '../../../platform/config.ts';
import { workflowBundle } from '../../../workers/support/workflow-bundle.ts';
import { folderPerTest } from '../../../testing/per-file.ts';

const DAY_SEC = 24 * 60 * 60;

it('a bundle is built once for the same sources, and removes those that were built more than 30 days ago', async () => {
  const cacheDir = folderPerTest();
  const directory = path.join(cacheDir, 'workflows');
  mkdirSync(directory);
  const [old, recent] = [31, 29].map((days) => {
    const file = path.join(directory, `${days}.js`);
    writeFileSync(file, '');
    const builtAtSec = Date.now() / 1000 - days * DAY_SEC;
    utimesSync(file, builtAtSec, builtAtSec);
    return file;
  });
  const { codePath } = await workflowBundle(REPOSITORY_DIR, cacheDir, {});
  const { ino, mtimeMs } = statSync(codePath);
  expect([old, recent].map((file) => existsSync(file ?? ''))).toEqual([false, true]);
  expect(await workflowBundle(REPOSITORY_DIR, cacheDir, {})).toEqual({ codePath });
  expect(statSync(codePath)).toMatchObject({ ino, mtimeMs });
});
