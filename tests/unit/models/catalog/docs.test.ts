/** docs/models.md against the code: every setting with its default, every task, every preset with its licence and sources. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { catalogSchema, modelSchema, profileSchema, serverSchema } from '../../../../domain/models/catalog/catalog.ts';
import { DEFAULT_LANGUAGE_PROFILE, PRESETS } from '../../../../domain/models/catalog/presets.ts';
import { GPU_CLASSES, MODEL_TASK_NAMES } from '../../../../domain/models/model-tasks.ts';
import { durationWords } from '../../../../domain/text/words.ts';

const text = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/models.md'), 'utf8');
/** Cells of the rows of all tables. */
const rows = text.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
const rowsOf = (first: string): string[][] => rows.filter(([, cell]) => cell === `\`${first}\``);

const GROUPS = { servers: serverSchema, models: modelSchema, profiles: profileSchema } as const;
const settings = Object.entries(GROUPS).flatMap(([group, schema]) =>
  Object.entries(z.toJSONSchema(schema, { io: 'input' }).properties ?? {}).map(
    ([name, property]): [string, unknown] => [
      `${group}[].${name}`,
      typeof property === 'object' ? property.default : undefined,
    ],
  ),
);

describe('docs/models.md', () => {
  it('knows every group of settings', () =>
    expect(Object.keys(z.toJSONSchema(catalogSchema, { io: 'input' }).properties ?? {})).toEqual(Object.keys(GROUPS)));

  it.each(settings)('has a row for the setting %s, by default %j', (name, value) => {
    const [row] = rowsOf(name);
    expect(row).toBeDefined();
    if (typeof value === 'object' || value === undefined) return;
    const words = name.endsWith('Ms') ? durationWords(Number(value)) : JSON.stringify(value).replaceAll('"', '');
    expect(row?.[2]?.replaceAll('`', '')).toBe(words);
  });

  it.each([...GPU_CLASSES, ...MODEL_TASK_NAMES])('names the class or task %s', (name) =>
    expect(text).toContain(`\`${name}\``),
  );

  it.each(PRESETS.profiles)(
    'describes the preset $name: why, which models, and where its figures are from',
    (preset) => {
      const [described, sources] = rowsOf(preset.name);
      expect(described?.[2]).toBe(preset.reason);
      for (const model of Object.values(preset.models)) expect(described?.[3]).toContain(`\`${model}\``);
      expect(sources?.[3]).toMatch(preset.name === 'reader' ? /this repository/u : /model card|arXiv \d{4}\.\d{5}/u);
    },
  );

  it('names the default language model, and says that it was not measured', () => {
    expect(text).toContain(`### Why ${DEFAULT_LANGUAGE_PROFILE} is the default`);
    expect(text).toContain('It was chosen by published figures. We have not measured it on GPUs.');
  });

  it('every model of a preset that runs on a GPU has a licence', () => {
    for (const { name, licence, weightsGib } of PRESETS.models)
      if (weightsGib !== 0) expect(licence, name).not.toBeNull();
  });
});
