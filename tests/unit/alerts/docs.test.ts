/** docs/monitoring.md says of the rules and metrics of alerts what they are. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { alertMetricOf, type AlertMetric } from '../../../domain/metrics/catalogue.ts';
import { clearWords, raiseWords, spanWords } from '../../../domain/alerts/words.ts';
import { ALERT_RULES } from '../../../prisma/seed/alert-rules.ts';

const text = readFileSync(path.resolve(import.meta.dirname, '../../../docs/monitoring.md'), 'utf8');

/** Rows of the table under a heading: its cells by the first one, in order. */
function tableUnder(heading: string): string[][] {
  const [, section = ''] = text.split(`\n### ${heading}\n`);
  const lines = section.split('\n');
  const start = lines.findIndex((line) => line.startsWith('|'));
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  return lines.slice(start + 2, end).map((line) =>
    line
      .slice(2, -2)
      .split(' | ')
      .map((cell) => cell.trim()),
  );
}

function definitionOf(name: string): AlertMetric {
  const definition = alertMetricOf(name);
  if (definition === undefined) throw new Error(`${name} is not in the catalogue`);
  return definition;
}

it('docs/monitoring.md describes every rule of the seed as it is, and no other', () => {
  const expected = ALERT_RULES.map((rule) => {
    const { unit, alert } = definitionOf(rule.metric);
    const metric = `\`${rule.metric}\`${alert.windowSec === null ? '' : ` over ${spanWords(rule.windowSec)}`}`;
    return [`\`${rule.id}\``, rule.severity, rule.title, metric, raiseWords(rule, unit), clearWords(rule, unit)];
  });
  expect(tableUnder('Rules an installation starts with')).toEqual(expected);
});
