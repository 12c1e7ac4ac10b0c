/** `deckhand alerts` for people. */
import { expect, it } from 'vitest';
import type { AlertDocument, AlertPage, AlertRuleDetails } from '../../../api/client.ts';
import { renderAlerts, renderRule, renderRules } from '../../../cli/alerts/tables.ts';
import { valueWords } from '../../../domain/alerts/words.ts';

const NOW_MS = Date.parse('2026-11-21T12:00:00.000Z');
const PLAIN = { colours: false, width: 100 };

const alert = (changes: Partial<AlertDocument> = {}): AlertDocument => ({
  id: 'a1',
  rule: 'stuck-boot',
  title: 'An instance does not come up',
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
  title: 'An instance does not come up',
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

it('says how bad it is, since when, how it is now and what to do', () => {
  expect(renderAlerts(page(alert()), false, NOW_MS, PLAIN)).toBe(
    [
      'warning  An instance does not come up · visual-3 · open for 5 min',
      '  visual-3 has been booting for 20 min: ordered. Now: 25 min.',
      '  → Look at it.',
      '  stuck-boot · a1',
      '',
      'The rules were last judged 30 s ago.',
    ].join('\n'),
  );
});

it('says of one that is over how long it lasted, and nothing to do', () => {
  const over = alert({ clearedAt: '2026-11-21T11:58:00.000Z', currentValue: null, subject: '*' });
  const text = renderAlerts(page(over), true, NOW_MS, PLAIN);
  expect(text).toContain('An instance does not come up · over after 3 min, 2 min ago\n');
  expect(text).not.toContain('→');
});

it('says when there is none, when nobody has looked, and lets no control characters through', () => {
  const none = { ...page(), judgedAt: null };
  expect(renderAlerts(none, false, NOW_MS, PLAIN)).toBe('There is no open alert.\nThe rules have not been judged yet.');
  const odd = alert({ message: 'a\u001B[2Jb', subject: 's\u0007' });
  expect(renderAlerts(page(odd), false, NOW_MS, PLAIN)).not.toMatch(/(?!\n)\p{Cc}/u);
  expect(renderAlerts(page(alert()), false, NOW_MS, { colours: true, width: 80 })).toContain('\u001B[33mwarning');
});

it('shows rules in a table, and one rule with each value against its threshold', () => {
  expect(renderRules([rule, { ...rule, id: 'b', enabled: false, edited: false, openAlerts: 0 }], PLAIN)).toBe(
    [
      'RULE        SEVERITY  RAISED AT           CLEARED AT  OPEN',
      'stuck-boot  warning   ≥ 20 min for 1 min  < 10 min    1  edited',
      'b           off       ≥ 20 min for 1 min  < 10 min    –',
    ].join('\n'),
  );
  const bar = (filled: number) => '█'.repeat(filled) + '░'.repeat(20 - filled);
  expect(renderRule(rule, PLAIN)).toBe(
    [
      'stuck-boot  warning  An instance does not come up',
      '  boot_seconds: time since it was ordered',
      '  raised at ≥ 20 min for 1 min, cleared at < 10 min',
      '  → Look at it.',
      '',
      `  visual-1   ${bar(0)}  0 s`,
      `  visual-30  ${bar(20)}  21 min 40 s  alert`,
      `  visual-4   ${bar(10)}  10 min`,
    ].join('\n'),
  );
  // A rule that raises below is near its threshold when little is left.
  const below = { ...rule, comparison: 'below', unit: 'ratio', raiseAt: 0.1, clearAt: 0.2 } as const;
  const [first] = rule.readings;
  if (first === undefined) throw new Error('no reading');
  expect(renderRule({ ...below, readings: [{ ...first, value: 0.2 }] }, PLAIN)).toContain(`${bar(10)}  20 %`);
});

it('tells values in their unit', () => {
  expect([
    valueWords(0.0512, 'ratio'),
    valueWords(3.456, 'times'),
    valueWords(90, 'seconds'),
    valueWords(11.5, 'hours'),
    valueWords(2, 'count'),
    valueWords(1, 'flag'),
  ]).toEqual(['5.12 %', '3.46 times', '1 min 30 s', '11 h 30 min', '2', 'yes']);
});
