import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EXAMPLE_FILES } from '../../../cli/maintenance/examples.ts';
import { fleetConfigSchema } from '../../../domain/fleet/pool/pool-config.ts';
import { environmentSchema, REPOSITORY_DIR } from '../../../platform/config.ts';
import { loadModelsFile } from '../../../platform/models-file.ts';

it.each(Object.entries(EXAMPLE_FILES))('the committed %s is what its schema generates', (name, text) => {
  expect(readFileSync(join(REPOSITORY_DIR, name), 'utf8')).toBe(text());
});

it('every environment variable has a description', () => {
  const silent = Object.entries(environmentSchema.shape).filter(([, schema]) => (schema.description ?? '') === '');
  expect(silent.map(([name]) => name)).toEqual([]);
});

it('the example fleet is a valid fleet file', () =>
  expect(fleetConfigSchema.safeParse(JSON.parse(EXAMPLE_FILES['fleet.example.json']())).error).toBeUndefined());

it('the example of a models file is a valid one, of which every profile can be used', () =>
  expect(() =>
    loadModelsFile({ modelsFile: join(REPOSITORY_DIR, 'models.example.json'), home: '/nowhere' }),
  ).not.toThrow());

it('a models file that is named has to be there; that of the data directory need not', () => {
  expect(loadModelsFile({ modelsFile: '/nowhere/models.json', home: '/nowhere' }).models).toEqual([]);
  expect(() => loadModelsFile({ modelsFile: '/nowhere/mine.json', home: '/nowhere' })).toThrow(
    'DECKHAND_MODELS_FILE names /nowhere/mine.json, which does not exist.',
  );
});
