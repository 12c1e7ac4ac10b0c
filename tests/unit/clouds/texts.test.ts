/**
 * Texts of a provider: no control or escape character in them ever comes out, by whichever way they enter.
 */
import { partOf } from '../../../clouds/parts.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DATACRUNCH } from '../../../clouds/datacrunch/provider.ts';
import { providerError } from '../../../clouds/errors.ts';
import { cleanText, describeNoJson, readJson } from '../../../clouds/http/text.ts';
import { clean } from '../../../cli/terminal/style.ts';
import { forAll } from '../../../testing/property.ts';
import { clientOf, scriptedApi, virtualClock } from './scripted-api.ts';

/** C0, DEL and C1. */
const CONTROLS = /\p{Cc}/u;
/** Ordinary text mixed with what steers terminals. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.constantFrom(
        '\u001b[2J',
        '\u001b]0;title\u0007',
        '\u009b31m',
        '\u0085',
        '\r',
        '\n',
        '\u0000',
        '\u007f',
        '\u202e',
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

/** Every string in a document. */
const stringsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap((part) => stringsIn(part))
      : [];

describe('no control character comes out of', () => {
  it('cleaned texts, which stay what they are without any', async () => {
    await forAll([hostile], (text) => {
      expect(cleanText(text)).not.toMatch(CONTROLS);
      expect(clean(text)).not.toMatch(CONTROLS);
    });
    expect(cleanText('1H100.80S.30V – Hämeenlinna 日本')).toBe('1H100.80S.30V – Hämeenlinna 日本');
  });

  it('documents, at any depth', async () => {
    await forAll([fc.jsonValue({ maxDepth: 3 }), hostile], (value, text) => {
      const read = readJson(JSON.stringify([value, text, { name: text, tags: [{ value: text }] }]));
      for (const found of stringsIn(read)) expect(found).not.toMatch(CONTROLS);
    });
    expect(readJson(JSON.stringify({ name: 'red \u001b[31m' }))).toEqual({ name: 'red [31m' });
  });

  it('errors', async () => {
    await forAll([hostile], (text) => {
      const { message, userMessage } = providerError('config', `a ${text}`, { userMessage: `b ${text}` });
      expect(`${message}${userMessage}`).not.toMatch(CONTROLS);
    });
  });

  it('anything a provider names, and any refusal', async () => {
    const bad = 'x\u001b[2J\u009b1m\u0007y';
    const priced = { price_per_hour: 1, gpu: { number_of_gpus: 1 }, gpu_memory: { size_in_gigabytes: 80 } };
    const bodies: Record<string, unknown> = {
      '/instance-types?currency=usd': [{ ...priced, instance_type: bad, model: bad, supported_os: [bad] }],
      '/locations': [{ code: bad, name: bad, country_code: bad }],
      '/instances': [{ id: bad, hostname: bad, status: bad, location: bad, tags: [{ key: 'k', value: bad }] }],
      '/volumes': [{ id: bad, name: bad, status: bad, location: bad }],
      '/balance': { amount: 1, currency: bad },
    };
    const api = await scriptedApi(({ path }) =>
      path in bodies ? { body: bodies[path] } : { status: 400, body: { code: bad, message: bad } },
    );
    const provider = DATACRUNCH.open({ client: clientOf(api, virtualClock()) });
    const answers = [
      await provider.listInstanceTypes(),
      await provider.listLocations(),
      await provider.listInstances(),
      await provider.listVolumes(),
      await partOf(provider, 'account').balance(),
    ];
    expect(stringsIn(answers).length).toBeGreaterThan(10);
    for (const found of stringsIn(answers)) expect(found).not.toMatch(CONTROLS);
    await expect(provider.deleteVolume('v')).rejects.toMatchObject({
      message: expect.not.stringMatching(CONTROLS),
      userMessage: expect.not.stringMatching(CONTROLS),
    });
  });
});

it('a stored script keeps its line breaks', () => {
  const script = '#!/bin/sh\n\techo ok\n';
  expect(readJson(JSON.stringify({ script }))).toEqual({ script });
});

it.each([
  ['<!doctype html><p>', 'HTML page, 18 bytes'],
  [`  <html>${'x'.repeat(1_226)}`, 'HTML page, 1,234 bytes'],
  ['[{"a": 1}, {"b', 'incomplete JSON, 14 bytes'],
  ['', 'empty'],
  ['Rate limited', 'text, 12 bytes'],
])('%s is told as %s', (text, told) => {
  expect(describeNoJson(text)).toBe(told);
});
