import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { MUTATIONS } from '../../../cli/test/mutations/mutations.ts';
import { REPOSITORY_DIR } from '../../../platform/config.ts';

it.each(MUTATIONS)('The fault in $file replaces a piece that the file has once', ({ file, find }) => {
  expect(readFileSync(path.join(REPOSITORY_DIR, file), 'utf8').split(find)).toHaveLength(2);
});
