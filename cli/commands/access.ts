/**
 * `deckhand keys`: makes, lists and revokes API keys. `deckhand tenants`: the tenants of this installation, each with data of its own, and the share
 * of the GPUs that each one has.
 */
import { type Command, Option } from 'commander';
import { askApi } from '../api/open.ts';
import { renderKeys, renderTenants } from '../keys/table.ts';
import { numberThat } from '../terminal/arguments.ts';
import { type JsonOption, printResult, printingCommand } from '../terminal/output.ts';

interface TenantOptions extends JsonOption {
  readonly name?: string;
  readonly weight?: number;
}

export function registerTenants(program: Command): void {
  const tenants = program.command('tenants').description('make, list and change tenants');
  const withValues = (command: Command): Command =>
    command
      .option('--name <name>', 'name for people')
      .option(
        '--weight <number>',
        'share of the GPUs beside other tenants that have work queued: 2 gets twice what 1 gets (0.001 to 1000)',
        readWeight,
      );

  withValues(
    printingCommand(
      tenants,
      'create <slug>',
      'make a tenant with templates, prompts and model configuration of its own',
    ),
  ).action(async (slug: string, { name, weight, json }: TenantOptions) => {
    const tenant = await askApi('Making the tenant', (client, signal) =>
      client.POST('/tenants', { body: { slug, name, weight }, signal }),
    );
    printResult({ json }, tenant, () => renderTenants([tenant]));
    console.error(`Give it a key with: deckhand keys create --tenant ${slug} --name NAME`);
  });
  printingCommand(tenants, 'list', 'list the tenants').action(async (options: TenantOptions) => {
    const { items } = await askApi('Listing the tenants', (client, signal) => client.GET('/tenants', { signal }));
    printResult(options, items, () => renderTenants(items));
  });
  withValues(printingCommand(tenants, 'set <slug>', 'change the name or the weight of a tenant')).action(
    async (slug: string, { name, weight, json }: TenantOptions) => {
      const tenant = await askApi('Changing the tenant', (client, signal) =>
        client.PATCH('/tenants/{slug}', { params: { path: { slug } }, body: { name, weight }, signal }),
      );
      printResult({ json }, tenant, () => renderTenants([tenant]));
    },
  );
}

const readWeight = numberThat((weight) => weight >= 0.001 && weight <= 1000, 'It is a number from 0.001 to 1000.');

const ROLES = ['analyst', 'operator'] as const;

interface CreateOptions {
  readonly name: string;
  readonly role: (typeof ROLES)[number];
  readonly tenant?: string;
  readonly json?: boolean;
}

export function registerKeys(program: Command): void {
  const keys = program.command('keys').description('make, list and revoke API keys');

  printingCommand(keys, 'create', 'make a key; it is printed only now')
    .requiredOption('--name <name>', 'its owner or purpose')
    .addOption(
      new Option(
        '--role <role>',
        'analyst: decks, analyses and reports of its tenant; operator: also the fleet, models, keys, tenants and webhooks',
      )
        .choices(ROLES)
        .default('analyst'),
    )
    .option('--tenant <slug>', 'tenant whose data it opens; your own by default')
    .action(async ({ name, role, tenant, json }: CreateOptions) => {
      const made = await askApi('Making the key', (client, signal) =>
        client.POST('/keys', { body: { name, role, tenant }, signal }),
      );
      // Only the key on stdout, so that a script can read it; the rest goes to stderr.
      printResult({ json }, made, () => made.key);
      console.error(
        `Shown only now, for ${made.name} (${made.role}, tenant ${made.tenantId}). Revoke it with: deckhand keys revoke ${made.id}`,
      );
    });
  printingCommand(keys, 'list', 'list the keys of all tenants').action(async (options: { readonly json?: boolean }) => {
    const { items } = await askApi('Listing the keys', (client, signal) => client.GET('/keys', { signal }));
    printResult(options, items, () => renderKeys(items));
  });
  printingCommand(keys, 'revoke <id>', 'revoke a key, with effect at once; its sessions end with it')
    .option('--force', 'also the last key of an operator')
    .action(async (id: string, options: { readonly force?: boolean; readonly json?: boolean }) => {
      const force = options.force === true ? 'true' : 'false';
      const key = await askApi('Revoking the key', (client, signal) =>
        client.DELETE('/keys/{id}', { params: { path: { id }, query: { force } }, signal }),
      );
      printResult(options, key, () => `Revoked ${key.prefix}… of ${key.name}.`);
    });
}
