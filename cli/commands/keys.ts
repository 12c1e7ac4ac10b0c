/**
 * `deckhand keys`: who may use the API. Makes, lists and revokes keys.
 */
import { Option, type Command } from 'commander';
import { askApi } from '../fleet/selection-api.ts';
import { renderKeys } from '../keys/table.ts';

const ROLES = ['analyst', 'operator'] as const;

interface CreateOptions {
  readonly name: string;
  readonly role: (typeof ROLES)[number];
  readonly tenant?: string;
  readonly json?: boolean;
}

/** Adds the command. */
export function registerKeys(program: Command): void {
  const keys = program.command('keys').description('make, list and revoke API keys');
  const sub = (usage: string, description: string): Command =>
    keys.command(usage).description(description).option('--json', 'print one JSON document and nothing else on stdout');

  sub('create', 'make a key; it is printed this once')
    .requiredOption('--name <name>', 'whose it is, or what for')
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
      const wish = { name, role, ...(tenant === undefined ? {} : { tenant }) };
      const made = await askApi('Making the key', (client, signal) => client.createKey(wish, signal));
      // The key alone, so that a script can take it; what is said about it goes beside it.
      console.log(json === true ? JSON.stringify(made) : made.key);
      console.error(
        `Shown this once, for ${made.name} (${made.role}, tenant ${made.tenantId}). Revoke it with: deckhand keys revoke ${made.id}`,
      );
    });
  sub('list', 'list the keys of all tenants').action(async (options: { readonly json?: boolean }) => {
    const all = await askApi('Listing the keys', (client, signal) => client.keys(signal));
    console.log(options.json === true ? JSON.stringify(all) : renderKeys(all));
  });
  sub('revoke <id>', 'revoke a key, with effect at once; its sessions end with it')
    .option('--force', 'also the last key of an operator')
    .action(async (id: string, options: { readonly force?: boolean; readonly json?: boolean }) => {
      const force = options.force === true;
      const key = await askApi('Revoking the key', (client, signal) => client.revokeKey(id, { force }, signal));
      console.log(options.json === true ? JSON.stringify(key) : `Revoked ${key.prefix}… of ${key.name}.`);
    });
  for (const command of keys.commands) command.exitOverride();
}
