/** The people of a deck: founders and members of the team with their roles, from cards, rows and lines of names. */
import { subjectsOfDeck } from '../deck-subjects.ts';
import { extractCompanyName } from '../extract-company-name.ts';
import { keyOf, rareShare } from '../names.ts';
import { phrases } from '../phrases.ts';
import type { ReadPrompt, ReadSlide } from '../prompt.ts';
import { countWords, type TextUnit } from '../text.ts';
import { has } from '../words.ts';
import { blocksOf, fitQuote, joined, once, type Fact } from './fact.ts';
import {
  DEGREE,
  inLine,
  inSentence,
  isGroup,
  isName,
  isSurname,
  isTitle,
  nameAndRole,
  type NamedPerson,
  ROLE,
  roleOf,
  severalInLine,
  SURE_ROLE,
  TITLE,
  withoutDegree,
} from './people.ts';

const MOST_FACTS = 11;
const MOST_QUOTE = 90;

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
  // Elsewhere a name alone may be anybody's: it takes a role beside it, or stands among others of whom one has such a role.
  const elsewhere = slides.flatMap((slide) => {
    if (has(slide.title, CUSTOMERS_SAY)) return [];
    const people = peopleOf(slide);
    const sure = people.filter(({ value }) => has(value, SURE_ROLE));
    const beside = people.filter(({ value }) => value !== '');
    return sure.length > 0 && beside.length >= LEAST_OF_TEAM ? beside : sure;
  });
  return once(withoutDoubles(elsewhere), MOST_FACTS);
}
const LEAST_OF_TEAM = 2;
const CUSTOMERS_SAY = phrases('titles of references');

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
  const blocks = blocksOf(slide)
    .filter(([first]) => first?.kind !== 'title')
    .map(withDegrees);
  const apart = namesAboveRoles(slide, blocks);
  if (apart.length > 0) return apart;
  const facts: Fact[] = [];
  let group = '';
  for (const [at, block] of blocks.entries()) {
    const [first] = block;
    if (first === undefined) continue;
    if (block.length === 1 && first.kind !== 'row' && isGroup(first.text)) group = first.text;
    else if (first.kind === 'heading' && inLine(first.text) === null && !isName(first.text)) group = '';
    facts.push(...ofGroup(group, peopleOfBlock(slide, block, blocks[at + 1]?.[0])));
  }
  // Beside people with roles, a heading of a rare name and other words is one more of them.
  const isRare = (person: NamedPerson | null): person is NamedPerson => person !== null && rareShare(person.name) === 1;
  const more = blocks.flatMap(([first]) => {
    const person = first?.kind === 'heading' ? nameAndRole(first.text, () => true) : null;
    return first === undefined || !isRare(person) ? [] : factOf(slide, person.name, person.role, first.text);
  });
  return facts.some(({ value }) => value !== '') ? [...facts, ...more] : facts;
}

/** A block whose lines of degrees alone belong to the names above them. */
function withDegrees(block: readonly TextUnit[]): TextUnit[] {
  const lines: TextUnit[] = [];
  for (const unit of block) {
    const above = lines.at(-1);
    if (above === undefined || unit.kind === 'row' || unit.text.replaceAll(DEGREE, '').trim() !== '') lines.push(unit);
    else lines[lines.length - 1] = { ...above, text: `${above.text} ${unit.text}` };
  }
  return lines;
}

/** A name with words beside it, so that a quote of them proves something. */
function withNeighbours(text: string, name: string): string {
  const at = text.indexOf(name);
  if (at < 0) return name;
  const behind = text
    .slice(at + name.length)
    .split(' ')
    .slice(0, 4)
    .join(' ');
  const before = text.slice(0, at).trim().split(' ').slice(-2).join(' ');
  return countWords(behind) > 0 ? `${name}${behind}` : `${before} ${name}`.trim();
}

function peopleOfBlock(slide: ReadSlide, block: readonly TextUnit[], next: TextUnit | undefined): Fact[] {
  const [first] = block;
  if (first === undefined) return [];
  if (first.kind !== 'row' && first.kind !== 'item') {
    // A list of names may go on over the lines of its block.
    const whole = joined(block);
    const listed = severalInLine(whole);
    const several = listed.length > 0 ? listed : block.flatMap((unit) => severalInLine(unit.text));
    if (several.length > 0)
      return several.flatMap(({ name, role }) => factOf(slide, name, role, withNeighbours(whole, name)));
  }
  if (first.kind === 'row') {
    const columns = namesInColumns(slide, block);
    return columns.length > 0 ? columns : block.flatMap((unit) => personInRow(slide, unit));
  }
  if (first.kind === 'item' || block.every((unit) => inLine(unit.text) !== null)) {
    let group = '';
    return block.flatMap((unit) => {
      if (isGroup(unit.text)) group = unit.text;
      return ofGroup(group, personInLine(slide, unit));
    });
  }
  // Several cards may be one block.
  const heads = block.filter((unit, at) => isName(unit.text) && has(block[at + 1]?.text ?? '', ROLE));
  if (heads.length > 1)
    return heads.flatMap((unit) => {
      const role = block[block.indexOf(unit) + 1]?.text ?? '';
      return factOf(slide, unit.text, roleOf(role), `${unit.text} ${role}`);
    });
  const card = personsInCard(slide, block, next);
  if (card.length > 0) return card;
  return block.flatMap((unit) =>
    inSentence(unit.text).flatMap(({ name, role }) => factOf(slide, name, role, unit.text)),
  );
}

