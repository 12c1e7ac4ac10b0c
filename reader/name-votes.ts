/** Counts what speaks for each name of a deck, and chooses the name and its spelling. */
import { withoutAddresses, type Address } from '../domain/companies/addresses.ts';
import { isShouted, keyOf, nameTokens, rareShare } from './names.ts';
import type { ReadSlide } from './prompt.ts';

type AddressKind = Address['kind'];

interface Tally {
  /** Points by place; a place counts once, with the most it gave. */
  readonly places: Map<string, number>;
  /** As the place that named it wrote it. */
  readonly given: string;
}

interface Mentions {
  readonly slides: Set<number>;
  readonly spellings: Map<string, number>;
  /** Mentions with and without a capital letter. */
  capital: number;
  small: number;
}

/** Most words of a name whose spellings are looked for. */
const MOST_WORDS = 4;
/** What a company adds to its name, or leaves out, to find a free address. */
const AFFIX =
  /^(?:get|try|use|join|my|go|hello|the|team|we)|(?:app|hq|labs?|ai|tech|technologies|health|group|gmbh|inc|io|official|global|online|software|energy|bio|care|world)$/u;

/** A place that names again and again gives at most so many points together. */
const MOST_OF_KIND: Readonly<Record<string, number>> = { defined: 4.5, title: 3.5, form: 5 };

export class NameVotes {
  readonly #slides: readonly ReadSlide[];
  readonly #tallies = new Map<string, Tally>();
  readonly #headlines = new Set<string>();
  readonly #addresses: { label: string; place: AddressKind; points: number }[] = [];

  constructor(slides: readonly ReadSlide[]) {
    this.#slides = slides;
  }

  /** A place that names the company; `place` may end in the number of a slide. */
  add(name: string, place: string, points: number): void {
    const key = keyOf(name);
    if (key.length < 2 || points <= 0) return;
    const tally = this.#tallies.get(key) ?? { places: new Map<string, number>(), given: name };
    tally.places.set(place, Math.max(points, tally.places.get(place) ?? 0));
    this.#tallies.set(key, tally);
  }

  /** The whole headline of the cover. */
  headline(name: string): void {
    this.#headlines.add(keyOf(name));
  }

  /** An address of the company: it speaks for the name it is made of. */
  address(label: string, place: AddressKind, points: number): void {
    this.#addresses.push({ label, place, points });
  }

