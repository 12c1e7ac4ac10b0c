/** Pages of a deck that a killed process was drawing: gone when its successor starts, and gone with the deck. */
import { readdirSync, existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { scratchDir } from '../../platform/scratch.ts';
import { endlessThenGood } from '../fixtures/hostile/decks.ts';
import { rigPerFile } from '../../testing/rig.ts';
import { until } from '../../testing/until.ts';

const rig = rigPerFile({ environment: { DECKHAND_LOST_WORKER_SEC: '3' } });

/** Folders of the deck below the data directory. */
function foldersOf(deckId: string): string[] {
  const root = scratchDir(rig.config.home);
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => path.basename(name).startsWith(`${deckId}-`))
    .map((name) => path.join(root, name));
}

it('a convert worker that is killed while it draws leaves nothing of the deck once its successor runs, and nothing once the deck is deleted', async () => {
  const deckId = await rig.upload(endlessThenGood(1), 'endless.pdf');
  const { analysisId } = await rig.client.startAnalysis(deckId, { models: 'reader' });
  const someOf = (): Promise<string[]> => until(() => foldersOf(deckId)).is((folders) => folders.length > 0);
  const [left = ''] = await someOf();
  process.kill(await rig.pidOf('convert'), 'SIGKILL');
  await until(() => existsSync(left)).is(false);
  // The next attempt draws in a folder of the successor.
  await someOf();
  process.kill(await rig.pidOf('convert'), 'SIGKILL');
  await rig.client.POST('/analyses/{id}/cancel', { params: { path: { id: analysisId } } });
  await rig.client.DELETE('/decks/{id}', { params: { path: { id: deckId } } });
  await until(() => rig.client.GET('/decks/{id}/deletion', { params: { path: { id: deckId } } })).is(
    ({ state }) => state === 'deleted',
  );
  expect(foldersOf(deckId)).toEqual([]);
});
