/**
 * The slide of the team: cards of founders and staff, and of advisors below them.
 */
import type { Block, SlideSpec } from '../../spec.ts';
import type { Pitch, Statements } from '../pitch.ts';
import { content } from '../slides.ts';
import { TOPIC_WORDS } from './words.ts';

type Person = Extract<Block, { type: 'persons' }>['items'][number];

/** Persons with portraits, roles below or beside their names. */
export function personCards(pitch: Pitch, said: Statements): SlideSpec[] {
  const { random, phrases, venture } = pitch;
  const words = TOPIC_WORDS[pitch.language];
  const first = random.sample(phrases.firstNames, 10);
  const last = random.sample(phrases.lastNames, 10);
  const names = first.map((name, index) => `${random.pick(words.titles)}${name} ${last[index] ?? ''}`);
  const founders = random.int(2, 3);
  const staff = random.int(0, 3);
  const advisors = random.int(0, 3);
  const hasTexts = founders + staff <= 4 && random.chance(0.6);
  const roles = [...random.pick(words.founderRoles).slice(0, founders), ...random.sample(words.staffRoles, staff)];
  const backgrounds = [...venture.founders, ...random.sample(phrases.staff, 4).map((text) => pitch.say(text))];
  const members = roles.map((role, index): Person => ({
    name: names[index] ?? '',
    role,
    text: hasTexts ? (backgrounds[index] ?? '') : '',
  }));
  const advisorRoles = random.chance(0.5) ? words.advisorRoles.slice(1) : [];
  const board = Array.from({ length: advisors }, (_, index): Person => ({
    name: names[members.length + index] ?? '',
    role: advisorRoles[index] ?? '',
    text: '',
  }));
  const form = members.length > 5 ? 'grid' : random.pick(['row', 'grid', 'list'] as const);
  const portrait = random.pick(['round', 'round', 'square', 'none'] as const);
  const role = random.pick(['below', 'beside'] as const);
  const cards = (items: readonly Person[], as: typeof form): Block => ({
    type: 'persons',
    form: as,
    role,
    portrait,
    items,
  });
  const blocks: Block[] = [cards(members, form)];
  const below: Block[] =
    board.length === 0
      ? []
      : [{ type: 'heading', text: random.pick(words.advisorHeads) }, cards(board, form === 'list' ? 'list' : 'row')];
  // Lists beside one another; cards below.
  const columns = form === 'list' && below.length > 0 ? [blocks, below] : [[...blocks, ...below]];
  said.answers.push('team_experience', 'team_composition');
  const stated = [
    ...members.map(({ name, role: as }) => ({ name, role: as })),
    ...board.map(({ name, role: as }) => ({ name, role: as === '' ? (words.advisorRoles[0] ?? '') : as })),
  ];
  return content(pitch, 'team', columns, said).map((slide) => ({
    ...slide,
    title: random.pick(words.teamTitles),
    topics: { team: stated },
  }));
}
