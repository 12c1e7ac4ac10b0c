/** Names and roles in one line: "Ada Lovelace, CEO", "CEO Ada Lovelace", "Advisors: Ada Lovelace (Cambridge) and Mary Somerville". */
import { isPersonName } from '../../domain/pages/person-names.ts';
import { phrases } from '../phrases.ts';
import { countWords } from '../text.ts';
import { has } from '../words.ts';

/** Words of a role; words that are one wherever they stand; degrees behind a name. */
export const [ROLE, SURE_ROLE, DEGREE] = [phrases('person role'), phrases('sure role'), phrases('degree')];
/** Words that are no name although they look like one. */
const NO_NAME = phrases('no person');
/** Labels of a group of people; of people who are no part of the team; words before the names of founders. */
const [GROUP, FOUNDED_BY] = [phrases('group of people'), phrases('founded by')];
/** Verbs and words that begin what a person did before. */
const BEFORE = phrases('earlier work');

const MOST_NAME = 40;
const MOST_ROLE = 50;
const MOST_ROLE_WORDS = 7;

/** "Ada Lovelace, CEO", "Ada Lovelace – CEO", "CEO: Ada Lovelace", "Ada Lovelace (CEO)". */
const MARKS = /\s*(?:[,:|·•]\s|\s[–—-]\s|\s?\((?=[^()]*\)$))/u;

/** A person as a line names them; the role is empty where it says none. */
export interface NamedPerson {
  readonly name: string;
  readonly role: string;
}

/** Name and role of one line with a mark between them. */
export function inLine(text: string): NamedPerson | null {
  const mark = MARKS.exec(text);
  if (mark === null) return null;
  const [before, after] = [
    // An age may stand behind the name.
    text
      .slice(0, mark.index)
      .replace(/\s*\(\d+\)$/u, '')
      .trim(),
    text
      .slice(mark.index + mark[0].length)
      .replace(/\)$/u, '')
      .trim(),
  ];
  const role = roleOf(withoutDegrees(after));
  if (isName(before) && role !== '' && withoutDegree(text) === text) return { name: before, role };
  return has(before, ROLE) && countWords(before) <= MOST_ROLE_WORDS && isName(after)
    ? { name: after, role: before }
    : null;
}

/** Parts between commas that begin with no degree. */
const withoutDegrees = (text: string): string =>
  text
    .split(/,\s+/u)
    .filter((part) => part.search(DEGREE) !== 0)
    .join(', ');

/** A name without the degrees behind it. */
export const withoutDegree = (text: string): string => {
  const [name = '', ...rest] = text.split(/,\s*/u);
  return rest.length > 0 && rest.every((each) => each.search(DEGREE) === 0) ? name : text;
};

/** A title alone in its line. */
export const isTitle = (text: string): boolean => TITLE.exec(`${text} `)?.[0] === `${text} `;

