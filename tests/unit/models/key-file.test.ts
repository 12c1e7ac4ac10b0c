/** Keys: the files that they are read from, and that they stand in nothing that is shown, logged or stored. */
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { keyInFile, openModelServer } from '../../../activities/models/client/open.ts';
import { runTrial } from '../../../activities/models/client/trial.ts';
import { createLogger } from '../../../platform/log.ts';
import { DeckhandError } from '../../../domain/errors.ts';
import { SERVER_KINDS } from '../../../domain/models/server-kind.ts';
import { serveForTest } from '../../../testing/server.ts';

const KEY = 'sk-Ab/9"+sesame';
const { signal } = new AbortController();

function folderForTest(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function fileWith(text: string, mode: number): string {
  const file = path.join(folderForTest(), 'key.txt');
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

const refusalOf = (file: string): Promise<DeckhandError> =>
  keyInFile(file).then(
    () => expect.fail('it was read'),
    (error: unknown) => (error instanceof DeckhandError ? error : expect.fail(String(error))),
  );

it.each([0o600, 0o400, 0o440, 0o640, 0o700])('a file of mode %o is read', async (mode) => {
  expect(await keyInFile(fileWith(`${KEY}\n`, mode))).toBe(KEY);
});

it.each([0o604, 0o602, 0o644, 0o444, 0o660, 0o620, 0o666, 0o777])(
  'a file of mode %o is refused, with what to do on a disk and in a container',
  async (mode) => {
    const file = fileWith(KEY, mode);
    const { code, userMessage, hint, message } = await refusalOf(file);
    expect([code, userMessage]).toEqual([
      'invalid_request',
      `The key file ${file} may be read or changed by others (mode 0${mode.toString(8)}).`,
    ]);
    expect(hint).toContain(`chmod 600 ${file}`);
    expect(hint).toContain('mode: 0400');
    expect(message).not.toContain(KEY);
  },
);

it('the mode that counts is that of the file behind a link', async () => {
  const link = path.join(folderForTest(), 'link');
  symlinkSync(fileWith(KEY, 0o644), link);
  expect((await refusalOf(link)).message).toContain('may be read or changed by others');
});

it('a file that cannot be read says why', async () => {
  const nowhere = path.join(folderForTest(), 'nowhere');
  expect((await refusalOf(nowhere)).message).toContain(`The key file ${nowhere} cannot be read: ENOENT`);
  const folder = folderForTest();
  chmodSync(folder, 0o700);
  expect((await refusalOf(folder)).message).toContain('cannot be read: EISDIR');
});

it.each(['', ' \n', 'two words', 'one\ntwo', 'schlüssel'])('a file that holds %j holds no key', async (text) => {
  expect((await refusalOf(fileWith(text, 0o600))).message).toContain('is empty or holds more than a key');
});

/** Everything that is known of an error: its words, its fields, its causes, and its line in the log. */
function allOf(error: unknown): string {
  const lines: string[] = [];
  createLogger('test', { logLevel: 'info' }, { write: (line: string) => void lines.push(line) }).warn(
    { err: error },
    'failed',
  );
  return [inspect(error, { depth: 20, showHidden: true }), ...lines, JSON.stringify(error)].join('\n');
}

const BAD_ANSWERS: Readonly<Record<string, (said: string) => { status: number; headers?: object; body: string }>> = {
  'an error': (said) => ({ status: 400, body: JSON.stringify({ error: { message: `bad key: ${said}` } }) }),
  'a refused key': (said) => ({ status: 401, body: JSON.stringify({ error: `Incorrect API key provided: ${said}` }) }),
  'a page of a proxy': (said) => ({ status: 502, body: `<html>upstream got ${said}</html>` }),
  'a redirect': (said) => ({ status: 307, headers: { location: `/login?key=${said}` }, body: '' }),
  'an error inside a stream of Ollama': (said) => ({ status: 200, body: `${JSON.stringify({ error: said })}\n` }),
  'an error inside a stream of OpenAI': (said) => ({
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    body: `data: ${JSON.stringify({ error: { message: said } })}\n\n`,
  }),
};

it.each(SERVER_KINDS.flatMap((kind) => Object.keys(BAD_ANSWERS).map((name) => [kind, name] as const)))(
  '%s: %s that repeats the key is shown, logged and kept without it',
  async (kind, name) => {
    let bears: string | undefined;
    const url = await serveForTest((incoming, answer) => {
      bears = incoming.headers.authorization;
      const { status, headers, body } = BAD_ANSWERS[name]?.(bears ?? '') ?? { status: 500, body: '' };
      answer.writeHead(status, { ...headers }).end(body);
    });
    const server = openModelServer({ kind, url, key: KEY });
    const asked = { model: 'm', windowTokens: 4096, system: '', user: 'Hello', schema: null, mostTokens: 10 };
    for (const call of [
      () => server.version({ signal }),
      () => runTrial(server, { ...asked, thinking: 'leave' }, signal),
    ]) {
      const error = await call().then(
        () => null,
        (thrown: unknown) => thrown,
      );
      expect(bears).toBe(`Bearer ${KEY}`);
      if (error !== null) expect(allOf(error)).not.toMatch(/sesame/u);
    }
  },
);
