/** The judgement of probe answers, without a server. */
import { expect, it } from 'vitest';
import {
  findingWords,
  type ModelFindings,
  newFindings,
  thinkingToAsk,
  usableWindow,
  windowWords,
} from '../../../../domain/models/probes/findings.ts';
import {
  garbageFrom,
  garbageWords,
  gradeAnswer,
  judgeSchema,
  judgeThinking,
  pictureTokens,
  refusalOf,
  smallestSide,
  type AnswerGrade,
  type TrialAnswer,
  type TrialOutcome,
} from '../../../../domain/models/probes/judge.ts';

const answered = (text: string, changes: Partial<TrialAnswer> = {}): TrialOutcome => ({
  kind: 'answered',
  text,
  thinkingChars: 0,
  isCut: false,
  promptTokens: 80,
  outputTokens: 20,
  readMs: 80,
  writeMs: 40,
  firstTokenMs: 80,
  endMs: 120,
  ...changes,
});

const RIGHT = '{"word":"harbour","count":7}';

it.each<[string, AnswerGrade]>([
  [RIGHT, 'right'],
  ['{"word":"Harbour","count":7,"place":{"city":"Paris"}}', 'right'],
  ['{"word":"garden","count":7}', 'json'],
  ['{}', 'json'],
  [`Gladly! \`\`\`json\n${RIGHT}\n\`\`\` Ready.`, 'json_inside'],
  [`<|channel>thought\n<channel|>${RIGHT}`, 'json_inside'],
  [`Use {braces} so: ${RIGHT}`, 'json_inside'],
  ['The word is harbour.', 'words'],
  ['', 'nothing'],
])('the answer %j is graded as %s', (text, grade) => expect(gradeAnswer(answered(text))).toBe(grade));

it('an answer that did not come has no grade but the lowest', () => {
  expect(gradeAnswer({ kind: 'late', limitMs: 10 })).toBe('nothing');
  expect(gradeAnswer({ kind: 'failed', message: 'EOF' })).toBe('nothing');
});

it('a model is asked about thinking as it was found to answer', () => {
  const found = (thinking: ModelFindings['thinking']) => thinkingToAsk({ ...newFindings(1, false), thinking });
  expect((['off', 'low', 'always', 'none', null] as const).map(found)).toEqual([
    'off',
    'low',
    'leave',
    undefined,
    undefined,
  ]);
  expect(thinkingToAsk(null)).toBeUndefined();
});

it.each<[string, AnswerGrade[], number | null]>([
  ['right throughout', ['right', 'right', 'right'], null],
  ['words from the second on', ['right', 'words', 'words'], 2],
  ['other JSON from the third on', ['right', 'right', 'json', 'json'], 3],
  ['one slip', ['right', 'json', 'right'], null],
  ['never right', ['json', 'json', 'json'], null],
  ['JSON that is not right, then words', ['json', 'words', 'words'], 2],
  ['no answer', ['right', 'nothing', 'nothing'], null],
  ['none at all', [], null],
])('answers that are %s', (_, grades, from) => expect(garbageFrom(grades)).toBe(from));

it('a refusal names the answer from which on words are random', () =>
  expect(garbageWords(2)).toBe('random words from the second answer on'));

it('a model is refused with what came instead of JSON', () => {
  const thinks = answered('', { thinkingChars: 300 });
  expect(
    refusalOf([
      { mode: 'off', outcome: thinks },
      { mode: 'low', outcome: thinks },
      { mode: 'leave', outcome: thinks },
    ]),
  ).toBe('answers empty while thinking, also with thinking off and low');
  expect(refusalOf([{ mode: 'leave', outcome: thinks }])).toBe('answers empty while thinking');
  expect(refusalOf([{ mode: 'leave', outcome: answered('') }])).toBe('the answers are empty');
  expect(refusalOf([{ mode: 'leave', outcome: answered('No.') }])).toBe('the answers are no JSON');
  expect(refusalOf([{ mode: 'leave', outcome: { kind: 'failed', message: 'EOF' } }])).toBeNull();
});

it('thinking is judged by how the first usable answer was asked for', () => {
  expect(judgeThinking('off', 0)).toBe('off');
  expect(judgeThinking('off', 12)).toBe('always');
  expect(judgeThinking('low', 12)).toBe('low');
  expect(judgeThinking('leave', 12)).toBe('always');
  expect(judgeThinking('leave', 0)).toBe('none');
});

it.each([
  ['{"capital":"copper","fame":{"famousFor":6}}', false, 'enforced'],
  ['{"capital":"Paris","fame":{"famousFor":6}}', false, 'ignored'],
  ['{"capital":"copper","fame":{"famousFor":"its towers"}}', false, 'ignored'],
  ['Here it is: {"capital":"copper","fame":{"famousFor":6}}', false, 'ignored'],
  ['Paris, with 68 million people.', false, 'ignored'],
  ['{"capital":"cop', true, null],
  ['{"capital":"Paris","co', true, 'ignored'],
  ['', false, null],
])('an answer of %j (cut: %s) shows a schema that is %s', (text, isCut, schema) =>
  expect(judgeSchema(answered(text, { isCut }))).toBe(schema),
);

it('the smallest side is that of the smallest picture that was answered', () => {
  const crashed: TrialOutcome = { kind: 'failed', message: 'EOF' };
  expect(
    smallestSide([
      { sidePx: 28, outcome: crashed },
      { sidePx: 64, outcome: answered('yes') },
    ]),
  ).toBe(64);
  expect(smallestSide([{ sidePx: 28, outcome: crashed }])).toBeNull();
});

it('tokens of a picture are counted only where the server counts them', () => {
  expect(pictureTokens(answered('', { promptTokens: 336 }), 80)).toBe(256);
  expect(pictureTokens(answered('', { promptTokens: 80 }), 80)).toBeNull();
  expect(pictureTokens({ kind: 'late', limitMs: 1 }, 80)).toBeNull();
});

it('a smaller window is said with what is configured, and calls use it', () => {
  const window = { askedWindowTokens: 16_384, windowTokens: 4096, trainedWindowTokens: 131_072 };
  expect(windowWords(window)).toBe('serves 4,096 tokens, 16,384 are configured');
  expect(windowWords({ ...window, trainedWindowTokens: 4096 })).toContain('the model was trained with no more');
  expect(windowWords({ ...window, windowTokens: 16_384 })).toBe('16,384 tokens');
  expect([usableWindow(16_384, 4096), usableWindow(16_384, null), usableWindow(2048, 8192)]).toEqual([
    4096, 16_384, 2048,
  ]);
});

it('findings in words have a row for each probe, and for what was left out', () => {
  expect(
    findingWords({
      ...newFindings(8192, true),
      answers: 'inside',
      schema: 'ignored',
      thinking: 'low',
      smallestSidePx: 64,
      tokensPerPicture: 256,
      windowTokens: 8192,
      thirdAnswer: 'ok',
      skipped: ['speed at full slots: 3 s were left'],
    }),
  ).toEqual([
    { probe: 'answers', found: 'JSON inside other words, which is taken out' },
    { probe: 'schema', found: 'not enforced by the server' },
    { probe: 'thinking', found: 'thinks; answers with little thinking, not with thinking off' },
    { probe: 'third answer', found: 'makes sense' },
    { probe: 'window', found: '8,192 tokens' },
    { probe: 'pictures', found: 'from 64 px a side, 256 tokens each' },
    { probe: 'skipped', found: 'speed at full slots: 3 s were left' },
  ]);
});
