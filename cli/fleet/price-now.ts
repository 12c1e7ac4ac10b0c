/**
 * What a rented machine costs now. A stopped one goes on costing its running price at some providers only.
 */
import type { FleetInstanceDocument } from '../../api/client.ts';
import { PROVIDERS } from '../../clouds/providers.ts';

/** The running price, USD per hour; `keptOnly` = the machine is stopped, and no more of it is billed than what is named here. */
export type PriceNow = { readonly usdPerHour: number } | { readonly keptOnly: 'disk' | 'disk and address' };

/** Null = nothing is rented, or no more than the disk of a machine that has ended. */
export function priceNow({ provider, phase, priceUsdPerHour }: FleetInstanceDocument): PriceNow | null {
  if (provider === 'static' || priceUsdPerHour === null) return null;
  const capabilities = Object.hasOwn(PROVIDERS, provider) ? PROVIDERS[provider]?.capabilities : undefined;
  if (phase !== 'suspended' || capabilities === undefined || capabilities.billsStopped)
    return { usdPerHour: priceUsdPerHour };
  return { keptOnly: capabilities.stoppedUsdPerHour === undefined ? 'disk' : 'disk and address' };
}
