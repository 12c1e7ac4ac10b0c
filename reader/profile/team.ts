/** The people of a deck: founders and members of the team with their roles, from cards, rows and lines of names. */
import { isPersonName } from '../../domain/pages/person-names.ts';
import { subjectsOfDeck } from '../deck-subjects.ts';
import { extractCompanyName } from '../extract-company-name.ts';
import { keyOf, rareShare } from '../names.ts';
import { phrases } from '../phrases.ts';
import type { ReadPrompt, ReadSlide } from '../prompt.ts';
import { countWords, type TextUnit } from '../text.ts';
import { has } from '../words.ts';
import { blocksOf, fitQuote, once, type Fact } from './fact.ts';

/** Words of a role; words that are one wherever they stand; words that are no name although they look like one; degrees behind a name. */
const [ROLE, SURE_ROLE, NO_NAME, DEGREE] = [
  phrases('person role'),
  phrases('sure role'),
  phrases('no person'),
  phrases('degree'),
];

const MOST_FACTS = 12;
const MOST_QUOTE = 90;
const MOST_NAME = 40;
const MOST_ROLE = 50;
const MOST_ROLE_WORDS = 7;

/** "Ada Lovelace, CEO", "Ada Lovelace – CEO", "CEO: Ada Lovelace", "Ada Lovelace (CEO)". */
const MARKS = /\s*(?:[,:|·•]\s|\s[–—-]\s|\s?\((?=[^()]*\)$))/u;

/** The people, in the order of the deck. */
export function teamFacts(prompt: ReadPrompt): Fact[] {
  const { slides } = prompt;
  const company = keyOf(extractCompanyName(prompt).value);
  return peopleIn(slides).filter(({ name }) => company === '' || !keyOf(name).includes(company));
}

function peopleIn(slides: ReadPrompt['slides']): Fact[] {
  const subjects = subjectsOfDeck(slides);
  const onTeam = slides.filter((slide) => subjects.get(slide)?.has('team') === true);
  const found = onTeam.flatMap((slide) => namedSurely(peopleOf(slide)));
  if (found.length > 0) return once(withoutDoubles(found), MOST_FACTS);
  // Elsewhere a name alone may be anybody's: it takes a role beside it.
  return once(withoutDoubles(slides.flatMap(peopleOf).filter(({ value }) => has(value, SURE_ROLE))), MOST_FACTS);
}

/** The people of a slide; words without a role are names where several stand beside each other and none of them is an ordinary word. */
function namedSurely(facts: readonly Fact[]): Fact[] {
  const isSure = ({ name, value }: Fact): boolean => has(value, ROLE) || rareShare(name) === 1;
  const sure = facts.filter(isSure);
  return sure.length > 1 || sure.some(({ value }) => has(value, ROLE)) ? sure : [];
}

/** Of the same name twice the one with a role. */
function withoutDoubles(facts: readonly Fact[]): Fact[] {
  const best = new Map<string, Fact>();
  for (const fact of facts) {
    const key = fact.name.toLowerCase();
    const known = best.get(key);
    if (known === undefined || (known.value === '' && fact.value !== '')) best.set(key, fact);
  }
  return [...best.values()];
}

function peopleOf(slide: ReadSlide): Fact[] {
  const blocks = blocksOf(slide).filter(([first]) => first?.kind !== 'title');
  const facts: Fact[] = [];
  for (const [at, block] of blocks.entries()) {
    const [first] = block;
    if (first === undefined) continue;
    if (first.kind === 'row') facts.push(...block.flatMap((unit) => personInRow(slide, unit)));
    else if (first.kind === 'item' || block.every((unit) => inLine(unit.text) !== null))
      facts.push(...block.flatMap((unit) => personInLine(slide, unit)));
    else facts.push(...personsInCard(slide, block, blocks[at + 1]?.[0]));
  }
  return facts;
}

/** A person of a card: the name in its first line or first two, the role in the next; several cards may be one block. */
function personsInCard(slide: ReadSlide, block: readonly TextUnit[], next: TextUnit | undefined): Fact[] {
  const [first, second, third] = block;
  if (first === undefined) return [];
  const line = inLine(first.text);
  if (line !== null) return factOf(slide, line.name, line.role, first.text);
  const alone = withoutDegree(first.text);
  const goesOn = countWords(first.text.replace(TITLE, '')) === 1 || has(third?.text ?? '', SURE_ROLE);
  const isBroken =
    isTitle(first.text) ||
    (isName(alone) && goesOn && isSurname(second?.text ?? '') && roleOf(third?.text ?? '') !== '');
  if (second !== undefined && isBroken) {
    const name = `${first.text} ${second.text}`;
    const role = roleOf(third?.text ?? '');
    if (isName(name)) return factOf(slide, name, role, role === '' ? name : `${name} ${third?.text ?? ''}`);
  }
  if (isName(alone)) {
    const role = second === undefined ? headingRole(first, next) : roleOf(second.text);
    const quote = second === undefined || role === '' ? first.text : `${first.text} ${second.text}`;
    return factOf(slide, alone, role, quote);
  }
  // A name may be set over two lines, and a role may follow it on the same.
  const both = second === undefined ? '' : `${first.text} ${second.text}`;
  if (countWords(first.text) <= 3 && countWords(second?.text ?? '') === 1 && isName(both)) {
    const role = roleOf(third?.text ?? '');
    return factOf(slide, both, role, role === '' ? both : `${both} ${third?.text ?? ''}`);
  }
  const split = nameAndRole(first.text);
  return split === null ? [] : factOf(slide, split.name, split.role, first.text);
}

