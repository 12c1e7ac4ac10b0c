/** Which version answers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { REPOSITORY_DIR } from '../../platform/config.ts';

const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(REPOSITORY_DIR, 'package.json'), 'utf8')));

/** Labels of `deckhand_build_info`. */
export const apiVersion = () => ({ version, node: process.versions.node });
