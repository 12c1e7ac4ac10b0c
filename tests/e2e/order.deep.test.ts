/** Forty decks on a slow server: they are reviewed one after the other, not all at once, and each says its place. */
import { expect, it } from 'vitest';
import { plainDeck } from '../../testing/plain-deck.ts';
import { rigPerFile } from '../../testing/rig.ts';
import { until } from '../../testing/until.ts';

const DECKS = 40;
/** Decks that are begun and not done at most: calls take a tenth of a second here, so that those of several decks lie ready for a second. */
const OPEN = 8;

const rig = rigPerFile({ template: 'short' });

it('forty decks are reviewed in the order in which they came, and few are begun before the first is done', async () => {
  // A call takes about a tenth of a second, so that decisions on the order matter.
  await rig.reader.script({ rules: [{ fault: { latencyMs: 100 } }] });
  const decks: string[] = [];
  for (let n = 0; n < DECKS; n++) decks.push(await rig.upload(await plainDeck(`Ordered ${n}`), `ordered-${n}.pdf`));
  const ids: string[] = [];
  for (const deckId of decks) {
    const { analysisId } = await rig.client.startAnalysis(deckId, { models: 'reader' });
    ids.push(analysisId);
  }
  // Its pages are counted first.
  await until(() => rig.analysis(ids.at(-1) ?? '')).is(
    ({ progress, expected }) =>
      /^its place in line: \d+(?:st|nd|rd|th)$/u.test(progress.waitingFor ?? '') && (expected?.place ?? 0) > 1,
  );

  const begunWith = async (finished: number): Promise<number> => {
    const done = await rig.db.analysis.count({ where: { id: { in: ids }, finishedAt: { not: null } } });
    if (done < finished) return 0;
    const begun = await rig.db.callAttempt.groupBy({ by: ['analysisId'], where: { analysisId: { in: ids } } });
    return begun.length - done;
  };
  for (const finished of [1, 10, 20]) {
    expect(await until(() => begunWith(finished)).is((open) => open > 0)).toBeLessThanOrEqual(OPEN);
  }
  await Promise.all(ids.map((id) => rig.ended(id)));
  const rows = await rig.db.analysis.findMany({ where: { id: { in: ids } }, orderBy: { finishedAt: 'asc' } });
  expect(rows.map(({ status }) => status)).toEqual(ids.map(() => 'completed'));
  // Decks that are open together may end in another order.
  for (const [index, { id }] of rows.entries()) expect(Math.abs(ids.indexOf(id) - index)).toBeLessThan(OPEN);
});
