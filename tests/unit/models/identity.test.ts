/** How the identity of a model is shown, wherever it stands: lists, findings, reviews and evaluations. */
import { expect, it } from 'vitest';
import { renderProbes } from '../../../cli/models/check.ts';
import { renderProfile } from '../../../cli/models/text.ts';
import { makingOf } from '../../../domain/evaluation/provenance.ts';
import { modelSchema } from '../../../domain/models/catalog/catalog.ts';
import { shownDigest, weakDigest } from '../../../domain/models/identity.ts';
import { markdownOf, provenance, reportWith, withQuestions } from '../api/report-fixture.ts';

const HASH = '0123456789abcdef'.repeat(4);
const WEAK = '0123456789ab (by name only)';

it.each([
  [HASH, '0123456789ab'],
  [`sha256:${HASH}`, '0123456789ab'],
  [weakDigest(HASH), WEAK],
])('%s is shown as %s', (digest, shown) => {
  expect(shownDigest(digest)).toBe(shown);
});

it('a weak identity is shown as such by the catalogue and the findings', () => {
  const digest = weakDigest(HASH);
  const entry = {
    ...modelSchema.parse({ name: 'm', digest }),
    owner: 'api',
    changedBy: 'Ann',
    changedAt: null,
  } as const;
  const profile = {
    name: 'p',
    reason: null,
    models: { 'gpu-visual': 'm' },
    temperature: null,
    topP: 0.9,
    owner: 'api',
    changedBy: 'Ann',
    changedAt: null,
    tenantId: null,
    server: null,
    isServed: true,
    state: 'ready',
  } as const;
  const catalog = { default: 'p', installed: 'p', servers: [], models: [entry], profiles: [profile] };
  expect(renderProfile(catalog, profile, [entry])).toContain(WEAK);
  const found = { model: 'm', digest, serverVersion: '1', checkedAt: '2026-11-21T00:00:00Z', table: [] };
  expect(renderProbes({ models: [{ ...found, findings: {} as never }], machines: [] })).toContain(`m (${WEAK})`);
});

it.each([
  ['en', WEAK],
  ['de', '0123456789ab (nur dem Namen nach)'],
] as const)('a review names a weak identity as such, and so does an evaluation (%s)', (language, shown) => {
  const weak = { ...provenance, modelDigest: weakDigest(HASH) };
  const report = withQuestions(reportWith('text', { language }), () => ({ answerProvenance: weak }));
  expect(markdownOf(report)).toContain(`deckhand-reader &#64; ${shown}`);
  expect(makingOf([report], null).tasks.flatMap(({ models }) => models)).toContain(`deckhand-reader @ ${WEAK}`);
});
