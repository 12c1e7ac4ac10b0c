/** Budgets: what may be spent, and what was. */
import type { BudgetList, BudgetName, NewBudget } from '../costs/budgets/schemas.ts';
import { asJson, queryString, type Transport } from './transport.ts';

/** The calls of budgets. */
export const budgetCalls = (http: Transport) => ({
  /** Every budget with its use. */
  budgets(signal?: AbortSignal): Promise<BudgetList> {
    return http.json<BudgetList>('/budgets', { signal });
  },

  /** Sets one; answers all. @throws DeckhandError `invalid_request`, `not_found` for an unknown tenant */
  setBudget(budget: NewBudget, signal?: AbortSignal): Promise<BudgetList> {
    return http.json<BudgetList>('/budgets', { method: 'PUT', ...asJson(budget), signal });
  },

  /** Removes one; answers the others. @throws DeckhandError `not_found` */
  removeBudget(name: BudgetName, signal?: AbortSignal): Promise<BudgetList> {
    return http.json<BudgetList>(`/budgets${queryString(name)}`, { method: 'DELETE', signal });
  },
});
