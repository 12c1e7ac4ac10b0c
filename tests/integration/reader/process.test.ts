/** The reader as a process of its own. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';

const MAIN = join(import.meta.dirname, '../../../simulators/ollama/main.ts');
const run = (...argv: string[]): ChildProcessWithoutNullStreams => spawn(process.execPath, [MAIN, ...argv]);

it('the reader process says where it listens and ends when its parent goes', async () => {
  const child = run('--exit-with-parent', '--parallel', '2');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { listening } = JSON.parse(line) as { listening: number };
  expect((await fetch(`http://127.0.0.1:${listening}/api/version`)).status).toBe(200);
  child.stdin.end();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

it('the reader process ends on SIGTERM with a call in flight', async () => {
  const child = run('--call-seconds', '600');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { listening } = JSON.parse(line) as { listening: number };
  const call = fetch(`http://127.0.0.1:${listening}/api/generate`, {
    method: 'POST',
    body: JSON.stringify({ model: 'reader-text:1', prompt: 'Say OK' }),
  });
  const refused = expect(call).rejects.toThrow();
  await expect
    .poll(
      async () =>
        ((await (await fetch(`http://127.0.0.1:${listening}/_control/stats`)).json()) as { inFlight: number }).inFlight,
    )
    .toBe(1);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  await refused;
});

it('the reader process refuses an unknown option with one line', async () => {
  const child = run('--nonsense');
  const errors: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  expect(await once(child, 'close')).toEqual([2, null]);
  expect(Buffer.concat(errors).toString().trim()).toMatch(/^[^\n]*--nonsense[^\n]*$/u);
});
