/**
 * The providers of a fleet, opened: one account at each. Ids of machines and disks tell their provider.
 */
import { DeckhandError } from '../domain/errors.ts';
import { parseOfferKey, type OfferKey } from '../domain/fleet/selection/offer.ts';
import { providerNames } from './fleet.ts';
import type { CloudProvider } from './provider.ts';
import { openProviderLazily, ownsId, type OpenProviderOptions } from './providers.ts';

export class Accounts {
  readonly #byName: ReadonlyMap<string, CloudProvider>;

  /** @param providers those of the fleet, the fleet's own first; none for a static fleet */
  constructor(providers: readonly CloudProvider[]) {
    this.#byName = new Map(providers.map((provider) => [provider.name, provider]));
  }

  /** All of them, the fleet's own first. */
  get all(): readonly CloudProvider[] {
    return [...this.#byName.values()];
  }

  get names(): readonly string[] {
    return [...this.#byName.keys()];
  }

  /** @throws DeckhandError `usage` for a provider that the fleet does not name */
  of(name: string): CloudProvider {
    const provider = this.#byName.get(name);
    if (provider !== undefined) return provider;
    throw new DeckhandError('usage', `the fleet has no provider ${name}`, {
      hint: `Name ${name} in the fleet file, under "provider", in a pool's "providers", or under "providers".`,
    });
  }

  /** These accounts and another one beside them. */
  with(provider: CloudProvider): Accounts {
    return new Accounts([...this.all, provider]);
  }

  /** The provider of an offer. @throws DeckhandError as {@link of} */
  ofOffer(offer: OfferKey): CloudProvider {
    return this.of(parseOfferKey(offer).provider);
  }

  /** The provider of a machine or disk. @throws DeckhandError `usage` when no provider of the fleet has such ids */
  ofId(id: string): CloudProvider {
    const owner = this.all.find((provider) => ownsId(provider.name, id));
    if (owner !== undefined) return owner;
    throw new DeckhandError('usage', `no provider of the fleet has ids like ${id}`, {
      hint: 'Name its provider in the fleet file again, under "providers".',
    });
  }
}

/** The accounts of a fleet; each is opened at its first call. */
export const openAccounts = (options: OpenProviderOptions): Accounts =>
  new Accounts(providerNames(options.fleet).map((name) => openProviderLazily(options, name)));
