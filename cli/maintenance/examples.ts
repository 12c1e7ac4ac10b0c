/**
 * For developers: writes `.env.example`, `fleet.example.json` and `models.example.json` from their schemas, the rules for Prometheus from the alert rules, the
 * Dockerfiles of model servers, and the tables of docs/gpu-platforms.md and docs/models.md. Run it with `npm run examples` after a change of a setting, an alert rule, a model or the pinned release of Ollama;
 * a unit test fails until the committed files are the same.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fleetConfigSchema } from '../../domain/fleet/pool/pool-config.ts';
import { catalogSchema } from '../../domain/models/catalog/catalog.ts';
import { environmentSchema, REPOSITORY_DIR } from '../../platform/config.ts';
import { imageDockerfile } from '../setup/print.ts';
import { pageWithTables } from './page-tables.ts';
import { prometheusRules } from './prometheus-rules.ts';

/** Every variable with its description; what has a default shows it, and everything is commented out. */
function environmentExample(): string {
  const variables = Object.entries(environmentSchema.shape).map(([name, schema]) => {
    const fallback = schema.safeParse(undefined).data;
    return `# ${schema.description ?? ''}\n#${name}=${fallback === undefined ? '' : String(fallback)}\n`;
  });
  return `# Settings of Deckhand with their defaults. Every process reads them from its environment.\n\n${variables.join('\n')}`;
}

/** A fleet of one pool with every setting at its default. It rents nothing before an installation id is set. */
function fleetExample(): string {
  const fleet = fleetConfigSchema.parse({
    provider: 'datacrunch',
    pools: [{ name: 'gpu', classes: ['gpu-visual', 'gpu-text'] }],
  });
  return `${JSON.stringify(fleet, null, 2)}\n`;
}

/** A server with a model, a model that machines of a pool pull, and a profile of each; every setting at its default or with a telling value. */
function modelsExample(): string {
  const models = catalogSchema.parse({
    servers: [{ name: 'office', url: 'http://gpu-1.example.com:11434', parallel: 4 }],
    models: [
      { name: 'llava:7b', server: 'office', seesPictures: true, licence: 'Llama 2 community licence' },
      { name: 'mistral:7b', server: 'office', languages: ['en', 'de'] },
      {
        name: 'registry.example.com/house/pitch:12b',
        digest: '0123456789abcdef'.repeat(4),
        window: 32_768,
        seesPictures: true,
        weightsGib: 7.6,
        kvCacheGibPerSlot: 2.5,
        loadTimeoutMs: 600_000,
      },
    ],
    profiles: [
      {
        name: 'office',
        reason: 'On our own machine; another model judges the answers.',
        models: { 'gpu-visual': 'llava:7b', 'gpu-text': 'llava:7b', score_answer: 'mistral:7b' },
      },
      {
        name: 'house',
        reason: 'Our own model, on rented machines.',
        models: {
          'gpu-visual': 'registry.example.com/house/pitch:12b',
          'gpu-text': 'registry.example.com/house/pitch:12b',
        },
        temperature: 0,
      },
    ],
  });
  return `${JSON.stringify(models, null, 2)}\n`;
}

/** The example files by name. */
export const EXAMPLE_FILES = {
  '.env.example': environmentExample,
  'fleet.example.json': fleetExample,
  'models.example.json': modelsExample,
  'monitoring/deckhand.rules.yml': prometheusRules,
  'docs/gpu-platforms.md': () => pageWithTables('docs/gpu-platforms.md'),
  'docs/models.md': () => pageWithTables('docs/models.md'),
  'images/visual/Dockerfile': () => imageDockerfile('visual'),
  'images/text/Dockerfile': () => imageDockerfile('text'),
} as const;

if (import.meta.main) {
  for (const [name, text] of Object.entries(EXAMPLE_FILES)) writeFileSync(join(REPOSITORY_DIR, name), text());
}
