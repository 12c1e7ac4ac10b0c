/** docs/monitoring.md against the code: every metric and target stands there, with its kind, labels and words. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { definitionOf, METRIC_NAMES } from '../../../domain/metrics/definitions.ts';
import { TARGET_NAMES } from '../../../domain/targets/targets.ts';

const text = readFileSync(path.resolve(import.meta.dirname, '../../../docs/monitoring.md'), 'utf8');
/** Between two headings. */
const part = (heading: string): string => text.split(`\n${heading}\n`)[1]?.split(/\n#{2,3} /u)[0] ?? '';
/** Cells of the table rows of a part. */
const rowsOf = (heading: string): string[][] =>
  part(heading)
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/gu, '')));

describe('docs/monitoring.md', () => {
  it('has every metric, as it is shown, and no other', () => {
    const expected = METRIC_NAMES.map((name) => {
      const { type, labels, help } = definitionOf(name);
      return [`\`${name}\``, type, labels.map((label) => `\`${label}\``).join(', ') || '–', help];
    });
    expect(rowsOf('### Metrics of Deckhand')).toEqual(expected);
  });

  it('has every target, and no other', () => {
    expect(rowsOf('## Targets').map(([name]) => name)).toEqual(TARGET_NAMES.map((name) => `\`${name}\``));
  });
});
