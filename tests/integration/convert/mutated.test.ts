/** Broken PDFs of every kind end: with a probe or with an error by name, never with a fault that would be retried for ever. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DeckhandError, ERROR_KINDS } from '../../../domain/errors.ts';
import { closeRenderer, prepareRenderer } from '../../../activities/convert/render/window.ts';
import { forAll } from '../../../testing/property.ts';
import { armed, goodDeck, handMade, stream } from '../../fixtures/hostile/decks.ts';
import { probe, render, scratchFolder } from './helpers.ts';

const scratch = scratchFolder();
const SAMPLE = path.resolve(import.meta.dirname, '../../../samples/lumbalis.pdf');
let originals: Buffer[] = [];
beforeAll(async () => {
  prepareRenderer('pdfium');
  originals = [
    await goodDeck(3),
    armed(),
    withNames('/EmbeddedFiles 5 0 R', '<</Kids[6 0 R]>>', '<</Limits[(a)(b)]/Names[(a) 3 0 R(b) 3 0 R]>>'),
    deepPageTree(),
    readFileSync(SAMPLE),
  ];
});
afterAll(() => closeRenderer());

/** A good page, and a name tree: objects from number 5 on. */
function withNames(names: string, ...nodes: string[]): Buffer {
  return handMade([
    `<</Type/Catalog/Pages 2 0 R/Names<<${names}>>>>`,
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 960 540]/Contents 4 0 R>>',
    stream('', Buffer.from('0 0 1 rg 100 100 200 200 re f')),
    ...nodes,
  ]);
}

/** Two levels of page tree with two pages. */
function deepPageTree(): Buffer {
  return handMade([
    '<</Type/Catalog/Pages 2 0 R/Outlines 7 0 R>>',
    '<</Type/Pages/Kids[3 0 R 5 0 R]/Count 2/MediaBox[0 0 960 540]>>',
    '<</Type/Pages/Parent 2 0 R/Kids[4 0 R]/Count 1>>',
    '<</Type/Page/Parent 3 0 R/Contents 6 0 R>>',
    '<</Type/Page/Parent 2 0 R/Contents 6 0 R>>',
    stream('', Buffer.from('1 0 0 rg 9 9 90 90 re f')),
    '<</First 8 0 R/Last 8 0 R/Count 1>>',
    '<</Title(One)/Parent 7 0 R/Dest[4 0 R/Fit]>>',
  ]);
}

it.each([
  [
    'files: a node that contains itself',
    '/EmbeddedFiles 5 0 R',
    ['<</Kids[6 0 R]>>', '<</Kids[5 0 R]>>'],
    'attachments',
  ],
  [
    'files: a node that is named twice',
    '/EmbeddedFiles 5 0 R',
    ['<</Kids[6 0 R 6 0 R]>>', '<</Names[]>>'],
    'attachments',
  ],
  ['scripts: a node that contains itself', '/JavaScript 5 0 R', ['<</Kids[5 0 R]>>'], 'javascript'],
])(
  'a name tree whose node occurs twice, %s: the deck is read and the hazard is named',
  async (_, names, nodes, hazard) => {
    const file = scratch.file(withNames(names, ...nodes));
    expect(await probe(file)).toMatchObject({ pageCount: 1, hazards: [hazard] });
    expect(await render(file, [1])).toMatchObject([{ number: 1, widthPx: 1344 }]);
  },
);

it('a hazard that does not show in the bytes either is unknown, and the others are known', async () => {
  // #46 and #53 are the letters F and S: names may be written so.
  const files = scratch.file(withNames('/Embedded#46iles 5 0 R', '<</Kids[5 0 R]>>'));
  expect((await probe(files)).hazards).toEqual(['attachments_unknown']);
  const scripts = scratch.file(withNames('/Java#53cript 5 0 R', '<</Kids[6 0 R 6 0 R]>>', '<</Names[]>>'));
  expect((await probe(scripts)).hazards).toEqual(['javascript_unknown']);
});

/** One change of the bytes of a deck. */
type Mutation = (bytes: Buffer) => Buffer;

const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const at = (bytes: Buffer, where: number): number => Math.floor(where * bytes.length);

const flipped: fc.Arbitrary<Mutation> = fc
  .tuple(share, fc.integer({ min: 1, max: 255 }))
  .map(([where, mask]) => (bytes) => {
    const copy = Buffer.from(bytes);
    const index = at(copy, where);
    copy[index] = (copy[index] ?? 0) ^ mask;
    return copy;
  });
const cut: fc.Arbitrary<Mutation> = fc.tuple(share, share).map(([from, length]) => (bytes) => {
  const start = at(bytes, from);
  return Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + at(bytes, length * length * length))]);
});
const inserted: fc.Arbitrary<Mutation> = fc
  .tuple(share, fc.uint8Array({ minLength: 1, maxLength: 40 }))
  .map(([where, more]) => (bytes) => {
    const start = at(bytes, where);
    return Buffer.concat([bytes.subarray(0, start), more, bytes.subarray(start)]);
  });

