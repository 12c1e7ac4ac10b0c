/** Whether the pool that answered an analysis can answer a replay of it. */
import { expect, it } from 'vitest';
import { poolOfReplay, refusePool } from '../../../../domain/decks/replay/origin-pool.ts';
import { ownPoolsOf, poolConfigSchema } from '../../../../domain/fleet/pool/pool-config.ts';

const pool = (values: object) => poolConfigSchema.parse({ name: 'gemma', classes: ['gpu-text'], ...values });
const lost = ownPoolsOf([pool({})], 'ollama');
const configured = ownPoolsOf([pool({ name: 'static' }), pool({ ownQueues: true, models: 'ollama' })], 'reader');

it('a replay goes to the pool of its origin only where the other pools do not hold the models', () => {
  expect(poolOfReplay({ modelProfile: 'ollama', poolName: 'gemma' }, 'reader')).toBe('gemma');
  expect(poolOfReplay({ modelProfile: 'reader', poolName: 'gemma' }, 'reader')).toBeNull();
  expect(poolOfReplay({ modelProfile: 'ollama', poolName: null }, 'reader')).toBeNull();
});

it('a pool can answer when it is configured, holds the profile, and is looked after', () => {
  expect(configured).toEqual([{ name: 'gemma', profile: 'ollama' }]);
  expect(refusePool('gemma', 'ollama', configured, true)).toBeNull();
});

it.each([
  ['it was removed', 'ollama', [], true, 'is not configured any more', 'Add a pool "gemma"'],
  ['it lost its own queues', 'ollama', lost, true, 'is not configured any more', 'ownQueues'],
  ['it holds another profile', 'reader', configured, true, 'holds those of ollama now', 'Set "models": "reader"'],
  ['it has not started', 'ollama', configured, false, 'has not started', './deckhand fleet'],
] as const)('a pool is refused by name with the next step when %s', (_case, profile, pools, looks, words, next) => {
  const refusal = refusePool('gemma', profile, pools, looks);
  expect(refusal?.message).toContain('Pool gemma');
  expect(refusal?.message).toContain(words);
  expect(refusal?.hint).toContain(next);
});
