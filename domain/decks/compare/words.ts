/**
 * Which words of a text changed: the shortest edit from one to the other, word by word.
 */

/** A run of words that both texts have, or one of them. */
export interface WordRun {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Larger tables are not computed: what differs is then shown as a whole. 1 million cells take some 10 ms. */
const MAX_CELLS = 1_000_000;

const wordsOf = (text: string): readonly string[] => text.split(/\s+/u).filter((word) => word !== '');

/** The runs in order; removed words come before those that replaced them. Joined by spaces, `same` and `removed` give `a`'s words. */
export function changedWords(a: string, b: string): readonly WordRun[] {
  const [before, after] = [wordsOf(a), wordsOf(b)];
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let tail = 0;
  const shorter = Math.min(before.length, after.length) - start;
  while (tail < shorter && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const middle = edits(before.slice(start, before.length - tail), after.slice(start, after.length - tail));
  const same = (words: readonly string[]): WordRun[] => words.map((text) => ({ kind: 'same', text }));
  return joined([...same(before.slice(0, start)), ...middle, ...same(before.slice(before.length - tail))]);
}

/** Longest common subsequence, from the end so that it can be read from the start. */
function edits(before: readonly string[], after: readonly string[]): WordRun[] {
  const whole = (kind: 'removed' | 'added', words: readonly string[]): WordRun[] =>
    words.map((text) => ({ kind, text }));
  if (before.length * after.length > MAX_CELLS) return [...whole('removed', before), ...whole('added', after)];
  const width = after.length + 1;
  const common = new Uint32Array((before.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      common[i * width + j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const runs: WordRun[] = [];
  let [i, j] = [0, 0];
  for (;;) {
    const [word, other] = [before[i], after[j]];
    if (word === undefined) return [...runs, ...whole('added', after.slice(j))];
    if (other === undefined) return [...runs, ...whole('removed', before.slice(i))];
    if (word === other) {
      runs.push({ kind: 'same', text: word });
      i++;
      j++;
    } else if (at(i + 1, j) >= at(i, j + 1)) {
      runs.push({ kind: 'removed', text: word });
      i++;
    } else {
      runs.push({ kind: 'added', text: other });
      j++;
    }
  }
}

/** Neighbours of one kind become one run. Between two words that stayed, what was removed comes before what was added. */
function joined(words: readonly WordRun[]): WordRun[] {
  const runs: WordRun[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  const push = (kind: WordRun['kind'], texts: readonly string[]): void => {
    const last = runs.at(-1);
    if (texts.length === 0) return;
    if (last?.kind === kind) runs[runs.length - 1] = { kind, text: `${last.text} ${texts.join(' ')}` };
    else runs.push({ kind, text: texts.join(' ') });
  };
  const flush = (): void => {
    push('removed', removed);
    push('added', added);
    removed = [];
    added = [];
  };
  for (const { kind, text } of words) {
    if (kind === 'removed') removed.push(text);
    else if (kind === 'added') added.push(text);
    else {
      flush();
      push('same', [text]);
    }
  }
  flush();
  return runs;
}
