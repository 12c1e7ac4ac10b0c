import { describe, expect, it } from 'vitest';
import { importsOf, isUsedByLoading, meaningOf } from '../../../cli/test/source-text.ts';

it('imports: Files that are imported at run time are named relative to the checkout', () => {
  const text = `
    import { a } from './a.ts';
    import type { B } from './b.ts';
    import { type C } from './c.ts';
    import './d.css';
    export { e } from '../e.ts';
    export type { F } from './f.ts';
    const g = await import('./g.tsx');
    import fs from 'node:fs';
  `;
  const imported = ['web/decks/a.ts', 'web/decks/d.css', 'web/e.ts', 'web/decks/g.tsx'];
  expect(importsOf('web/decks/x.tsx', text)).toEqual(imported);
});

it.each([
  ['a table', 'export const table = { a: 1 } as const;', true],
  ['a schema beside a function', 'export const s = z.object({}); export function f() {}', true],
  ['a file without functions', 'const a = 1; start(a);', true],
  ['functions alone', 'export const f = () => 1; export function g() { return 2; }', false],
  ['a function behind a type', 'export const f = (() => 1) satisfies Make;', false],
  ['a constant of its own beside a function', 'const LIMIT = 3; export const f = () => LIMIT;', false],
])('use by loading: Loading %s: `%s` is using it: %s', (_what, text, expected) =>
  expect(isUsedByLoading('a.ts', text)).toBe(expected),
);

describe('meaning', () => {
  const same = (a: string, b: string): boolean => meaningOf('a.ts', a) === meaningOf('a.ts', b);

  it('Imports, comments, types and formatting do not change it', () =>
    expect(
      same(
        "import { x } from './a.ts';\n/** Doubles. */\nexport const f = (n: number): string => `${n * 2}` as string;",
        "import { x } from './b.ts';\ninterface N {}\nexport const f = (n: N) =>\n  `${n * 2}`;",
      ),
    ).toBe(true));

  it.each([
    ['f(null)', 'f()'],
    ['f?.(1)', 'f(1)'],
    ['a < b', 'a <= b'],
    ["f('a')", "f('b')"],
    ['f(1n)', 'f(2n)'],
    ['f(/a/)', 'f(/b/)'],
    ['f(`a${b}`)', 'f(`c${b}`)'],
    ['await f()', 'f()'],
    ["export { a } from './a.ts'", "export { a } from './b.ts'"],
  ])('`%s` and `%s` differ', (a, b) => expect(same(a, b)).toBe(false));

  it('A text that is no TypeScript is refused with the name of its file', () =>
    expect(() => meaningOf('web/broken.tsx', 'const = 3')).toThrow(/web\/broken\.tsx/u));
});
