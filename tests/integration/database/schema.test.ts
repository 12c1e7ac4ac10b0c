/** The migrations lead to the schema, and every row says whose it is. */
import { expect } from 'vitest';
import { closeDatabase, createDatabase } from '../../../platform/db.ts';
import { pendingMigrationSql, wholeSchemaSql } from '../../../prisma/author-migration.ts';
import { readMigrations } from '../../../prisma/engine/migration-files.ts';
import { itWithPostgres as it, query } from '../../../testing/database.ts';
import { catalogueOf, rowsOf } from './catalogue.ts';

/** The fleet works for all tenants alike: its rows are the installation's. Nothing of a deck stands in them. */
const OF_THE_INSTALLATION = [
  'Alert',
  'AlertCondition',
  'AlertRule',
  'AvailabilitySample',
  'BalanceSample',
  'Budget',
  'BudgetReservation',
  'ConfiguredModel',
  'CostReport',
  'CreateIntent',
  'FleetInstance',
  'FleetKey',
  'FleetPool',
  'HealthSample',
  'HealthTransition',
  'IdleGap',
  'InstanceHealth',
  'InstanceServing',
  'InstanceTransition',
  'LedgerEntry',
  'MachineSpeed',
  'MetricMark',
  'ModelChoice',
  'ModelProbe',
  // Of the installation, or of a tenant.
  'ModelProfile',
  'ModelServer',
  'OfferBlock',
  'RateLimit',
  'ReapCandidate',
  'Rental',
  'Rollout',
  'RolloutModel',
  // Belongs to a key, which has the tenant.
  'SignInLink',
];

it('the migrations make the catalogue that is written down, and no rows', async ({ postgres }) => {
  const url = await postgres.emptyDatabase();
  for (const { migrationFile } of (await readMigrations()).migrationDirectories)
    await query(url, migrationFile.content.value);
  const migrated = await catalogueOf(url);
  expect(migrated.length).toBeGreaterThan(200);
  // `npx vitest run --project integration -u tests/integration/database` renews it with a new migration; read the difference.
  await expect([...migrated, ...(await rowsOf(url)), ''].join('\n')).toMatchFileSnapshot('catalogue.txt');
});

it('the migrated database is what the schema says, with checks, functions and triggers beside it', async ({
  postgres,
}) => {
  const migrated = new Set(await catalogueOf(await postgres.migratedDatabase()));
  const fromSchema = await postgres.emptyDatabase();
  await query(fromSchema, await wholeSchemaSql());
  const ofSchema = await catalogueOf(fromSchema);
  expect(ofSchema.filter((line) => !migrated.has(line))).toEqual([]);
  const others = [...migrated].filter((line) => !ofSchema.includes(line));
  expect(others.filter((line) => !/^(?:function|trigger|sequence) |^constraint \S+ CHECK /u.test(line))).toEqual([]);
});

it('the migrated database needs no further migration for prisma/schema.prisma', async () => {
  expect(await pendingMigrationSql()).toBe('');
});

it('the migrated database names the tenant on every row but those of the fleet', async ({ postgres }) => {
  const tables = await query<{ name: string; tenant: string | null }>(
    await postgres.migratedDatabase(),
    `select t.table_name as name, c.is_nullable as tenant from information_schema.tables t
         left join information_schema.columns c
           on c.table_schema = t.table_schema and c.table_name = t.table_name and c.column_name = 'tenantId'
        where t.table_schema = 'public' and t.table_name not in ('Tenant', '_prisma_migrations')`,
  );
  expect(tables.length).toBeGreaterThan(20);
  const withoutTenant = tables.filter((t) => t.tenant !== 'NO').map((t) => t.name);
  expect(withoutTenant.toSorted((a, b) => a.localeCompare(b))).toEqual(OF_THE_INSTALLATION);
});

it('a database client names itself to the server and limits statements and idle transactions', async ({ postgres }) => {
  const db = createDatabase(await postgres.migratedDatabase(), { applicationName: 'test-client', poolSize: 1 });
  try {
    const settings = await db.$queryRaw<unknown[]>`
        select current_setting('application_name') as name, current_setting('statement_timeout') as statement,
               current_setting('idle_in_transaction_session_timeout') as idle`;
    expect(settings).toEqual([{ name: 'test-client', statement: '1min', idle: '1min' }]);
  } finally {
    await closeDatabase(db);
  }
});
