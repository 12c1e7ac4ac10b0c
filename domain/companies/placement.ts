/**
 * Which company a deck is of: decided by the name and the domain that it has, and by what leads to companies already.
 */

/**
 * What a company is found by. `name`: the key of a name; `domain`: what it registered; `id`: the id of a company that was merged into it, so that
 * its address still leads somewhere.
 */
export const COMPANY_KEY_KINDS = ['name', 'domain', 'id'] as const;
export type CompanyKeyKind = (typeof COMPANY_KEY_KINDS)[number];

/** Who put a deck into a company. What a person did, the machine leaves alone. */
export type PlacedBy = 'machine' | 'person';

/** What a deck says of its company. */
export interface DeckIdentity {
  /** As the deck writes it, or a person. */
  readonly name: string | null;
  /** Of the name. */
  readonly nameKey: string | null;
  readonly domain: string | null;
  /** The name is what a person wrote in place of the machine's. */
  readonly isCorrected: boolean;
}

/** A company that is there already. */
export interface KnownCompany {
  readonly id: string;
  readonly name: string;
  readonly domains: readonly string[];
  /** A person put a deck into it. */
  readonly isPersons: boolean;
  /** Decks in it beside the one in question. */
  readonly otherDecks: number;
}

/** What is known when a deck is placed. */
export interface Surroundings {
  /** What the name leads to. */
  readonly byName: KnownCompany | null;
  /** What the domain leads to. */
  readonly byDomain: KnownCompany | null;
  /** Where the deck is. */
  readonly current: KnownCompany | null;
  /** Names that the deck had so far: those that the machine read and those that people wrote. */
  readonly earlierNames: readonly string[];
}

/** Where a deck goes. */
export type Placement =
  /** It says nothing of its company. */
  | { readonly kind: 'none' }
  /** A company that is there. `rename`: it has no other deck, and its name was taken from this one. */
  | { readonly kind: 'join'; readonly companyId: string; readonly rename: boolean }
  /** A company of its own. */
  | { readonly kind: 'found' };

/**
 * Decides where a deck goes.
 *
 * The same domain is the same company, and so is the same name, unless both have domains of their own that differ. Where name and domain lead to
 * different companies, the domain is right, except for a name that a person gave: by correcting it, or by putting a deck there. A deck that is
 * alone in its company and leads nowhere else takes the company along; where a person named that company, it stays there in any case.
 */
export function placementOf(
  identity: DeckIdentity,
  { byName, byDomain, current, earlierNames }: Surroundings,
): Placement {
  const { name, nameKey, domain, isCorrected } = identity;
  if (nameKey === null && domain === null) return { kind: 'none' };
  const alone = current?.otherDecks === 0 ? current : null;
  const isOurName = alone !== null && (isCorrected || earlierNames.includes(alone.name));
  const named = byName !== null && !isApart(byName, domain) ? byName : null;
  const trusted = named !== null && (isCorrected || named.isPersons) ? named : null;
  const found = alone !== null && !isOurName ? alone : (trusted ?? byDomain ?? named ?? alone);
  if (found === null) return { kind: 'found' };
  const rename = found.id === alone?.id && isOurName && name !== null && name !== found.name;
  return { kind: 'join', companyId: found.id, rename };
}

/** Both have domains, and not one in common. */
const isApart = ({ domains }: KnownCompany, domain: string | null): boolean =>
  domain !== null && domains.length > 0 && !domains.includes(domain);