  /** The name with the most points, in its most frequent spelling, capitals alone last. */
  best(): { readonly name: string; readonly points: number } | null {
    const labels = new Set(this.#addresses.flatMap(({ label }) => variants(label)));
    const mentions = this.#mentions(new Set([...this.#tallies.keys(), ...labels]));
    for (const { label, place, points } of this.#addresses) this.#voteAddress(label, place, points, mentions);
    const sums = new Map([...this.#tallies].map(([key, tally]) => [key, sumOf(tally, mentions.get(key))]));
    this.#joinParts(sums, mentions);
    const [top] = [...sums].toSorted((a, b) => b[1] - a[1] || b[0].length - a[0].length);
    if (top === undefined) return null;
    return { name: spellingOf(mentions.get(top[0]), this.#tallies.get(top[0])?.given ?? ''), points: top[1] };
  }

  #voteAddress(label: string, place: AddressKind, points: number, mentions: ReadonlyMap<string, Mentions>): void {
    const key = variants(label).find((variant) => mentions.has(variant));
    if (key !== undefined) {
      this.add(spellingOf(mentions.get(key), key), place, points);
      return;
    }
    const parts = [...this.#tallies.values()].filter(({ given }) => isPartOf(label, given));
    for (const { given } of parts) this.add(given, place, points / 2);
    if (parts.length > 0 || place === 'user' || rareShare(label) === 0) return;
    // A name that stands only in the address: its word as it is written there. Several hosts are those of several people.
    const hosts = new Set(this.#addresses.flatMap((other) => (other.place === place ? [other.label] : [])));
    this.add(label, place, points / hosts.size);
  }

  /**
   * A name and a longer one that begins or ends with it are one: the one that stands alone more often counts.
   */
  #joinParts(sums: Map<string, number>, mentions: ReadonlyMap<string, Mentions>): void {
    const keys = [...sums.keys()].toSorted((a, b) => a.length - b.length);
    for (const [index, short] of keys.entries()) {
      if (short.length < 3) continue;
      for (const long of keys.slice(index + 1)) {
        if (!isPart(short, this.#tallies.get(long)?.given ?? '')) continue;
        const together = mentions.get(long)?.capital ?? 0;
        const alone = (mentions.get(short)?.capital ?? 0) - together;
        const byAddress = this.#hasAddress(short) && !this.#hasAddress(long) && !this.#isSetThroughout(long);
        const standsAlone = !this.#isWhole(long) && (alone >= Math.max(2, together) || byAddress);
        const [winner, loser] = standsAlone ? [short, long] : [long, short];
        sums.set(winner, (sums.get(winner) ?? 0) + (sums.get(loser) ?? 0) * 0.8);
        if (winner === long) sums.set(short, 0);
      }
    }
  }

  /** True for a name on the cover and in the footers: addresses are often shorter. */
  #isSetThroughout(key: string): boolean {
    const places = this.#tallies.get(key)?.places;
    return places?.has('cover') === true && places.has('running');
  }

  /** True for a name that is the headline of the cover and stands at an edge of the deck: in tables its first word is enough. */
  #isWhole(key: string): boolean {
    const places = this.#tallies.get(key)?.places;
    return this.#headlines.has(key) && ['form', 'running', 'last slide'].some((place) => places?.has(place) === true);
  }

  #hasAddress(key: string): boolean {
    const places = this.#tallies.get(key)?.places;
    return places?.has('email') === true || places?.has('web') === true;
  }

  /** Where the deck spells these keys: runs of at most four words. */
  #mentions(keys: ReadonlySet<string>): Map<string, Mentions> {
    const found = new Map<string, Mentions>();
    for (const slide of this.#slides) {
      for (const { text, stacked } of textsOf(slide)) {
        const tokens = nameTokens(withoutAddresses(text));
        const tokenKeys = tokens.map(keyOf);
        for (let from = 0; from < tokens.length; from += 1) {
          let key = '';
          for (let count = 1; count <= MOST_WORDS && from + count <= tokens.length; count += 1) {
            key += tokenKeys[from + count - 1] ?? '';
            // A single word of a stacked name is a text of its own.
            if (!keys.has(key) || (stacked && count === 1)) continue;
            const mentions = found.get(key) ?? {
              slides: new Set<number>(),
              spellings: new Map<string, number>(),
              capital: 0,
              small: 0,
            };
            const spelling = tokens
              .slice(from, from + count)
              .join(' ')
              .replaceAll(/ ?([&+]) ?(?=\p{Lu})/gu, text.includes(' & ') ? ' $1 ' : '$1');
            mentions.slides.add(slide.number);
            if (/\p{Lu}|\p{Lo}/u.test(spelling)) mentions.capital += 1;
            else mentions.small += 1;
            mentions.spellings.set(spelling, (mentions.spellings.get(spelling) ?? 0) + 1);
            found.set(key, mentions);
          }
        }
      }
    }
    return found;
  }
}

/** The texts of a slide, and words that stand alone one after the other, as a name set over two lines or in two sizes does. */
const textsOf = ({ units }: ReadSlide): { readonly text: string; readonly stacked: boolean }[] =>
  units.flatMap((unit, at) => {
    const next = units[at + 1];
    const own = { text: unit.text, stacked: false };
    if (next === undefined || unit.words !== 1 || next.words !== 1) return [own];
    return [own, { text: `${unit.text} ${next.text}`, stacked: true }];
  });

const variants = (label: string): string[] =>
  [...new Set([label, label.replace(AFFIX, ''), label.replaceAll('-', '&')].map(keyOf))].filter(
    (key) => key.length >= 3,
  );

/** Places that ordinary words reach as well. */
const UNCERTAIN = new Set([
  'cover',
  'title',
  'defined',
  'coined',
  'proper',
  'repeated title',
  'last slide',
  'we',
  'head',
  'file',
]);

/** Places that name products, people and features as well: alone they prove nothing. */
const WEAK = new Set(['title', 'coined', 'proper', 'last slide', 'head of with']);

/** All points of a name; a word that the deck also writes small gets half from places that ordinary words reach as well. */
function sumOf({ places }: Tally, mentions: Mentions | undefined): number {
  const kinds = new Map<string, number>();
  for (const [place, points] of places) {
    const kind = place.replace(/ \d+$/u, '');
    kinds.set(kind, Math.min(MOST_OF_KIND[kind] ?? 100, (kinds.get(kind) ?? 0) + points));
  }
  const common = mentions !== undefined && mentions.capital > 0 && mentions.small >= Math.max(1, mentions.capital / 5);
  const sum = [...kinds].reduce(
    (total, [kind, points]) => total + (common && UNCERTAIN.has(kind) ? points / 2 : points),
    0,
  );
  // Repetition supports what other places say.
  const total = sum + (common || mentions === undefined ? 0 : Math.min(3, (mentions.slides.size - 1) / 2, sum));
  return [...kinds.keys()].every((kind) => WEAK.has(kind)) ? Math.min(3, total) : total;
}

/** True when the words of the longer name begin or end with the shorter one. */
function isPart(short: string, long: string): boolean {
  const words = nameTokens(long);
  return words.some(
    (_, at) => at > 0 && [words.slice(0, at), words.slice(at)].some((part) => keyOf(part.join(' ')) === short),
  );
}

/** True when an address is a piece of the name or made of its initials, or the name is a piece of the address. */
function isPartOf(label: string, name: string): boolean {
  const [address, key] = [keyOf(label), keyOf(name)];
  const initials = (name.match(/\p{Lu}/gu) ?? []).join('').toLowerCase();
  return (
    (address.length >= 3 && initials === address) ||
    (key.length >= 4 && (address.startsWith(key) || (address.length >= 4 && key.startsWith(address))))
  );
}

/** The spelling that the deck uses most, not in capitals alone where it has another. */
function spellingOf(mentions: Mentions | undefined, given: string): string {
  const all = [...(mentions?.spellings ?? [])];
  const withCapitals = all.filter(([spelling]) => /\p{Lu}|\p{Lo}|\d/u.test(spelling));
  // A brand may be written small everywhere.
  const [best] = (withCapitals.length > 0 ? withCapitals : all).toSorted(
    ([a, n], [b, m]) => Number(isShouted(a)) - Number(isShouted(b)) || m - n,
  );
  return best?.[0] ?? given;
}
