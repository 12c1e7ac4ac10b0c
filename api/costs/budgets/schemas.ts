/** What the routes of budgets take and give. */
import { z } from '@hono/zod-openapi';
import { BUDGET_PERIODS, BUDGET_SCOPES, EACH_ONE } from '../../../domain/costs/budget/types.ts';
import { json, jsonBody, problems, route } from '../../http/definition.ts';

/** USD as text, exact to a millionth; what it may not be is said by the rules of budgets. */
const usdSchema = z.string().regex(/^-?\d{1,11}(?:\.\d{1,6})?$/, 'is not an amount such as 12.50');

const tenantParam = z
  .string()
  .min(1)
  .max(100)
  .openapi({ description: 'A tenant. If absent, the budget applies to each tenant without its own budget.' });

/** Which budget. */
export const budgetNameSchema = z.strictObject({
  scope: z.enum(BUDGET_SCOPES),
  period: z.enum(BUDGET_PERIODS).openapi({ description: 'document = the whole life of a deck' }),
  tenant: tenantParam.optional(),
});
export type BudgetName = z.infer<typeof budgetNameSchema>;

export const newBudgetSchema = budgetNameSchema
  .extend({
    softUsd: usdSchema
      .nullish()
      .openapi({ description: 'Above it machines are bought for work of priority 1 and 2 only.' }),
    hardUsd: usdSchema.nullish().openapi({ description: 'At it no machine is bought.' }),
  })
  .openapi('NewBudget');
export type NewBudget = z.infer<typeof newBudgetSchema>;

export const budgetSchema = z
  .object({
    scope: z.enum(BUDGET_SCOPES),
    period: z.enum(BUDGET_PERIODS),
    /** The tenant it was set for; null for the installation, and for a budget that holds for each one. */
    tenant: z.string().nullable(),
    softUsd: z.string().nullable(),
    hardUsd: z.string().nullable(),
    currency: z.literal('USD'),
    /** What was spent of it, by each one that it holds for. */
    uses: z.array(
      z.object({
        subject: z.string().openapi({ description: `A tenant or a deck; ${EACH_ONE} for the installation` }),
        name: z.string().nullable().openapi({ description: 'File name of a deck; null for everything else' }),
        /** Null for a whole document. */
        from: z.iso.datetime().nullable(),
        until: z.iso.datetime().nullable(),
        spentUsd: z.string(),
        reservedUsd: z.string().openapi({ description: 'Reserved for existing machines and disks.' }),
        leftUsd: z.string(),
        usedShare: z.number(),
        level: z.enum(['open', 'soft', 'hard']),
      }),
    ),
  })
  .openapi('Budget');
export type BudgetDocument = z.infer<typeof budgetSchema>;

export const budgetListSchema = z
  .object({
    /** Time zone of days and months. */
    timezone: z.string(),
    items: z.array(budgetSchema),
    /** Pools that buy nothing now, and why. */
    held: z.array(z.object({ pool: z.string(), reason: z.string() })),
  })
  .openapi('BudgetList');
export type BudgetList = z.infer<typeof budgetListSchema>;

const all = json(budgetListSchema, 'All budgets.');

export const listRoute = route('get', '/budgets', {
  summary: 'All budgets with the amounts spent, reserved and left, and the pools for which no machine is bought now.',
  responses: { 200: all },
});

export const setRoute = route('put', '/budgets', {
  summary: 'Set the soft and hard cap of a budget. It applies at once.',
  description:
    'Above the soft cap machines are bought for work of priority 1 and 2 only. At the hard cap no machine is bought; running machines finish their calls and are suspended before it is exceeded. A cap that is not named does not change; null removes it.',
  request: { body: jsonBody(newBudgetSchema) },
  responses: { 200: all, ...problems(400, 404) },
});

export const removeRoute = route('delete', '/budgets', {
  summary: 'Remove a budget.',
  request: { query: budgetNameSchema },
  responses: { 200: all, ...problems(400, 404) },
});