/** A word with a capital that is no role, in a line of its own. */
export const isSurname = (text: string): boolean => /^\p{Lu}\p{Ll}[\p{L}’'-]*$/u.test(text) && !has(text, ROLE);

export const TITLE =
  /^(?:(?:Dra?|Prof|Dipl|Ing|Mag|PD|CA)\b\.?[\p{L}-]*\.?\s|(?:em|med|rer|nat|pol|phil|jur|oec|habil)\.\s)+/u;

/** "Jannis Thoma Technik": a name of two or three words, then words that are a role. */
export function nameAndRole(text: string, isRole: (text: string) => boolean = isRoleText): NamedPerson | null {
  const words = text.split(' ');
  // A title is no part of the two words that a name has at least.
  const titles = (TITLE.exec(text)?.[0].trim() ?? '').split(' ').filter((word) => word !== '').length;
  for (const more of [2, 3, 4]) {
    const count = titles + more;
    const [name, rest] = [words.slice(0, count).join(' '), words.slice(count).join(' ')];
    if (rest === '' || !isName(name) || !/^\p{Lu}/u.test(words[count - 1] ?? '')) continue;
    const role = roleOf(rest);
    if (role !== '' && isRole(rest) && !has(words[count - 1] ?? '', ROLE)) return { name, role };
  }
  return null;
}

const isRoleText = (text: string): boolean => has(text, ROLE);

/** Words as a role: few, and no sentence; without what the person did before. */
export const roleOf = (text: string): string => {
  const [first = '', ...parts] = text
    .trim()
    .replace(/^\(([^()]+)\)/u, '$1')
    .split(/,\s|[.;]\s|\s[·•|]\s/u);
  const goesOn = parts.findIndex((part) => has(part, BEFORE));
  const kept = [first, ...(goesOn < 0 ? parts : parts.slice(0, goesOn))];
  const whole = goesOn < 0 && !/[.;]\s/u.test(text) ? text.trim() : kept.join(', ');
  const role = fitRole(leadOf(whole.replace(/[,;.]$/u, '')));
  return /\p{L}{2}/u.test(role) && !/[.!?]$|^\P{L}*\d/u.test(role) && !isBareName(role) ? role : '';
};

/** A role of few words; of a longer one the parts that fit, where they say a role. */
function fitRole(role: string): string {
  const isShort = (text: string): boolean => text.length <= MOST_ROLE && countWords(text) <= MOST_ROLE_WORDS;
  if (isShort(role)) return role;
  const lead = role.split(/,\s|\s[–—|]\s|\s\(/u)[0] ?? '';
  return isShort(lead) && has(lead, ROLE) ? lead : '';
}

/** Words of a role before a statement that goes on in the same line: "Vertrieb" of "Vertrieb verkaufte Schulbücher in Hessen". */
function leadOf(text: string): string {
  if (countWords(text) <= MOST_PLAIN_WORDS) return text;
  const lead = /^\p{Lu}[\p{L}-]*(?:\s(?:\p{Lu}[\p{L}-]*|und|and|of|für|&|\/))*(?=\s\p{Ll})/u.exec(text)?.[0];
  if (lead === undefined || /^(?:und|and|of|für|zu|for)\s/u.test(text.slice(lead.length).trimStart())) return text;
  const isWhole = has(lead, ROLE) || has(text.slice(lead.length).trimStart(), BEFORE);
  return isWhole ? lead.replace(/\s(?:und|and|of|für|&|\/)$/u, '') : text;
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
export function isName(text: string): boolean {
  const name = SHOUTED.test(text)
    ? text.toLowerCase().replaceAll(/(?<![\p{L}])\p{Ll}/gu, (letter) => letter.toUpperCase())
    : text;
  return name.length <= MOST_NAME && isPersonName(name) && !has(name, NO_NAME) && !has(name, ROLE);
}

/** A name within a sentence or a list. */
const WITHIN = String.raw`(?:(?:Dra?|Prof|Dipl|Ing)\.?[\p{L}-]*\s)*\p{Lu}[\p{L}.'’-]+(?:\s(?:von|van|de|der|zu))*(?:\s\p{Lu}[\p{L}'’-]+){1,2}`;
const [NAME_BEHIND, NAMES_BEHIND] = [
  new RegExp(String.raw`^[,:]?\s(${WITHIN})(?![\p{L}'’])`, 'u'),
  new RegExp(
    String.raw`^:?\s(${WITHIN})(?:(?:,\s|,?\s(?:and|und|&)\s)(${WITHIN}))?(?:(?:,\s|,?\s(?:and|und|&)\s)(${WITHIN}))?`,
    'u',
  ),
];

/** True for a label of people who belong together, such as "Founders" or "Beirat". */
export const isGroup = (text: string): boolean => has(text, GROUP) && countWords(text) <= 4;

/** Several people of one line: "Ada Lovelace (CEO), Mary Somerville (CTO)", "Advisors: Ada Lovelace, Mary Somerville"; empty for fewer. */
export function severalInLine(text: string): NamedPerson[] {
  const [label = '', ...rest] = text.split(/:\s/u);
  if (isGroup(label) && rest.length > 0) {
    const names = rest.join(': ').split(/(?:,\s|;\s|\s(?:and|und|&|·|\|)\s)(?![^()]*\))/u);
    return names.flatMap((each) => {
      const name = each.replace(/\s*\(.*$|\.$/u, '').trim();
      return isName(name) ? [{ name, role: label }] : [];
    });
  }
  const parts = text.split(/\s[·•|;]\s|;\s|(?<=\)),?\s(?:and\s|und\s|&\s)?/u);
  const people = parts.flatMap((part) => inLine(part.trim().replace(/\.$/u, '')) ?? []);
  return parts.length > 1 && people.length > 1 && people.every(({ role }) => has(role, ROLE)) ? people : [];
}

/** People whom a sentence names behind their role or as founders: "Our CEO Ada Lovelace …", "founded by Ada Lovelace and Mary Somerville". */
export function inSentence(text: string): NamedPerson[] {
  const named = [...text.matchAll(SURE_ROLE)].flatMap((match) => {
    if (has(text.slice(0, match.index).trim().split(' ').at(-1) ?? '', BEFORE)) return [];
    const name = NAME_BEHIND.exec(text.slice(match.index + match[0].length))?.[1] ?? '';
    return isName(name) ? [{ name, role: match[0] }] : [];
  });
  const founders = [...text.matchAll(FOUNDED_BY)].flatMap((match) => {
    const [, ...names] = NAMES_BEHIND.exec(text.slice(match.index + match[0].length)) ?? [];
    return names.filter((name) => name !== undefined && isName(name)).map((name) => ({ name, role: 'founder' }));
  });
  return [...named, ...founders];
}
