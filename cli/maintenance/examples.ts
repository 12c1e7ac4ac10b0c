/**
 * For developers: writes `.env.example` and `fleet.example.json` from their schemas, the rules for Prometheus from the alert rules, the
 * Dockerfiles of model servers, and the tables of docs/gpu-platforms.md. Run it with `npm run examples` after a change of a setting, an alert rule, a model or the pinned release of Ollama;
 * a unit test fails until the committed files are the same.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fleetConfigSchema } from '../../domain/fleet/pool/pool-config.ts';
import { environmentSchema, REPOSITORY_DIR } from '../../platform/config.ts';
import { imageDockerfile } from '../setup/print.ts';
import { platformPage } from './platform-tables.ts';
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

/** The example files by name. */
export const EXAMPLE_FILES = {
  '.env.example': environmentExample,
  'fleet.example.json': fleetExample,
  'monitoring/deckhand.rules.yml': prometheusRules,
  'docs/gpu-platforms.md': platformPage,
  'images/visual/Dockerfile': () => imageDockerfile('visual'),
  'images/text/Dockerfile': () => imageDockerfile('text'),
} as const;

if (import.meta.main) {
  for (const [name, text] of Object.entries(EXAMPLE_FILES)) writeFileSync(join(REPOSITORY_DIR, name), text());
}
