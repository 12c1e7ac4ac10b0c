/** Contradictions planted in decks of seeds, with the traits of real decks, are found; decks without one have none. */
import { expect, it } from 'vitest';
import { findContradictions, type Contradiction } from '../../../domain/evidence/contradictions.ts';
import { plainText } from '../../../domain/pages/page-text.ts';
import { generateContradictoryDeck, PLANT_NAMES } from '../../../samples/generator/contradictions.ts';
import { generateDeck } from '../../../samples/generator/generate.ts';
import { layoutsOf } from '../../../testing/read-pdf.ts';
import { propertyRuns } from '../../../testing/tier.ts';

const contradictionsOf = async (pdf: Uint8Array): Promise<Contradiction[]> =>
  findContradictions((await layoutsOf(pdf)).map((layout, index) => ({ slide: index + 1, text: plainText(layout) })));

it('at least nine of ten planted contradictions are found, and no other', async ({ annotate }) => {
  const missed: string[] = [];
  const seeds = Array.from({ length: propertyRuns(30, 3) }, (_, index) => 5001 + index);
  for (const plant of PLANT_NAMES) {
    for (const seed of seeds) {
      const { pdf, kind, traits } = await generateContradictoryDeck(seed, plant);
      const found = await contradictionsOf(pdf);
      if (!found.some((one) => one.kind === kind)) missed.push(`${plant} ${seed} [${traits.join(' ')}]`);
      expect(found.filter((one) => one.kind !== kind)).toEqual([]);
    }
  }
  const planted = PLANT_NAMES.length * seeds.length;
  await annotate(`${planted - missed.length} of ${planted} found\n${missed.join('\n')}`);
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(planted / 10);
});

it('decks that do not contradict themselves have no contradiction', async () => {
  for (let seed = 6001; seed < 6001 + propertyRuns(100, 5, 50); seed += 1) {
    const { pdf, traits } = await generateDeck({ seed });
    expect(await contradictionsOf(pdf), `${seed} ${traits.join(' ')}`).toEqual([]);
  }
});
