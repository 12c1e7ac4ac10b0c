/** The domain of the company that presents a deck, from the addresses on its pages; none in doubt. */
import { ownAddresses } from './addresses.ts';
import { nameWords } from './name-key.ts';

/** A domain that is written in a deck. */
interface Candidate {
  readonly domain: string;
  readonly label: string;
  /** Pages that it stands on. */
  readonly pages: number;
  readonly emails: number;
}

/** Shorter words stand in too many other words. */
const LEAST_SHARED = 4;
/** Of initials. */
const LEAST_INITIALS = 3;
/** Pages that the domain of a deck without a name has to stand on. */
const LEAST_PAGES = 2;

/**
 * The domain that a deck's company has, such as `acme.com` or `acme.co.uk`; null where no address is surely its own.
 *
 * Of the domains that resemble the name it is the one that most pages have. A domain that does not resemble it may be a customer's, a source's or
 * an accelerator's. Without a name it has to be the one that most pages have, with an e-mail address.
 *
 * @param pages text of each page
 * @param name of the company; null where it is not known
 */
export function domainOf(pages: readonly string[], name: string | null): string | null {
  const candidates = candidatesOf(pages);
  const own = candidates.filter(({ label }) => name !== null && resembles(label, name));
  const [best] = own.toSorted(byPages);
  if (best !== undefined) return best.domain;
  if (name !== null) return null;
  const [first, second] = candidates.toSorted(byPages);
  const isCertain =
    first !== undefined && first.emails > 0 && first.pages >= LEAST_PAGES && first.pages > (second?.pages ?? 0);
  return isCertain ? first.domain : null;
}

/** Most pages first, then most e-mail addresses; the order of the deck decides between equals. */
const byPages = (a: Candidate, b: Candidate): number => b.pages - a.pages || b.emails - a.emails;

/** Domains that may be the company's own, in the order in which the deck has them. */
function candidatesOf(pages: readonly string[]): Candidate[] {
  const found = new Map<string, Candidate>();
  for (const page of pages) {
    const seen = new Set<string>();
    for (const { domain, label, kind } of ownAddresses(page)) {
      if (domain === null) continue;
      const known = found.get(domain) ?? { domain, label, pages: 0, emails: 0 };
      found.set(domain, {
        ...known,
        pages: known.pages + (seen.has(domain) ? 0 : 1),
        emails: known.emails + (kind === 'email' ? 1 : 0),
      });
      seen.add(domain);
    }
  }
  return [...found.values()];
}

/** True when the chosen part of a domain is made of the name: all of it, words that follow each other in it, or its initials. */
function resembles(label: string, name: string): boolean {
  const written = nameWords(label).join('');
  // "&" is written as a word in domains, or left out.
  return [' ', ' and ', ' und '].some((and) => isMadeOf(written, nameWords(name.replaceAll(/\s*[&+]\s*/gu, and))));
}

function isMadeOf(label: string, words: readonly string[]): boolean {
  const whole = words.join('');
  if (label === whole) return true;
  if (whole.length >= LEAST_SHARED && (label.startsWith(whole) || label.endsWith(whole))) return true;
  const initials = words.map((word) => word.charAt(0)).join('');
  if (words.length >= LEAST_INITIALS && label === initials) return true;
  return label.length >= LEAST_SHARED && runsOf(words).includes(label);
}

/** Each run of words that follow each other, written as one word. */
const runsOf = (words: readonly string[]): string[] =>
  words.flatMap((_, from) => words.slice(from).map((_word, at) => words.slice(from, from + at + 1).join('')));
