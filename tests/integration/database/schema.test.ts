/** The migrations lead to the schema, and every row says whose it is. */
import { expect } from 'vitest';
import { closeDatabase, createDatabase } from '../../../platform/db.ts';
import { pendingMigrationSql, wholeSchemaSql } from '../../../prisma/author-migration.ts';
import { itWithPostgres as it, query } from '../../../testing/database.ts';
import { catalogueOf } from './catalogue.ts';

/** What the Prisma schema cannot say, written by hand into migrations. */
const WRITTEN_BY_HAND = [
  'constraint Answer.Answer_score_range CHECK (((score >= 0) AND (score <= 7)))',
  'constraint Classification.Classification_confidence_range CHECK (((confidence >= (0)::double precision) AND (confidence <= (1)::double precision)))',
  'constraint Evidence.Evidence_one_owner CHECK ((num_nonnulls("extractionId", "answerId", "specialisedId") = 1))',
  'function deck_search',
  'function deck_words',
  'function note_deck_changes',
  'function refuse_change',
  'function refuse_late_part',
  'trigger Analysis.analysis_added',
  'trigger Analysis.analysis_changed',
  'trigger Analysis.analysis_removed',
  'trigger Chapter.chapter_immutable',
  'trigger Chapter.chapter_sealed',
  'trigger Classification.sector_added',
  'trigger Classification.sector_changed',
  'trigger Company.company_changed',
  'trigger Deck.deck_added',
  'trigger Deck.deck_changed',
  'trigger Extraction.value_added',
  'trigger Extraction.value_changed',
  'trigger Gap.gap_added',
  'trigger Gap.gap_changed',
  'trigger Gap.gap_removed',
  'trigger HumanVerdict.verdict_added',
  'trigger InstanceTransition.instance_transition_immutable',
  'trigger LedgerEntry.cost_added',
  'trigger LedgerEntry.ledger_entry_kept',
  'trigger LedgerEntry.ledger_entry_settled',
  'trigger PromptVersion.prompt_version_immutable',
  'trigger Question.question_immutable',
  'trigger Question.question_sealed',
  'trigger Rental.rental_frozen',
  'trigger Rental.rental_kept',
  'trigger TemplateVersion.template_version_immutable',
];

/** The fleet works for all tenants alike: its rows are the installation's. Nothing of a deck stands in them. */
const OF_THE_INSTALLATION = [
  'Alert',
  'AlertCondition',
  'AlertRule',
  'AvailabilitySample',
  'BalanceSample',
  'Budget',
  'BudgetReservation',
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
  'MetricMark',
  'OfferBlock',
  'RateLimit',
  'ReapCandidate',
  'Rental',
  'Rollout',
  'RolloutModel',
  // Belongs to a key, which has the tenant.
  'SignInLink',
];

it('the migrated database has the catalogue that the schema makes, and what is written by hand', async ({
  postgres,
}) => {
  const migrated = await catalogueOf(await postgres.migratedDatabase());
  const fromSchema = await postgres.emptyDatabase();
  await query(fromSchema, await wholeSchemaSql());
  const expected = [...(await catalogueOf(fromSchema)), ...WRITTEN_BY_HAND].sort();
  expect(expected.length).toBeGreaterThan(200);
  expect(migrated.sort()).toEqual(expected);
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
