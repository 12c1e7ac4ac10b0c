/**
 * `deckhand tenants`: who shares this installation, each with data of its own, and how large each one's share of the GPUs is.
 */
import { InvalidArgumentError, type Command } from 'commander';
import type { TenantDocument } from '../../api/client.ts';
import { askApi } from '../fleet/selection-api.ts';
import { renderTenants } from '../keys/table.ts';

interface TenantOptions {
  readonly name?: string;
  readonly weight?: number;
  readonly json?: boolean;
}

/** Adds the command. */
export function registerTenants(program: Command): void {
  const tenants = program.command('tenants').description('make, list and change tenants');
  const sub = (usage: string, description: string): Command =>
    tenants
      .command(usage)
      .description(description)
      .option('--json', 'print one JSON document and nothing else on stdout');
  const withValues = (command: Command): Command =>
    command
      .option('--name <name>', 'name for people')
      .option(
        '--weight <number>',
        'share of the GPUs beside other tenants that have work queued: 2 gets twice what 1 gets (0.001 to 1000)',
        readWeight,
      );

  withValues(sub('create <slug>', 'make a tenant with templates, prompts and model configuration of its own')).action(
    async (slug: string, options: TenantOptions) => {
      const tenant = await askApi('Making the tenant', (client, signal) =>
        client.createTenant({ slug, ...valuesOf(options) }, signal),
      );
      print(options, tenant);
      console.error(`Give it a key with: deckhand keys create --tenant ${slug} --name NAME`);
    },
  );
  sub('list', 'list the tenants').action(async (options: TenantOptions) => {
    const all = await askApi('Listing the tenants', (client, signal) => client.tenants(signal));
    console.log(options.json === true ? JSON.stringify(all) : renderTenants(all));
  });
  withValues(sub('set <slug>', 'change the name or the weight of a tenant')).action(
    async (slug: string, options: TenantOptions) => {
      const tenant = await askApi('Changing the tenant', (client, signal) =>
        client.changeTenant(slug, valuesOf(options), signal),
      );
      print(options, tenant);
    },
  );
  for (const command of tenants.commands) command.exitOverride();
}

function valuesOf({ name, weight }: TenantOptions): { name?: string; weight?: number } {
  return { ...(name === undefined ? {} : { name }), ...(weight === undefined ? {} : { weight }) };
}

function print(options: TenantOptions, tenant: TenantDocument): void {
  console.log(options.json === true ? JSON.stringify(tenant) : renderTenants([tenant]));
}

function readWeight(text: string): number {
  const weight = Number(text);
  if (Number.isFinite(weight) && weight >= 0.001 && weight <= 1000) return weight;
  throw new InvalidArgumentError('It is a number from 0.001 to 1000.');
}
