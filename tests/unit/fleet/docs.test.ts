/** docs/fleet.md against the code: every setting and every choice is described there. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  fleetConfigSchema,
  poolConfigSchema,
  PROVIDER_ORDERS,
  SLEEP_POLICIES,
  SUSPEND_STRATEGIES,
  timingSchema,
} from '../../../domain/fleet/pool/pool-config.ts';
import { endpointDeploymentSchema, endpointSchema } from '../../../domain/fleet/pool/endpoint-config.ts';
import { durationWords } from '../../../domain/text/words.ts';
import { TIERS } from '../../../domain/fleet/selection/tiers.ts';
import { OPERATOR_REQUESTS } from '../../../domain/fleet/pool/pool-state.ts';

const text = readFileSync(path.resolve(import.meta.dirname, '../../../docs/fleet.md'), 'utf8');

/** Groups of settings of the fleet file. */
const GROUPS: readonly ('reaper' | 'health' | 'accounting' | 'alerts' | 'targets')[] = [
  'reaper',
  'health',
  'accounting',
  'alerts',
  'targets',
];

/** Dotted names of the settings that a schema takes; lists and groups stand for what is in them. */
function settingsOf(schema: z.ZodType, prefix = ''): string[] {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input' });
  return Object.keys(properties).map((name) => `${prefix}${name}`);
}

/** Settings whose default is a number or a word. */
function defaultsOf(schema: z.ZodType, prefix = ''): (readonly [string, number | string])[] {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input' });
  return Object.entries(properties).flatMap(([name, property]) => {
    const value = typeof property === 'object' ? property.default : undefined;
    return typeof value === 'number' || typeof value === 'string' ? [[`${prefix}${name}`, value] as const] : [];
  });
}

/** A default as the tables write it. */
const wordsOf = (name: string, value: number | string): string =>
  typeof value === 'string' ? `\`${value}\`` : name.endsWith('Ms') ? durationWords(value) : String(value);

/** Second column of the tables by setting; a row may hold several, in the same order. */
const documentedDefaults = new Map(
  text.split('\n').flatMap((line) => {
    const [, names = '', defaults = ''] = line.split('|');
    const settings = [...names.matchAll(/`([^`]+)`/gu)].map((m) => m[1] ?? '');
    const values = settings.length > 1 ? defaults.split(', ') : [defaults];
    return settings.map((setting, index) => [setting, (values[index] ?? '').trim()] as const);
  }),
);

describe('docs/fleet.md describes', () => {
  it.each([
    ...settingsOf(fleetConfigSchema).filter((name) => ![...GROUPS, 'pools', 'simulator'].includes(name)),
    'simulator.scenario',
    ...GROUPS.flatMap((group) => settingsOf(fleetConfigSchema.shape[group], `${group}.`)),
    ...settingsOf(poolConfigSchema, 'pools[].'),
    ...settingsOf(endpointSchema, 'endpoint.'),
    ...settingsOf(endpointDeploymentSchema, 'endpoint.deployment.'),
    ...settingsOf(timingSchema),
  ])('the setting %s', (name) => expect(text).toContain(`\`${name}\``));

  it.each([
    ...defaultsOf(fleetConfigSchema),
    ...GROUPS.flatMap((group) => defaultsOf(fleetConfigSchema.shape[group], `${group}.`)),
    ...defaultsOf(poolConfigSchema, 'pools[].'),
    ...defaultsOf(endpointSchema, 'endpoint.'),
    ...defaultsOf(endpointDeploymentSchema, 'endpoint.deployment.'),
    ...defaultsOf(timingSchema),
  ])('the page says that %s is %j by default', (name, value) => {
    expect(documentedDefaults.get(name)).toBe(wordsOf(name, value));
  });

  it.each([...SLEEP_POLICIES, ...SUSPEND_STRATEGIES, ...PROVIDER_ORDERS, ...TIERS.map((tier) => tier.slug)])(
    'the choice %s',
    (name) => {
      expect(text).toContain(`\`${name}\``);
    },
  );

  it.each(OPERATOR_REQUESTS.map((request) => `./deckhand fleet ${request} NAME`))('%s', (command) => {
    expect(text).toContain(command);
  });
});