/** People below the label of a group: it is the role of those without one, and marks advisors; investors are no part of a team. */
function ofGroup(group: string, facts: readonly Fact[]): Fact[] {
  if (group === '') return [...facts];
  return facts.map((fact) => {
    if (fact.value === '') return { ...fact, value: group };
    return has(group, ADVISORS) && !has(fact.value, ADVISORS) ? { ...fact, value: `${fact.value} (${group})` } : fact;
  });
}
const ADVISORS = phrases('advisors');

/** Names in lines of their own, then as many roles: "Ada Lovelace", "Mary Somerville", "CEO", "CTO". */
function namesAboveRoles(slide: ReadSlide, blocks: readonly TextUnit[][]): Fact[] {
  const lines = blocks.filter((block) => block.length === 1).map(([unit]) => unit?.text ?? '');
  const start = lines.findIndex((line, at) => isName(line) && isName(lines[at + 1] ?? ''));
  if (start < 0) return [];
  const count = lines.slice(start).findIndex((line) => !isName(line));
  const roles = count < 0 ? [] : lines.slice(start + count, start + 2 * count);
  if (roles.length < count || count < 2 || !roles.every((role) => has(role, ROLE))) return [];
  return roles.flatMap((role, at) => factOf(slide, lines[start + at] ?? '', roleOf(role), lines[start + at] ?? ''));
}

/** People of a table whose columns are people: names in one row, roles in the next. */
function namesInColumns(slide: ReadSlide, rows: readonly TextUnit[]): Fact[] {
  const at = rows.findIndex(({ cells }) => cells.filter((cell) => isName(cell.trim())).length > 1);
  const [row, below, above] = [rows[at], rows[at + 1], rows[at - 1]];
  if (row === undefined || rows.some(({ cells }) => cells !== row.cells && cells.some((cell) => isName(cell.trim()))))
    return [];
  const roles = [below, above].find((each) => each?.cells.some((cell) => has(cell, ROLE)) === true);
  if (roles === undefined) return [];
  return row.cells.flatMap((cell, column) =>
    isName(cell.trim()) ? factOf(slide, cell.trim(), roleOf(roles.cells[column] ?? ''), row.text) : [],
  );
}

/** A person of a card: the name in its first line or first two, the role in the next; several cards may be one block. */
function personsInCard(slide: ReadSlide, block: readonly TextUnit[], next: TextUnit | undefined): Fact[] {
  const [first, second, third] = block;
  if (first === undefined) return [];
  const line = inLine(first.text);
  if (line !== null) return factOf(slide, line.name, line.role, first.text);
  // A role may stand above its name.
  if (
    second !== undefined &&
    has(first.text, ROLE) &&
    countWords(first.text) <= 4 &&
    isName(withoutDegree(second.text))
  )
    return factOf(slide, withoutDegree(second.text), roleOf(first.text), `${first.text} ${second.text}`);
  const alone = withoutDegree(first.text.replace(/,$/u, ''));
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
    const role = second === undefined ? headingRole(first, next) : roleOverLines(second.text, third?.text ?? '');
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

/** A role that goes on in the next line where its own ends open: "Head of Animal", "Science". */
function roleOverLines(text: string, next: string): string {
  const isOpen =
    /^(?:Head|Leitung|Leiter|Leiterin|Chief|VP|Director)$|^(?:Head|Director|VP) of \p{L}+$|\s(?:of|and|und|für|&)$/u.test(
      text,
    );
  const goesOn = isOpen && countWords(next) <= 2 && has(next, ROLE) && !has(next, SURE_ROLE);
  return roleOf(goesOn ? `${text} ${next}` : text);
}

/** The role below a name that is a heading of its own. */
const headingRole = (name: TextUnit, next: TextUnit | undefined): string =>
  next !== undefined && (next.kind === 'heading' || next.kind === 'sentence') && next.block === name.block + 1
    ? roleOf(next.text)
    : '';

function personInRow(slide: ReadSlide, { cells, text }: TextUnit): Fact[] {
  const at = cells.findIndex((cell) => isName(cell.trim()));
  if (at < 0) {
    const first = cells[0]?.trim() ?? '';
    const split = inLine(first) ?? nameAndRole(first);
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
