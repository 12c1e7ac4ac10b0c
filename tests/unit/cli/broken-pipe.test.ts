/** A command whose output is not read any more. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { loadConfig } from '../../../platform/config.ts';
import { COMMAND } from '../../../testing/command.ts';

it('a command ends without an error message when the reader of its output has left', async () => {
  const { environment } = loadConfig();
  const child = spawn(process.execPath, [COMMAND, '--help'], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close') as Promise<[number | null]>]);
  expect({ code, stderr }).toEqual({ code: 141, stderr: '' });
});
