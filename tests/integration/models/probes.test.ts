/**
 * The table of probes: what is found out about models and servers that behave in different ways, over real sockets. Times are scaled: the
 * servers are as many times faster than real ones as the time for all probes is shorter.
 */
import { expect, it } from 'vitest';
import { ensureLoaded } from '../../../activities/models/client/model-server.ts';
import { openModelServer } from '../../../activities/models/client/open.ts';
import { probeModel, type ProbeResult } from '../../../activities/models/probes/probe-model.ts';
import { findingWords } from '../../../domain/models/probes/findings.ts';
import type { Fault, ReaderScriptInput } from '../../../simulators/ollama/script.ts';
import { startReader } from '../../../simulators/ollama/server.ts';
import { failureOf } from '../../../testing/refusal.ts';

const MODEL = 'scripted:1b';
const WINDOW = 8192;
const RIGHT = '{"word":"harbour","count":7,"place":{"city":"Paris"}}';
const FITS = '{"capital":"copper","fame":{"famousFor":3}}';
const NATURAL = '{"capital":"Paris","fame":{"famousFor":"its towers"}}';
const COUNTING = 'one two three four five six seven eight nine ten '.repeat(40);
const RANDOM = 'ҩ vex 7th }{ loam ԅ qur'.repeat(12);
const FAST: Fault = { readTokensPerSecond: 20_000, tokensPerSecond: 400 };

interface Behaviour {
  readonly capabilities?: readonly ('vision' | 'thinking')[];
  /** Of every call. */
  readonly all?: Fault;
  /** Beside it, of the question, of the one whose schema forbids its answer, and of free text. */
  readonly answer?: Fault;
  readonly schema?: Fault;
  /** Rules before all others. */
  readonly rules?: ReaderScriptInput['rules'];
  readonly script?: Omit<ReaderScriptInput, 'rules'>;
  /** Slots of the server, and calls that are sent at once. */
  readonly slots?: number;
  readonly parallel?: number;
  readonly budgetMs?: number;
}

async function probe(behaviour: Behaviour): Promise<ProbeResult & { readonly loads: number }> {
  const {
    capabilities = [],
    all = FAST,
    rules = [],
    script = {},
    slots = 4,
    parallel = 4,
    budgetMs = 20_000,
  } = behaviour;
  const models = [
    { name: MODEL, capabilities: ['completion', ...capabilities], sizeBytes: 1, installed: true, family: 'scripted' },
  ] as const;
  const reader = await startReader({
    loadMs: 0,
    parallel: slots,
    models,
    script: {
      ...script,
      rules: [
        ...rules,
        { match: { task: 'trial_answer' }, fault: { ...all, text: RIGHT, ...behaviour.answer } },
        { match: { task: 'trial_schema' }, fault: { ...all, text: FITS, ...behaviour.schema } },
        { match: { task: 'plain' }, fault: { ...all, text: COUNTING } },
      ],
    },
  });
  const { signal } = new AbortController();
  try {
    const server = openModelServer({ kind: 'ollama', url: reader.host });
    const { trainedWindowTokens } = await server.inspect(MODEL, { signal });
    const { windowTokens } = await ensureLoaded(server, MODEL, { numCtx: WINDOW, loadTimeoutMs: 9000 }, { signal });
    const result = await probeModel(
      server,
      {
        name: MODEL,
        askedWindowTokens: WINDOW,
        windowTokens,
        trainedWindowTokens,
        seesPictures: capabilities.includes('vision'),
        canThink: capabilities.includes('thinking'),
      },
      { parallel, budgetMs, signal, known: null },
    );
    return { ...result, loads: reader.control.stats().loads };
  } finally {
    await reader.stop();
  }
}

/** The table as `deckhand models check` prints it, without what was left out: that depends on how busy this machine is. */
const tableOf = ({ findings }: ProbeResult): string[] =>
  findingWords({ ...findings, skipped: [] }).map(({ probe: name, found }) => `${name}: ${found}`);

const OBEDIENT = ['answers: JSON', 'schema: enforced', 'thinking: does not think', 'third answer: makes sense'];
const SEES_NONE = 'pictures: sees none';

