/** `deckhand alerts` for people. */
import { expect, it } from 'vitest';
import { alertsDocument } from '../../../api/alerts/document.ts';
import { renderHtml } from '../../../api/document/html.ts';
import type { AlertDocument, AlertPage, AlertRuleDetails } from '../../../api/client.ts';
import { renderAlerts, renderRule, renderRules } from '../../../cli/alerts/tables.ts';
import { valueWords } from '../../../domain/alerts/words.ts';
import type { TargetVerdict } from '../../../domain/metrics/targets.ts';
import { wordsOf } from '../../../testing/page-words.ts';

const NOW_MS = Date.parse('2026-11-21T12:00:00.000Z');
const PLAIN = { colours: false, width: 100 };

const alert = (changes: Partial<AlertDocument> = {}): AlertDocument => ({
  id: 'a1',
  rule: 'stuck-boot',
  title: 'Instance does not become ready',
  severity: 'warning',
  subject: 'visual-3',
  message: 'visual-3 has been booting for 20 min: ordered.',
  advice: 'Look at it.',
  value: 1200,
  currentValue: 1500,
  unit: 'seconds',
  raisedAt: '2026-11-21T11:55:00.000Z',
  clearedAt: null,
  ...changes,
});
const page = (...items: AlertDocument[]): AlertPage => ({
  items,
  nextCursor: null,
  open: items.length,
  judgedAt: '2026-11-21T11:59:30.000Z',
});

const rule: AlertRuleDetails = {
  id: 'stuck-boot',
  title: 'Instance does not become ready',
  metric: 'boot_seconds',
  description: 'time since it was ordered',
  unit: 'seconds',
  comparison: 'above',
  raiseAt: 1200,
  clearAt: 600,
  raiseForSec: 60,
  clearForSec: 0,
  windowSec: null,
  severity: 'warning',
  advice: 'Look at it.',
  enabled: true,
  edited: true,
  openAlerts: 1,
  readings: [
    { subject: 'visual-1', value: 0, beyondSince: null, alertId: null, readAt: '2026-11-21T12:00:00.000Z' },
    { subject: 'visual-30', value: 1300, beyondSince: null, alertId: 'a1', readAt: '2026-11-21T12:00:00.000Z' },
    { subject: 'visual-4', value: 600, beyondSince: null, alertId: null, readAt: '2026-11-21T12:00:00.000Z' },
  ],
};

it('says how bad it is, since when, how it is now and what to do', async () => {
  const more = { ...page(alert(), alert({ id: 'a2', severity: 'critical', subject: '*' })), nextCursor: 'next' };
  await expect(renderAlerts(more, false, NOW_MS, PLAIN)).toMatchFileSnapshot('snapshots/alerts.txt');
});

it('says of one that is over how long it lasted, and nothing to do', () => {
  const over = alert({ clearedAt: '2026-11-21T11:58:00.000Z', currentValue: null, subject: '*' });
  const text = renderAlerts(page(over), true, NOW_MS, PLAIN);
  expect(text).toMatch(/ · over .*3 min.* 2 min ago$/mu);
  expect(text).toContain('Instance does not become ready · over after 3 min, 2 min ago\n');
  expect(text).not.toContain('→');
});

it('says when there is none and when no round has run, and lets no control characters through', async () => {
  const none = { ...page(), judgedAt: null };
  await expect(renderAlerts(none, false, NOW_MS, PLAIN)).toMatchFileSnapshot('snapshots/no-alerts.txt');
  const odd = alert({ message: 'a\u001B[2Jb', subject: 's\u0007' });
  expect(renderAlerts(page(odd), false, NOW_MS, PLAIN)).not.toMatch(/(?!\n)\p{Cc}/u);
  expect(renderAlerts(page(alert()), false, NOW_MS, { colours: true, width: 80 })).toContain('\u001B[33mwarning');
});

it('shows rules in a table, and one rule with each value against its threshold', async () => {
  const rules = [rule, { ...rule, id: 'b', enabled: false, edited: false, openAlerts: 0 }];
  await expect(renderRules(rules, PLAIN)).toMatchFileSnapshot('snapshots/rules.txt');
  await expect(renderRule(rule, PLAIN)).toMatchFileSnapshot('snapshots/rule.txt');
  const bar = (filled: number) => '█'.repeat(filled) + '░'.repeat(20 - filled);
  for (const [subject, filled] of [
    ['visual-1', 0],
    ['visual-30', 20],
    ['visual-4', 10],
  ] as const)
    expect(renderRule(rule, PLAIN)).toMatch(new RegExp(`^ +${subject} +${bar(filled)} `, 'mu'));
  // A rule that raises below is near its threshold when little is left.
  const below = { ...rule, comparison: 'below', unit: 'ratio', raiseAt: 0.1, clearAt: 0.2 } as const;
  const [first] = rule.readings;
  if (first === undefined) throw new Error('no reading');
  expect(renderRule({ ...below, readings: [{ ...first, value: 0.2 }] }, PLAIN)).toContain(`${bar(10)}  20 %`);
});

it('tells values in their unit', () =>
  expect([
    valueWords(0.0512, 'ratio'),
    valueWords(3.456, 'times'),
    valueWords(90, 'seconds'),
    valueWords(11.5 * 3600, 'seconds'),
    valueWords(2, 'count'),
    valueWords(1, 'flag'),
  ]).toEqual(['5.12 %', '3.46 times', '1 min 30 s', '11 h 30 min', '2', 'yes']));

it('every word of the page of alerts and targets', async () => {
  const target: TargetVerdict = {
    target: 'wait_mean',
    title: 'mean wait for the first call',
    unit: 'seconds',
    value: 30,
    limit: { comparison: 'below', value: 60 },
    state: 'met',
    samples: 12,
    sampleOf: 'calls',
  };
  const figures: TargetVerdict[] = [
    target,
    { ...target, value: 90, state: 'not_met' },
    { ...target, value: null, state: 'no_data', samples: 0 },
    { ...target, unit: 'usd', value: 1.5, limit: null, state: 'told' },
  ];
  const over = alert({ clearedAt: '2026-11-21T11:58:00.000Z', currentValue: null, subject: '*' });
  const document = alertsDocument({
    alerts: page(alert(), over),
    all: true,
    targets: { from: '2026-11-14', until: '2026-11-21', items: figures },
    nowMs: NOW_MS,
    otherHref: '/alerts',
    nextHref: '/alerts?cursor=next',
  });
  await expect(wordsOf(renderHtml(document))).toMatchFileSnapshot('snapshots/page.txt');
});
