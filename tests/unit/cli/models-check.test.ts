/** The text of `deckhand models check`. */
import { expect, it } from 'vitest';
import type { ProbesDocument } from '../../../api/models/schemas.ts';
import { renderProbes } from '../../../cli/models/check.ts';
import { findingWords, newFindings, type ModelFindings } from '../../../domain/models/probes/findings.ts';

const model = (findings: ModelFindings): ProbesDocument['models'][number] => ({
  model: 'qwen3:8b',
  digest: 'a'.repeat(64),
  serverVersion: '0.34.4',
  checkedAt: '2026-11-29T12:00:00.000Z',
  findings,
  table: findingWords(findings),
});
const speed = { readTokensPerSec: 1834.4, writeTokensPerSec: 8.24 };

it('a model and a machine are two tables', () => {
  const findings: ModelFindings = {
    ...newFindings(16_384, false),
    answers: 'alone',
    schema: 'enforced',
    thinking: 'off',
    windowTokens: 4096,
    thirdAnswer: 'ok',
    skipped: ['speed at full slots: about 40 s are needed, 12 s were left'],
  };
  const machine = {
    instance: 'static-0',
    model: 'qwen3:8b',
    digest: 'a',
    needFinding: 'qwen3:8b takes 9.0 GiB, 7.0 GiB are configured.',
    samples: 1,
    measuredAt: '2026-11-29T12:00:00.000Z',
  };
  const machines = [{ ...machine, alone: speed, full: null, slots: null }];
  expect(`\n${renderProbes({ models: [model(findings)], machines })}\n`).toBe(`
qwen3:8b (aaaaaaaaaaaa) on server version 0.34.4, 2026-11-29
  answers       JSON
  schema        enforced
  thinking      thinks; thinking can be switched off
  third answer  makes sense
  window        serves 4,096 tokens, 16,384 are configured
  pictures      sees none
  skipped       speed at full slots: about 40 s are needed, 12 s were left

Tokens a second, of each call:
MACHINE   MODEL     READS  WRITES  READS, FULL  WRITES, FULL  SLOTS  MEASURED
static-0  qwen3:8b  1,834     8.2            -             -      -  2026-11-29

static-0: qwen3:8b takes 9.0 GiB, 7.0 GiB are configured.
`);
});

it('a refused model says why, and nothing known says when it will be', () => {
  const refused = { ...newFindings(16_384, false), answers: 'none' as const, refusal: 'the answers are empty' };
  expect(renderProbes({ models: [model(refused)], machines: [] })).toContain('refused   the answers are empty');
  expect(renderProbes({ models: [], machines: [] })).toContain('Nothing is known yet.');
});
