/**
 * docs/fleet.md against the code: every setting and every choice is described there.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  fleetConfigSchema,
  poolConfigSchema,
  SLEEP_POLICIES,
  SUSPEND_STRATEGIES,
  timingSchema,
} from '../../../domain/fleet/pool-config.ts';
import { TIERS } from '../../../domain/fleet/tiers.ts';
import { OPERATOR_REQUESTS } from '../../../workflows/pool/contract.ts';

const text = readFileSync(path.resolve(import.meta.dirname, '../../../docs/fleet.md'), 'utf8');

/** Dotted names of the settings that a schema takes; lists and groups stand for what is in them. */
function settingsOf(schema: z.ZodType, prefix = ''): string[] {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input' });
  return Object.keys(properties).map((name) => `${prefix}${name}`);
}

describe('docs/fleet.md describes', () => {
  it.each([
    ...settingsOf(fleetConfigSchema).filter((name) => !['pools', 'reaper', 'simulator'].includes(name)),
    'simulator.scenario',
    ...settingsOf(fleetConfigSchema.shape.reaper, 'reaper.'),
    ...settingsOf(poolConfigSchema, 'pools[].'),
    ...settingsOf(timingSchema),
  ])('the setting %s', (name) => {
    expect(text).toContain(`\`${name}\``);
  });

  it.each([...SLEEP_POLICIES, ...SUSPEND_STRATEGIES, ...TIERS.map((tier) => tier.slug)])('the choice %s', (name) => {
    expect(text).toContain(`\`${name}\``);
  });

  it.each(OPERATOR_REQUESTS.map((request) => `./deckhand fleet ${request} NAME`))('%s', (command) => {
    expect(text).toContain(command);
  });
});
