/** Two profiles on one server: its slots are theirs together. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { JournalEntry } from '../../simulators/ollama/stats.ts';
import { folderPerFile } from '../../testing/per-file.ts';
import { plainDeck } from '../../testing/plain-deck.ts';
import { rigPerFile } from '../../testing/rig.ts';
import { until } from '../../testing/until.ts';

const SLOTS = 2;
const PROFILES = ['onb', 'second'];
const journal = path.join(folderPerFile(), 'journal');
const rig = rigPerFile({
  template: 'short',
  readerArgs: ['--parallel', String(SLOTS), '--also', 'llava:7b=vision', '--journal', journal],
});

/** Most calls that were inside the server at a time since then, waiting ones included. */
function mostInside(sinceMs: number): number {
  const inside = new Set<number>();
  let most = 0;
  for (const line of readFileSync(journal, 'utf8').trim().split('\n')) {
    const entry = JSON.parse(line) as JournalEntry;
    if (entry.event === 'accepted') inside.add(entry.call);
    else inside.delete(entry.call);
    if (entry.atMs >= sinceMs) most = Math.max(most, inside.size);
  }
  return most;
}

it('a server with two slots never has more than two calls inside for two profiles with a deck each', async () => {
  // Answers that take their time show how many run side by side.
  await rig.reader.script({ callSeconds: 0.2 });
  for (const profile of PROFILES)
    await rig.client.POST('/models/add', { body: { model: 'llava:7b', server: rig.reader.host, profile } });
  const serving = () => rig.db.instanceServing.count({ where: { state: 'serving', models: { has: 'llava:7b' } } });
  await until(serving).is(PROFILES.length);
  const speeds = await rig.db.machineSpeed.findMany({ where: { modelName: 'llava:7b' } });
  expect(speeds.map(({ slots }) => slots)).toEqual(PROFILES.map(() => SLOTS));
  const readyAtMs = Date.now();
  const decks = await Promise.all(PROFILES.map(async (name) => rig.upload(await plainDeck(name), `${name}.pdf`)));
  const reviews = await Promise.all(PROFILES.map((models, index) => rig.review(decks[index] ?? '', { models })));
  expect(reviews.map(({ status }) => status)).toEqual(['completed', 'completed']);
  expect(mostInside(readyAtMs)).toBeLessThanOrEqual(SLOTS);
});