it.each<[string, Behaviour, string[]]>([
  ['obeys', {}, [...OBEDIENT, 'window: 8,192 tokens', SEES_NONE]],
  [
    'obeys and sees pictures',
    { capabilities: ['vision'] },
    [...OBEDIENT, 'window: 8,192 tokens', 'pictures: from 28 px a side, 256 tokens each'],
  ],
  [
    'thinks, and cannot be switched off',
    { capabilities: ['thinking'], all: { ...FAST, answersWhenAsked: ['unasked', 'on'] } },
    [
      'answers: JSON',
      'schema: enforced',
      'thinking: thinks; thinking cannot be switched off',
      'third answer: makes sense',
      'window: 8,192 tokens',
      SEES_NONE,
    ],
  ],
  [
    'thinks, and obeys low',
    { capabilities: ['thinking'], all: { ...FAST, answersWhenAsked: ['low'] } },
    [
      'answers: JSON',
      'schema: enforced',
      'thinking: thinks; answers with little thinking, not with thinking off',
      'third answer: makes sense',
      'window: 8,192 tokens',
      SEES_NONE,
    ],
  ],
  [
    'thinks, and obeys off',
    { capabilities: ['thinking'], all: { ...FAST, answersWhenAsked: ['off', 'low', 'unasked'] } },
    [
      'answers: JSON',
      'schema: enforced',
      'thinking: thinks; thinking can be switched off',
      'third answer: makes sense',
      'window: 8,192 tokens',
      SEES_NONE,
    ],
  ],
  [
    'ignores the schema, with words around the JSON',
    {
      answer: { text: `Gladly! \`\`\`json\n${RIGHT}\n\`\`\` Ready.` },
      schema: { text: `Paris is the capital: ${NATURAL}` },
    },
    [
      'answers: JSON inside other words, which is taken out',
      'schema: not enforced by the server',
      'thinking: does not think',
      'third answer: makes sense',
      'window: 8,192 tokens',
      SEES_NONE,
    ],
  ],
  [
    'serves a smaller window',
    { script: { windowTokens: 4096 } },
    [...OBEDIENT, 'window: serves 4,096 tokens, 8,192 are configured', SEES_NONE],
  ],
  [
    'panics on small pictures',
    { capabilities: ['vision'], answer: { smallestSidePx: 32 } },
    [...OBEDIENT, 'window: 8,192 tokens', 'pictures: from 64 px a side, 256 tokens each'],
  ],
])('a model that %s', async (_, behaviour, table) => {
  const result = await probe(behaviour);
  expect(tableOf(result)).toEqual(table);
  expect(result.loads).toBe(1);
  expect(result.speed?.slots).toBe(4);
});

it.each<[string, Behaviour, string]>([
  [
    'answers garbage from the third answer on',
    { rules: [{ match: { task: 'trial_answer', nth: [3, 4, 5] }, fault: { ...FAST, text: RANDOM } }] },
    'random words from the third answer on',
  ],
  [
    'answers garbage from the second answer on',
    { rules: [{ match: { task: 'trial_answer', nth: [2, 3, 4, 5] }, fault: { ...FAST, text: RANDOM } }] },
    'random words from the second answer on',
  ],
  [
    'is empty while it thinks, whatever is asked',
    { capabilities: ['thinking'], all: { ...FAST, answersWhenAsked: [] } },
    'answers empty while thinking, also with thinking off and low',
  ],
  ['is empty', { answer: { text: '' } }, 'the answers are empty'],
  ['answers in words alone', { answer: { text: 'The harbour has seven piers.' } }, 'the answers are no JSON'],
])('a model that %s is refused with the reason', async (_, behaviour, refusal) => {
  const { findings, speed } = await probe(behaviour);
  expect(findings.refusal).toBe(refusal);
  expect(tableOf({ findings, speed })).toContain(`refused: ${refusal}`);
  expect(speed).toBeNull();
});

it('one slip in a row of answers is no garbage', async () => {
  const slip = { match: { task: 'trial_answer', nth: 3 }, fault: { ...FAST, text: '{"word":"pier","count":1}' } };
  expect((await probe({ rules: [slip] })).findings).toMatchObject({ refusal: null });
});

