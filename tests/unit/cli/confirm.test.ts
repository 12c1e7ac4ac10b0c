/** Confirmation of what cannot be undone: only a yes counts. */
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { confirm } from '../../../cli/terminal/prompt.ts';

const never = new AbortController().signal;

/** A terminal with typed input. */
function terminal(typed: string): { input: PassThrough & { isTTY: boolean }; output: PassThrough } {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  input.write(typed);
  return { input, output: new PassThrough() };
}

describe('a question before a deletion', () => {
  it.each([
    ['y\n', true],
    ['YES\n', true],
    ['  yes  \n', true],
    ['\n', false],
    ['n\n', false],
    ['yesterday\n', false],
  ])('answered with %j means %j', async (typed, meaning) => {
    const asked = terminal(typed);
    expect(await confirm('Delete pitch.pdf?', asked, never)).toBe(meaning);
    asked.output.end();
    expect(await text(asked.output)).toContain('Delete pitch.pdf? [y/N] ');
  });

  it('is cancelled when the input ends or the command is interrupted', async () => {
    const ended = terminal('');
    ended.input.end();
    await expect(confirm('Delete?', ended, never)).rejects.toMatchObject({ code: 'cancelled' });
    const interrupt = new AbortController();
    const interrupted = confirm('Delete?', terminal(''), interrupt.signal);
    interrupt.abort();
    await expect(interrupted).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('cannot be asked of a script: it is told to say so beforehand', async () => {
    const script = { input: new PassThrough(), output: new PassThrough() };
    script.input.end('y\n');
    await expect(confirm('Delete?', script, never)).rejects.toMatchObject({ code: 'usage', hint: 'Add --yes.' });
  });
});
