/**
 * The slide of competitors beside one another: with signs, words or figures, the companies in columns or in rows.
 */
import type { Block, SlideSpec } from '../../spec.ts';
import { content, isNamed, type Content } from '../slides.ts';
import { capital, type Pitch, type Statements } from '../pitch.ts';
import { TOPIC_WORDS } from './words.ts';

type Company = Extract<Block, { type: 'comparison' }>['companies'][number];
type Answer = 'yes' | 'no' | 'partly';

/** A line of the table: its heading, and the cell of a company. */
interface Criterion {
  readonly head: string;
  readonly cellOf: (isOwn: boolean) => string;
}

function criteriaOf(pitch: Pitch): Criterion[] {
  const { random } = pitch;
  const { abilities, figures, answers } = TOPIC_WORDS[pitch.language];
  const words: Readonly<Record<Answer, string>> = random.chance(0.5)
    ? { yes: '✓', no: random.pick(['✗', '–', '']), partly: random.pick(answers.partly) }
    : { yes: random.pick(answers.yes), no: random.pick(answers.no), partly: random.pick(answers.partly) };
  const able = random.sample(abilities, 6).map((head) => ({
    head,
    cellOf: (isOwn: boolean) =>
      words[isOwn && random.chance(0.85) ? 'yes' : random.pick(['yes', 'no', 'no', 'partly'] as const)],
  }));
  const counted = random.sample(figures, 4).map(({ head, cell }) => ({ head, cellOf: () => pitch.say(cell) }));
  switch (random.pick(['abilities', 'abilities', 'figures', 'both'] as const)) {
    case 'abilities':
      return able.slice(0, random.int(3, 6));
    case 'figures':
      return counted.slice(0, random.int(2, 4));
    case 'both':
      return random.shuffle([...counted.slice(0, random.int(1, 2)), ...able.slice(0, random.int(2, 3))]);
  }
}

/** Competitors and alternatives of a deck, two to five. */
function rivalsOf({ random, venture, language }: Pitch): string[] {
  const { rivals, alternatives } = TOPIC_WORDS[language];
  return [
    ...venture.rivals,
    ...random.sample(rivals, random.int(0, 2)),
    ...(random.chance(0.4) ? random.sample(alternatives, 1) : []),
  ];
}

/** Competitors in a table with headings. */
export function competitorTable(pitch: Pitch, said: Statements): SlideSpec[] {
  const { random, phrases } = pitch;
  const words = TOPIC_WORDS[pitch.language];
  const rivals = random.shuffle(rivalsOf(pitch));
  const criteria = criteriaOf(pitch);
  const companyOf = (name: string, isOwn: boolean): Company => ({
    name,
    isOwn,
    cells: criteria.map(({ cellOf }) => cellOf(isOwn)),
  });
  const own = companyOf(isNamed(pitch) ? pitch.company : capital(phrases.words.us), true);
  const others = rivals.map((name) => companyOf(name, false));
  const companiesIn = random.pick(['columns', 'rows'] as const);
  said.answers.push('competitive_landscape');
  const blocks: Block[] = [
    {
      type: 'comparison',
      companiesIn,
      corner: random.pick(companiesIn === 'columns' ? words.corners : words.companyHead),
      criteria: criteria.map(({ head }) => head),
      companies: random.chance(0.65) ? [own, ...others] : [...others, own],
    },
  ];
  if (random.chance(0.4)) blocks.push({ type: 'paragraph', text: random.pick(words.competitionAfter) });
  const slides: Content[] = content(pitch, 'competition', [blocks], said);
  return slides.map((slide) => ({ ...slide, topics: { competition: rivals.map((name) => ({ name })) } }));
}
