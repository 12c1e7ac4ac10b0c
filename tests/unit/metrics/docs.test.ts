/** docs/monitoring.md against the code: every metric and target stands there, with its kind, labels and words. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { alertMetricOf, definitionOf, METRIC_NAMES } from '../../../domain/metrics/catalogue.ts';
import { TARGET_NAMES } from '../../../domain/metrics/targets.ts';

const text = readFileSync(path.resolve(import.meta.dirname, '../../../docs/monitoring.md'), 'utf8');
/** Between two headings. */
const part = (heading: string): string => text.split(`\n${heading}\n`)[1]?.split(/\n#{2,3} /u)[0] ?? '';
/** Cells of the table rows of a part. */
const rowsOf = (heading: string): string[][] =>
  part(heading)
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/gu, '')));
const code = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ');

describe('docs/monitoring.md', () => {
  it('has every metric, as it is shown, and no other', () => {
    const expected = METRIC_NAMES.map((name) => {
      const definition = definitionOf(name);
      const alert = alertMetricOf(name)?.alert;
      return [
        `\`${name}\``,
        definition.type,
        code(definition.labels) || '–',
        definition.type === 'gauge' ? definition.unit : '–',
        alert === undefined ? '–' : code(alert.subject) || 'installation',
        definition.help,
      ];
    });
    expect(rowsOf('### Metrics of Deckhand')).toEqual(expected);
  });

  it('has every target, and no other', () =>
    expect(rowsOf('## Targets').map(([name]) => name)).toEqual(TARGET_NAMES.map((name) => `\`${name}\``)));
});
