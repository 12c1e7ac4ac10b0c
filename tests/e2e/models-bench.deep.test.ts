/** `deckhand bench models` on somebody's server: a whole review through it, once more without Deckhand, and the figures. */
import { expect, it } from 'vitest';
import type { BenchReport } from '../../bench/figures.ts';
import { loadConfig } from '../../platform/config.ts';
import { runCommand } from '../../testing/command.ts';
import { perFile } from '../../testing/per-file.ts';
import { type RecordedRequest, startScriptedOpenAi } from '../../testing/scripted-openai/server.ts';
import type { ChatBody } from '../../testing/scripted-openai/settings.ts';

const MODEL = 'scripted';
const server = perFile(async () => {
  const scripted = await startScriptedOpenAi({ models: [MODEL], script: answering() });
  return { scripted, url: scripted.url, stop: () => scripted.stop() };
});

const taskOf = ({ body }: RecordedRequest): string | undefined =>
  (body as ChatBody | null)?.response_format?.json_schema?.name;

/** One slide is first described in prose. */
function answering() {
  let hasFailed = false;
  return (request: RecordedRequest) => {
    if (request.method !== 'POST') return undefined;
    const fails = !hasFailed && taskOf(request) === 'describe_slide';
    hasFailed ||= fails;
    return { kind: 'answer', text: fails ? 'prose' : 'schema', readMs: 5, msPerToken: 1 } as const;
  };
}

it('the benchmark measures a server and says what came of each figure', async () => {
  const { environment } = loadConfig();
  const named = ['--server', server.url, '--model', MODEL, '--json'];
  const { code, stdout, stderr } = await runCommand(['bench', 'models', ...named], environment);
  expect(code, stderr).toBe(0);
  const { figures } = JSON.parse(stdout) as BenchReport;
  const prefix = `${MODEL} at ${server.url}: `;
  expect(figures.map(({ name }) => name.slice(0, prefix.length))).toEqual(figures.map(() => prefix));
  const valueOf = new Map(figures.map(({ name, value }) => [name.slice(prefix.length), value]));
  const value = (name: string): number => valueOf.get(name) ?? Number.NaN;

  const calls = value('calls');
  expect(calls).toBeGreaterThan(20);
  expect(value('fault invalid_json')).toBe(1);
  expect(value('valid first answers')).toBeCloseTo((calls - 1) / calls, 3);
  expect(value('gaps')).toBeGreaterThanOrEqual(0);
  for (const name of ['read', 'written', 'bare loop']) expect(value(name)).toBeGreaterThan(0);
  const seconds = value('review, first request to last result');
  expect(value('upload to report')).toBeGreaterThan(seconds);
  expect(value('pipeline ÷ bare loop')).toBeCloseTo(seconds / value('bare loop'), 1);
  expect(figures.find(({ name }) => name.endsWith('pipeline ÷ bare loop'))?.aim).toBe('<= 1.3');

  // Each request of the review came again, with a mark.
  const marked = server.scripted.chats.filter(({ body }) => JSON.stringify(body).includes('"content":"Run '));
  expect(marked).toHaveLength(calls + 1);
  expect(stderr).toContain(`${calls + 1} requests of ${calls} calls are sent again without Deckhand`);
  expect(stderr).toContain('by its own counters it read');
});

it('the benchmark says why a server that does not answer did not end', async () => {
  const { environment } = loadConfig();
  const args = ['bench', 'models', '--server', server.url, '--kind', 'openai', '--model', 'no-such-model', '--json'];
  const { code, stdout, stderr } = await runCommand(args, environment);
  expect(code, stderr).toBe(0);
  const { figures } = JSON.parse(stdout) as BenchReport;
  expect(figures.map(({ name }) => name)).toEqual([
    expect.stringMatching(/^no-such-model at http:\S+: did not end: The model no-such-model is not on/u),
  ]);
});

it('the benchmark sends nothing to a server outside this network unless it is allowed', async () => {
  const { environment } = loadConfig();
  const args = ['bench', 'models', '--server', 'http://203.0.113.9/v1', '--kind', 'openai', '--model', MODEL, '--json'];
  const { stdout } = await runCommand(args, environment);
  const { figures } = JSON.parse(stdout) as BenchReport;
  expect(figures.map(({ name }) => name)).toEqual([expect.stringMatching(/did not end: .*(?:leave|outside)/u)]);
});
