/** Money as the API shows it: the simulator counts in USD and converts at the fixed rate of the scenario. */
import type { Simulation } from './account.ts';
import { ApiError } from './errors.ts';

export type Currency = 'usd' | 'eur';

/** An amount of USD in another currency. */
export const inCurrency = ({ cloud }: Simulation, usd: number, currency: Currency): number =>
  currency === 'usd' ? usd : usd * cloud.scenario.billing.eurPerUsd;

/** Currency of the account. */
export const accountCurrency = ({ cloud }: Simulation): Currency => cloud.scenario.billing.currency;

/** An amount of USD in the currency of the account. */
export const inAccount = (sim: Simulation, usd: number): number => inCurrency(sim, usd, accountCurrency(sim));

/** The currency that a price list is asked in; USD where the query names none. @throws ApiError 400 */
export function askedCurrency(query: string | undefined): Currency {
  if (query === undefined || query === 'usd' || query === 'eur') return query ?? 'usd';
  throw new ApiError('invalid_request', 'currency must be one of the following values: usd, eur');
}