/** The role below a name that is a heading of its own. */
const headingRole = (name: TextUnit, next: TextUnit | undefined): string =>
  next !== undefined && (next.kind === 'heading' || next.kind === 'sentence') && next.block === name.block + 1
    ? roleOf(next.text)
    : '';

function personInRow(slide: ReadSlide, { cells, text }: TextUnit): Fact[] {
  const at = cells.findIndex((cell) => isName(cell.trim()));
  if (at < 0) {
    const split = nameAndRole(cells[0]?.trim() ?? '');
    return split === null ? [] : factOf(slide, split.name, split.role, text);
  }
  const role = roleOf(cells[at + 1] ?? '') || roleOf(cells[at - 1] ?? '');
  return factOf(slide, cells[at]?.trim() ?? '', role, text);
}

function personInLine(slide: ReadSlide, { text }: TextUnit): Fact[] {
  const line = inLine(text);
  if (line !== null) return factOf(slide, line.name, line.role, text);
  const split = nameAndRole(text);
  if (split !== null) return factOf(slide, split.name, split.role, text);
  return isName(text) ? factOf(slide, text, '', text) : [];
}

/** Name and role of one line with a mark between them. */
function inLine(text: string): { readonly name: string; readonly role: string } | null {
  const mark = MARKS.exec(text);
  if (mark === null) return null;
  const [before, after] = [
    text.slice(0, mark.index).trim(),
    text
      .slice(mark.index + mark[0].length)
      .replace(/\)$/u, '')
      .trim(),
  ];
  const role = roleOf(after.split(/[.;]\s|[.;]$/u)[0] ?? '');
  if (isName(before) && role !== '' && withoutDegree(text) === text) return { name: before, role };
  return has(before, ROLE) && isName(after) ? { name: after, role: before } : null;
}

/** A name without the degrees behind it. */
const withoutDegree = (text: string): string => {
  const [name = '', ...rest] = text.split(/,\s*/u);
  return rest.length > 0 && rest.every((each) => each.replaceAll(DEGREE, '').trim() === '') ? name : text;
};

/** A title alone in its line. */
const isTitle = (text: string): boolean => TITLE.exec(`${text} `)?.[0] === `${text} `;

/** A word with a capital that is no role, in a line of its own. */
const isSurname = (text: string): boolean => /^\p{Lu}\p{Ll}[\p{L}’'-]*$/u.test(text) && !has(text, ROLE);

const TITLE = /^(?:(?:Dra?|Prof|Dipl|Ing|Mag|PD|CA)\b\.?[\p{L}-]*\.?\s|(?:med|rer|nat|pol|phil|jur|oec|habil)\.\s)+/u;

/** "Jannis Thoma Technik": a name of two or three words, then words that are a role. */
function nameAndRole(text: string): { readonly name: string; readonly role: string } | null {
  const words = text.split(' ');
  // A title is no part of the two words that a name has at least.
  const titles = (TITLE.exec(text)?.[0].trim() ?? '').split(' ').filter((word) => word !== '').length;
  for (const more of [2, 3, 4]) {
    const count = titles + more;
    const [name, rest] = [words.slice(0, count).join(' '), words.slice(count).join(' ')];
    if (rest === '' || !isName(name) || !/^\p{Lu}/u.test(words[count - 1] ?? '')) continue;
    const role = roleOf(rest);
    if (role !== '' && has(rest, ROLE) && !has(words[count - 1] ?? '', ROLE)) return { name, role };
  }
  return null;
}

/** Words as a role: few, and no sentence. */
const roleOf = (text: string): string => {
  const role = leadOf(text.trim().replace(/[,;]$/u, ''));
  const isShort = role.length <= MOST_ROLE && countWords(role) <= MOST_ROLE_WORDS;
  return isShort && /\p{L}{2}/u.test(role) && !/[.!?]$|^\P{L}*\d/u.test(role) && !isBareName(role) ? role : '';
};

/** Words of a role before a statement that goes on in the same line: "Vertrieb" of "Vertrieb verkaufte Schulbücher in Hessen". */
function leadOf(text: string): string {
  if (countWords(text) <= MOST_PLAIN_WORDS) return text;
  const lead = /^\p{Lu}[\p{L}-]*(?:\s(?:\p{Lu}[\p{L}-]*|und|and|of|für|&|\/))*(?=\s\p{Ll})/u.exec(text)?.[0];
  return lead === undefined || !has(lead, ROLE) ? text : lead.replace(/\s(?:und|and|of|für|&|\/)$/u, '');
}
const MOST_PLAIN_WORDS = 3;

/** Two words with capitals that are no role are another person. */
const isBareName = (text: string): boolean =>
  isPersonName(text) &&
  !has(text, ROLE) &&
  countWords(text) === 2 &&
  /^\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+$/u.test(text) &&
  !/&/u.test(text);

const SHOUTED = /^[\p{Lu}.'’ -]{5,}$/u;

/** True for the name of a person, in capitals throughout as well. */
function isName(text: string): boolean {
  const name = SHOUTED.test(text)
    ? text.toLowerCase().replaceAll(/(?<![\p{L}])\p{Ll}/gu, (letter) => letter.toUpperCase())
    : text;
  return name.length <= MOST_NAME && isPersonName(name) && !has(name, NO_NAME) && !has(name, ROLE);
}

function factOf(slide: ReadSlide, name: string, role: string, words: string): Fact[] {
  const quote = fitQuote(words, MOST_QUOTE) ?? name;
  return [
    {
      slide: slide.number,
      quote: quote.includes(name) ? quote : name,
      name,
      value: role,
      answering: role === '' ? 'some' : 'high',
    },
  ];
}