it('a server with two slots and a queue of its own is found to have two', async () => {
  const readTokensPerSecond = 8000;
  const { speed } = await probe({ all: { readTokensPerSecond, tokensPerSecond: 400 }, slots: 2, parallel: 6 });
  expect(speed?.slots).toBe(2);
  // Waiting in the queue of the server is not reading.
  expect(speed?.full?.readTokensPerSec).toBeGreaterThan(readTokensPerSecond / 4);
});

it('speeds are those of the server', async () => {
  const all: Fault = { readTokensPerSecond: 4000, tokensPerSecond: 500 };
  const { alone } = (await probe({ all })).speed ?? {};
  expect(alone?.readTokensPerSec).toBeGreaterThan(1000);
  expect(alone?.readTokensPerSec).toBeLessThan(4400);
  expect(alone?.writeTokensPerSec).toBeGreaterThan(125);
  expect(alone?.writeTokensPerSec).toBeLessThan(550);
});

it('on a slow machine a shorter prompt measures, and what does not fit into the time is named', async () => {
  // As with 20 tokens a second and three minutes.
  const all: Fault = { readTokensPerSecond: 500, tokensPerSecond: 500 };
  const result = await probe({ capabilities: ['vision'], all, slots: 1, budgetMs: 7200 });
  expect(result.findings).toMatchObject({ answers: 'alone', schema: 'enforced', refusal: null });
  expect(result.speed?.alone.readTokensPerSec).toBeLessThan(550);
  expect(result.findings.skipped[0]).toMatch(/^reading speed: measured with \d{3} tokens, not with 2000$/u);
});

it('on a very slow machine most is left out by name, and its speed is known', async () => {
  const all: Fault = { readTokensPerSecond: 100, tokensPerSecond: 100 };
  const result = await probe({ capabilities: ['vision'], all, slots: 1, budgetMs: 7200 });
  expect(result.findings.refusal).toBeNull();
  expect(result.speed?.alone.readTokensPerSec).toBeLessThan(110);
  const named = result.findings.skipped.map((skipped) => skipped.split(':')[0]);
  expect(named).toEqual(expect.arrayContaining(['reading speed', 'speed at full slots', 'smallest picture']));
});

it('a model that takes long over pictures can be used, and what was not found out is named', async () => {
  // Two trials of pictures in a row are late: the server still answers text.
  const pictures = { match: { task: 'trial_answer', nth: [4, 5, 6] }, fault: { latencyMs: 60_000 } };
  const { findings, speed } = await probe({ capabilities: ['vision'], rules: [pictures], budgetMs: 4000 });
  expect(findings).toMatchObject({ refusal: null, smallestSidePx: null });
  expect(findings.skipped.join('\n')).toMatch(/^pictures: no answer came within/mu);
  expect(speed).not.toBeNull();
});

it('a server that hangs from the first answer on is found, and one that stops answering later', async () => {
  const hangs = { match: {}, fault: { wedge: true } };
  expect(await failureOf(probe({ rules: [hangs], budgetMs: 1500 }))).toMatchObject({ code: 'model_stalled' });
  const later = { match: { task: 'trial_answer', nth: [2, 3, 4, 5, 6] }, fault: { wedge: true } };
  const error = await failureOf(probe({ rules: [later] }));
  expect(error).toMatchObject({ code: 'model_stalled' });
  expect(error.message).toContain('did not answer a trial within');
});

it('a server whose every answer is an error is no finding about the model', async () => {
  const crashes = { match: {}, fault: { status: 500 } };
  expect(await failureOf(probe({ rules: [crashes] }))).toMatchObject({ code: 'model_crashed' });
});

it('a probe that crashes the runner is named and ends nothing', async () => {
  const { findings, speed } = await probe({ rules: [{ match: { task: 'trial_schema' }, fault: { status: 500 } }] });
  expect(findings).toMatchObject({ schema: null, thirdAnswer: 'ok', refusal: null });
  expect(findings.skipped[0]).toMatch(/^schema: .*runner has unexpectedly stopped/u);
  expect(speed).not.toBeNull();
});
