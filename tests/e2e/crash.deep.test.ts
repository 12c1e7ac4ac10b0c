/**
 * Workers killed with -9 at random moments: nothing is lost, nothing stored is computed again, and at most what was in flight on the
 * killed process is asked for twice.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { randomFrom } from '../../samples/generator/random.ts';
import { rigPerFile, SLOTS } from '../../testing/rig.ts';

const KILLS = 10;
const samples = ['cardiosense', 'lumbalis', 'quayline'].map((name) =>
  readFileSync(path.resolve(import.meta.dirname, `../../samples/${name}.pdf`)),
);

const rig = rigPerFile({
  readerArgs: ['--call-seconds', '0.2'],
  environment: { DECKHAND_LOST_WORKER_SEC: '3' },
});

it('ten kills of the convert worker and the gateway cost no deck and no stored result', async () => {
  const seed = Date.now();
  const random = randomFrom(seed);
  const decks = await Promise.all(samples.map((pdf, i) => rig.upload(pdf, `deck-${i}.pdf`)));
  const reviews = Promise.all(
    decks.flatMap((deck) => (['en', 'de'] as const).map((language) => rig.review(deck, { language }))),
  );

  let kills = 0;
  let gatewayKills = 0;
  while (kills < KILLS) {
    await delay(500 + random.next() * 2500);
    const service = random.next() < 0.5 ? 'convert' : 'gateway';
    const pid = await rig.pidOf(service).catch((error: Error) => {
      if (error.message.includes('does not run')) return null;
      throw error;
    });
    // Between its death and its restart a service has no process: that is not one of the ten.
    if (pid === null) continue;
    process.kill(pid, 'SIGKILL');
    kills++;
    if (service === 'gateway') gatewayKills++;
  }
  const reports = await reviews;

  expect(
    reports.map((r) => r.status),
    `seed ${seed}`,
  ).toEqual(reports.map(() => 'completed'));
  expect(reports.flatMap((r) => r.gaps)).toEqual([]);
  const calls = await rig.db.modelCall.findMany();
  expect(calls.filter((c) => c.state !== 'stored')).toEqual([]);
  const results = await rig.db.modelResult.count();
  expect(results).toBe(new Set(calls.map((c) => c.contentKey)).size);

  const stats = await rig.reader.stats();
  expect(stats.distinctInputs).toBe(results);
  expect(stats.repeatedInputs, `${gatewayKills} gateway kills, seed ${seed}`).toBeLessThanOrEqual(gatewayKills * SLOTS);
});
