/**
 * Slides of what has been reached and what is planned, of the groups of customers, and of the stage.
 */
import type { Block, SlideSpec } from '../../spec.ts';
import type { Pitch, Statements } from '../pitch.ts';
import { capital } from '../pitch.ts';
import { content } from '../slides.ts';
import { roundOf, TOPIC_WORDS } from './words.ts';

/** A figure with what it counts. */
const COUNTED = /^(?<value>\d[\d.,]*) (?<label>\p{L}.*)$/u;

/** Achievements beside plans: in two columns, in a table, in boxes and lines, or mixed in one list. */
export function plansBesideTraction(pitch: Pitch, said: Statements): SlideSpec[] {
  const { random } = pitch;
  const words = TOPIC_WORDS[pitch.language];
  const reached = random.sample(words.achieved, random.int(2, 4));
  said.answers.push(...reached.flatMap(({ answers = [] }) => answers), 'future_state');
  const achieved = reached.map(({ text }) => pitch.say(text));
  const planned = random.sample(words.planned, random.int(2, 3)).map((text) => pitch.say(text));
  const [done, plan] = [random.pick(words.achievedHeads), random.pick(words.plannedHeads)];
  const bullets = (items: readonly string[]): Block => ({ type: 'bullets', items });
  const columns = ((): Block[][] => {
    switch (random.pick(['columns', 'table', 'boxes', 'mixed'] as const)) {
      case 'columns':
        return [
          [{ type: 'heading', text: done }, bullets(achieved)],
          [{ type: 'heading', text: plan }, bullets(planned)],
        ];
      case 'table': {
        const rows = achieved.map((text, index) => [text, planned[index] ?? '']);
        if (achieved.length < planned.length) rows.push(['', planned.at(-1) ?? '']);
        return [[{ type: 'table', head: [done, plan], rows }]];
      }
      case 'boxes': {
        const counted = achieved.flatMap((text) => {
          const { value, label } = COUNTED.exec(text)?.groups ?? {};
          return value === undefined || label === undefined ? [] : [{ value, label }];
        });
        const rest = achieved.filter((text) => !COUNTED.test(text));
        return [
          [
            ...(random.chance(0.5) ? [{ type: 'heading' as const, text: done }] : []),
            ...(counted.length === 0 ? [] : [{ type: 'stats' as const, items: counted }]),
            ...(rest.length === 0 ? [] : [bullets(rest)]),
            { type: 'heading', text: plan },
            bullets(planned),
          ],
        ];
      }
      case 'mixed':
        return [[bullets(random.shuffle([...achieved, ...planned]))]];
    }
  })();
  return content(pitch, 'traction', columns, said).map((slide) => ({
    ...slide,
    topics: {
      traction: [...achieved.map((text) => ({ text, plan: false })), ...planned.map((text) => ({ text, plan: true }))],
    },
  }));
}

/** Groups of customers as cards, lines or rows, with names of partners below at times. */
export function customerSegments(pitch: Pitch, said: Statements): SlideSpec[] {
  const { random, venture, phrases } = pitch;
  const words = TOPIC_WORDS[pitch.language];
  const own = { name: capital(venture.users), text: '' };
  const groups = random.sample(words.segments, random.int(2, 3)).map(({ name, text }) => ({
    name: pitch.say(name),
    text: pitch.say(text),
  }));
  const items = random.chance(0.5) ? [own, ...groups] : groups;
  const blocks = ((): Block[] => {
    switch (random.pick(['cards', 'bullets', 'rows'] as const)) {
      case 'cards':
        return [{ type: 'cards', items: items.map(({ name, text }) => ({ title: name, text })) }];
      case 'bullets':
        return [{ type: 'bullets', items: items.map(({ name }) => name) }];
      case 'rows':
        return [
          {
            type: 'table',
            head: [random.pick(words.customerTitles), ''],
            rows: items.map(({ name, text }) => [name, text]),
          },
        ];
    }
  })();
  if (random.chance(0.4)) {
    blocks.push({ type: 'note', text: `${words.partnersHead}: ${random.sample(phrases.customers, 3).join(', ')}` });
  }
  return content(pitch, 'customers', [blocks], said).map((slide) => ({
    ...slide,
    title: random.pick(words.customerTitles),
    topics: { customers: items.map(({ name }) => ({ text: name })) },
  }));
}

/** Round and state of the product: as steps of which one is marked, as a sentence, or as two boxes. */
export function stageLine(pitch: Pitch, said: Statements): SlideSpec[] {
  const { random } = pitch;
  const words = TOPIC_WORDS[pitch.language];
  const round = roundOf(pitch);
  const at = random.int(1, 4);
  const step = words.steps[at] ?? '';
  const sentence = random.pick(words.stateLines).replace('{round}', round).replace('{step}', step);
  const form = random.pick(['steps', 'sentence', 'boxes'] as const);
  const blocks = ((): Block[] => {
    switch (form) {
      case 'steps': {
        const { done, now, next } = words.stepNotes;
        const items = words.steps.slice(at - 1, at + 3).map((what, index) => ({
          when: index === 0 ? done : index === 1 ? now : next,
          what,
        }));
        return [
          { type: 'timeline', items },
          { type: 'callout', text: round },
        ];
      }
      case 'sentence':
        return [{ type: 'callout', text: sentence }];
      case 'boxes':
        return [
          {
            type: 'stats',
            items: [
              { value: round, label: words.stageLabels.round },
              { value: step, label: words.stageLabels.step },
            ],
          },
        ];
    }
  })();
  return content(pitch, 'roadmap', [blocks], said).map((slide) => ({
    ...slide,
    title: random.pick(words.stageTitles),
    topics: { stage: form === 'sentence' ? [{ text: sentence }] : [{ text: round }, { text: step }] },
  }));
}
