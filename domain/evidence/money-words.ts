/**
 * Words that make a number without a currency an amount of money: "raising 2M", "5 crore for 10% equity", "Seed round: 2M". They have to stand
 * right beside it, because a sentence about a round may count anything: "Raising awareness among 3 million in Germany".
 */

/** Words that are said of money, whatever stands beside them. */
const MONEY = String.raw`rais(?:e[sd]?|ing)|fund(?:s|ing|rais\p{L}*)?|capital|invest(?:ments?|ing)|financing|equity|money|budget|cash|(?:pre-?)?seed|series [a-e]|serie [a-e]|bridge|(?:convertible )?safe|round(?: size)?|ask(?:ing)?|kapital\p{L}*|eigenkapital|finanz(?:ierung|bedarf|mittel)\p{L}*|investition\p{L}*|geld\p{L}*|mittel|runde|rundenvolumen|kredit\p{L}*|levons|levée|ronda|rodada|inversión|investimento|captando|rund[ay]|inwestycj\p{L}*`;
/** Words that ask, for money or for anything else. */
const SEEKING = String.raw`seek(?:ing)?|look(?:ing)? for|need(?:s|ed|ing)?|requir(?:es?|ed|ing|ement)|want|target|goal|amount|total|sum|ziel(?:summe|betrag|volumen)?|suchen|gesucht|benötigen|brauchen|bedarf|betrag|summe|recherchons|cherchons|buscamos|buscando|solicitamos|cerchiamo|procuramos|szukamy|poszukujemy`;
/** Between such a word and its number. */
const FILLERS = String.raw`up to|about|around|approx\.?|approximately|roughly|nearly|almost|over|at least|an?|the|our|this|of|for|is|are|total|amount|size|target|goal|further|additional|another|required|needed|sought|von|über|rund|etwa|circa|ca\.|bis zu|in höhe von|beträgt|ist|insgesamt|weitere|mindestens|de|di|d['’]|environ`;
/** Behind a number that counts nothing; anything else is what it counts: "375 million may", "2 Mio. Nutzer". */
const GOES_ON = String.raw`for|in|to|at|as|from|over|with|and|by|on|until|total|plus|needed|required|sought|wanted|debt|loan|convertible\p{L}*|extension|für|im|zur|zum|als|bis|über|mit|und|von|bei|durch|benötigt|gesucht|para|por|pour|per|na`;

const BEFORE = (words: string): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\d])(?:${words})(?:\s*[:–—=|(-]|\s+(?:${FILLERS})(?!\p{L}))*\s*$`, 'iu');
const MONEY_BEFORE = BEFORE(MONEY);
const SEEKING_BEFORE = BEFORE(SEEKING);
/** "2M+ users" and "3-million-user network" count as "2M users" does. */
const GOES_ON_BEHIND = new RegExp(
  String.raw`^[+*]?(?:\s*$|\s*(?!-\p{L})[^\p{L}\s+*]|\s*-?(?:${GOES_ON}|${MONEY})(?!\p{L}))`,
  'iu',
);
/** The label of the next number of a row: "500,000 Marketing 300,000". */
const LABEL_BEHIND = /^\s+(?:\p{Lu}[\p{L}&/-]*\s+){1,3}[\p{Sc}(]?\d/u;
/** What is given for a sum, at the start of the text behind it: "for 10 %", "gegen 12,5 %". */
export const FOR_SHARE = String.raw`^ ?(?:for|in exchange for|against|für|gegen) (?:up to |an? )?\d+(?:[.,]\d+)? ?%`;
const MONEY_BEHIND = new RegExp(
  String.raw`^[\s(–—-]*(?:(?:in|of|as|from|an|als|aus|von) )?(?:(?:an?|the|this|our|new|fresh|unserer?|dieser?) )*(?:${MONEY}|needed|required|sought|gesucht|benötigt)(?!\p{L})|${FOR_SHARE}`,
  'iu',
);
/** Characters before a number in which the words beside it are looked for: a row of words that ask is searched once for each of them. */
const REACH = 120;
const ANY_MONEY = new RegExp(String.raw`(?<!\p{L})(?:${MONEY}|crores?|lakhs?|lacs?)(?!\p{L})`, 'iu');

/** True for a text with a word that is said of money. */
export const hasMoneyWord = (text: string): boolean => ANY_MONEY.test(text);

/** False where a number counts something else than money: "2 million users". @param behind the text that stands behind it */
export const countsNothing = (behind: string): boolean =>
  MONEY_BEHIND.test(behind) || GOES_ON_BEHIND.test(behind) || LABEL_BEHIND.test(behind);

/**
 * True where words make a number without a currency an amount of money.
 *
 * @param text the words of the slide with the number
 * @param place where the number stands, with its multiplier
 * @param labels short texts beside or over it: they decide where the number stands alone, or beside a word that seeks anything
 */
export function isMoneyByWords(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  labels: readonly string[],
): boolean {
  const [before, behind] = [text.slice(0, start), text.slice(end)];
  const beside = before.slice(-REACH).replace(before.length > REACH ? /^[\p{L}\d]+/u : '', '');
  if (MONEY_BEHIND.test(behind)) return true;
  if (!GOES_ON_BEHIND.test(behind)) return false;
  if (MONEY_BEFORE.test(beside)) return true;
  const isAlone = !/\p{L}{3,}/u.test(before + behind);
  return (isAlone || SEEKING_BEFORE.test(beside)) && [before, behind, ...labels].some(hasMoneyWord);
}
