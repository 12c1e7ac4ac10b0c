/** The proxy of `deckhand bench models`: it changes nothing on the way, and keeps what it needs to send the same again. */
import { Egress } from '../../../activities/models/client/egress.ts';
import { expect, it } from 'vitest';
import { openModelServer } from '../../../activities/models/client/open.ts';
import type { ChatRequest } from '../../../activities/models/client/model-server.ts';
import { isChat, markedBody, type RecordedRequest, sendBare, startRecorder } from '../../../bench/models/recorder.ts';
import { DeckhandError } from '../../../domain/errors.ts';
import { perFile } from '../../../testing/per-file.ts';
import { startScriptedOpenAi } from '../../../testing/scripted-openai/server.ts';
import { until } from '../../../testing/until.ts';

const KEY = 'a-key';
const server = perFile(() => startServer());
const signal = new AbortController().signal;

async function startServer() {
  const scripted = await startScriptedOpenAi({ apiKey: KEY });
  const recorder = await startRecorder(`${scripted.url}/v1`, new Egress());
  return {
    scripted,
    recorder,
    stop: async () => {
      await recorder.stop();
      await scripted.stop();
    },
  };
}

const request = (content: string): ChatRequest => ({
  model: 'scripted',
  messages: [
    { role: 'system', content: 'You read slides.' },
    { role: 'user', content, images: [Buffer.from('/9j/4AAQ', 'base64')] },
  ],
  schema: null,
  windowTokens: 4096,
  mostTokens: 200,
  temperature: 0,
  seed: 1,
  thinking: 'leave',
});

/** Pieces of an answer through the proxy. */
async function ask(content: string, mostPieces = Infinity): Promise<string[]> {
  const { url } = server.recorder;
  const pieces: string[] = [];
  for await (const { text } of openModelServer({ kind: 'openai', url, key: KEY }).chat(request(content), signal)) {
    pieces.push(text);
    if (pieces.length >= mostPieces) break;
  }
  return pieces;
}
const kept = (): readonly RecordedRequest[] => server.recorder.requests.filter(isChat);
const bodiesOf = (chats: readonly { readonly body: unknown }[]): unknown[] => chats.map(({ body }) => body);

it('the recorder passes requests and answers on, and keeps them in order', async () => {
  const { scripted } = server;
  scripted.script = () => ({ kind: 'answer', text: { exactly: 'It is a deck.' } });
  expect((await ask('one')).join('')).toBe('It is a deck.');
  expect((await ask('two')).join('')).toBe('It is a deck.');
  expect(scripted.chats).toHaveLength(2);
  expect(kept().map(({ body }) => JSON.parse(body.toString('utf8')) as unknown)).toEqual(bodiesOf(scripted.chats));
  for (const [at, each] of kept().entries()) {
    expect(each).toMatchObject({ method: 'POST', path: '/v1/chat/completions', status: 200 });
    expect(each.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(each.arrivedAtMs).toBeGreaterThanOrEqual(kept()[at - 1]?.endedAtMs ?? 0);
    expect(each.answerBytes).toBeGreaterThan(100);
  }
});

it('the recorder brings each piece of an answer as it comes, and hangs up on the server where its client does', async () => {
  const { scripted } = server;
  const before = scripted.chats.length;
  scripted.script = () => ({ kind: 'answer', text: 'loop', ignoresLimits: true, msPerToken: 5 });
  expect(await ask('three', 5)).toHaveLength(5);
  await until(() => scripted.chats[before]?.end).is('hung_up');
  await until(() => kept()[before]?.end).is('hung_up');
});

it('the recorder passes a lost connection and an error on', async () => {
  const { scripted } = server;
  const codeOf = async (): Promise<string> =>
    ask('four').then(
      () => 'no error',
      (error: unknown) => (error instanceof DeckhandError ? error.code : String(error)),
    );
  scripted.script = () => ({ kind: 'reset' });
  expect(await codeOf()).toBe('model_unreachable');
  expect(kept().at(-1)).toMatchObject({ end: 'lost', status: null });
  scripted.script = () => ({ kind: 'refuse', refusal: 'rate_limit' });
  expect(await codeOf()).toBe('model_busy');
  expect(kept().at(-1)).toMatchObject({ status: 429 });
});

it('the bare loop sends the kept requests again, in order, as many at a time as it is told', async () => {
  const { scripted } = server;
  scripted.script = () => ({ kind: 'answer', text: { exactly: 'word '.repeat(20) }, msPerToken: 2 });
  await Promise.all(Array.from({ length: 6 }, (_, at) => ask(`again ${at}`)));
  const six = kept().slice(-6);
  const before = scripted.chats.length;
  scripted.atOnce = 0;
  const options = { url: scripted.url, atOnce: 3, mark: null, signal, egress: new Egress() };
  const bare = await sendBare(six, options);
  const again = scripted.chats.slice(before);
  expect(new Set(bodiesOf(again).map((body) => JSON.stringify(body)))).toEqual(
    new Set(six.map(({ body }) => body.toString('utf8'))),
  );
  expect(again[0]?.body).toEqual(JSON.parse(six[0]?.body.toString('utf8') ?? ''));
  expect(scripted.atOnce).toBe(3);
  expect(bare.refused).toBe(0);
  // The client of the review may leave before the last bytes have come.
  expect(bare.answerBytes).toBeGreaterThanOrEqual(six.reduce((sum, { answerBytes }) => sum + answerBytes, 0));
  expect(bare.seconds).toBeGreaterThan(0);

  // Marked, the words come after the mark; nothing else differs.
  await sendBare(six.slice(0, 1), { ...options, mark: 'Run 1.' });
  const marked = JSON.stringify(again[0]?.body).replace('You read slides.', String.raw`Run 1.\nYou read slides.`);
  expect(scripted.chats.at(-1)?.body).toEqual(JSON.parse(marked));
});

it('the bare loop marks a first message of several parts', () => {
  const parts = [{ type: 'text', text: 'Look.' }];
  const body = Buffer.from(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: parts }] }));
  expect(JSON.parse(markedBody(body, 'Run 2.').toString('utf8'))).toEqual({
    model: 'm',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Run 2.' }, ...parts] }],
  });
});

it('the bare loop breaks off what the review broke off, and counts what is not answered', async () => {
  const { scripted } = server;
  scripted.script = () => ({ kind: 'answer', text: 'loop', ignoresLimits: true, msPerToken: 1 });
  await ask('endless', 10);
  await until(() => kept().at(-1)?.end).is('hung_up');
  const endless = kept().slice(-1);
  const options = { url: scripted.url, atOnce: 2, mark: null, signal, egress: new Egress() };
  expect(await sendBare(endless, options)).toMatchObject({ refused: 0 });
  scripted.script = () => ({ kind: 'reset' });
  expect(await sendBare(endless, options)).toMatchObject({ refused: 1, answerBytes: 0 });
  scripted.script = () => ({ kind: 'refuse', refusal: 'overloaded' });
  expect(await sendBare(endless, options)).toMatchObject({ refused: 1 });
  const cancelled = new AbortController();
  scripted.script = () => ({ kind: 'silence' });
  const before = scripted.chats.length;
  const sending = sendBare(endless, { ...options, signal: cancelled.signal });
  await until(() => scripted.chats.length).is((count) => count > before);
  cancelled.abort(new Error('cancelled by a person'));
  await expect(sending).rejects.toThrow('cancelled by a person');
});