/** Replaces one occurrence of a pattern, chosen by `where`; the text is kept byte for byte. */
function replaceOne(pattern: RegExp, where: number, by: (found: string) => string): Mutation {
  return (bytes) => {
    const text = bytes.toString('latin1');
    const found = [...text.matchAll(pattern)];
    const match = found[Math.floor(where * found.length)];
    if (match === undefined) return bytes;
    const after = match.index + match[0].length;
    return Buffer.from(text.slice(0, match.index) + by(match[0]) + text.slice(after), 'latin1');
  };
}

const REFERENCE = /\b\d{1,4} 0 R\b/g;
const reference = fc.integer({ min: 0, max: 12 }).map((number) => `${number} 0 R`);
const redirected: fc.Arbitrary<Mutation> = fc
  .tuple(share, reference)
  .map(([where, target]) => replaceOne(REFERENCE, where, () => target));
const lost: fc.Arbitrary<Mutation> = share.map((where) => replaceOne(/\d+ 0 obj[^]*?endobj/g, where, () => ''));
const kids: fc.Arbitrary<Mutation> = fc
  .tuple(share, fc.array(reference, { maxLength: 4 }))
  .map(([where, targets]) => replaceOne(/\/Kids\s*\[[^\]]*\]/g, where, () => `/Kids[${targets.join(' ')}]`));
const counted: fc.Arbitrary<Mutation> = fc
  .tuple(share, fc.constantFrom('-1', '0', '2', '99999999', '(two)', 'null', '1.5'))
  .map(([where, count]) => replaceOne(/\/Count\s+\d+/g, where, () => `/Count ${count}`));
const retyped: fc.Arbitrary<Mutation> = fc
  .tuple(share, fc.constantFrom('null', '[]', '<<>>', '-1', '(text)', '/Name', 'true'))
  .map(([where, value]) => replaceOne(/(?<=\/[A-Za-z]+\s?)(?:\[[^\]]*\]|\d+ 0 R|\d+)/g, where, () => value));

const mutations = fc.array(fc.oneof(flipped, cut, inserted, redirected, lost, kids, counted, retyped), {
  maxLength: 4,
});

/** A deck whose name tree is any graph over a few nodes. */
const nameTree = fc
  .tuple(
    fc.constantFrom('EmbeddedFiles', 'Embedded#46iles', 'JavaScript', 'Java#53cript', 'Dests'),
    fc.array(fc.array(fc.integer({ min: 3, max: 8 }), { maxLength: 3 }), { minLength: 1, maxLength: 4 }),
  )
  .map(([name, graph]) =>
    withNames(`/${name} 5 0 R`, ...graph.map((nodes) => `<</Kids[${nodes.map((node) => `${node} 0 R`).join(' ')}]>>`)),
  );
/** A deck whose page tree is any graph over a few nodes and one page. */
const pageTree = fc
  .array(fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 3 }), { minLength: 1, maxLength: 4 })
  .map((graph) =>
    handMade([
      '<</Type/Catalog/Pages 3 0 R>>',
      '<</Type/Page/MediaBox[0 0 960 540]/Contents 7 0 R>>',
      ...graph.map(
        (nodes) =>
          `<</Type/Pages/Count ${nodes.length}/Kids[${nodes.map((node) => `${node} 0 R`).join(' ')}]/MediaBox[0 0 9 5]>>`,
      ),
    ]),
  );
const decks = fc.oneof(
  fc.nat({ max: 4 }).map((which) => () => originals[which] ?? Buffer.alloc(0)),
  fc.oneof(nameTree, pageTree).map((made) => () => made),
);

/** What became of a deck; every error other than a named, permanent one is a failure of the test. */
async function outcome(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'read';
  } catch (error) {
    if (error instanceof DeckhandError && ERROR_KINDS[error.code].permanent) return error.code;
    throw error;
  }
}

it('mutated decks end with a probe and its pages drawn or failed by name, or with a permanent error by name', async () => {
  const seen = new Set<string>();
  const options = { runs: 300, deepRuns: 50, seed: 20_261_122, endOnFailure: true };
  await forAll([decks, mutations], options, async (original, changes) => {
    const file = scratch.file(changes.reduce((bytes, change) => change(bytes), original()));
    const probed = await outcome(probe(file));
    seen.add(probed);
    if (probed === 'read') seen.add(await outcome(render(file, [1], { renderer: 'pdfium' })));
  });
  // The mutations are neither all harmless nor all fatal.
  expect(seen).toContain('read');
  expect(seen.size).toBeGreaterThan(1);
});
