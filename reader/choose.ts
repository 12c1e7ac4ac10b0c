/**
 * Chooses the units of a deck that fit a topic best, for answers, specialised analyses and condensed slides.
 */
import type { ReadSlide } from './prompt.ts';
import type { TextUnit } from './text.ts';
import type { Topic } from './topic.ts';
import { countDistinct, has } from './words.ts';

/** A unit and how well it fits. */
export interface Choice {
  readonly slide: ReadSlide;
  readonly unit: TextUnit;
  readonly score: number;
  /** Contains words of the topic itself, and is not only under its heading. */
  readonly direct: boolean;
}

/** True for a unit that carries a figure: a number that is more than a page or list number. */
export const hasFigure = (text: string): boolean => /\d/u.test(text.replace(/^\d{1,2}[.)]?\s/u, ''));

/** Units that are never an answer: running lines, words to machines, sources, contact lines. */
export function isContent(unit: TextUnit): boolean {
  return (
    !unit.running &&
    !unit.steering &&
    unit.words >= 2 &&
    !/^(?:sources?|quellen?)\s*:|@[\w.-]+\.\w+|^https?:|^www\./iu.test(unit.text)
  );
}

/** Headings of a slide: its first line and short lines without figures that stand over what follows. */
function headingsOf(slide: ReadSlide): TextUnit[] {
  return slide.units.filter(
    (unit) =>
      unit.heading || (!unit.running && unit.words <= 5 && unit.index > 0 && /^\p{Lu}[^\d.!?,]*$/u.test(unit.text)),
  );
}

/** Position of a unit with regard to a topic. */
type Place = 'under its heading' | 'under another heading' | 'elsewhere';

function placeOf(unit: TextUnit, fitting: readonly TextUnit[], known: boolean): Place {
  if (fitting.some((heading) => heading.index < unit.index)) return 'under its heading';
  return known ? 'under another heading' : 'elsewhere';
}

/** How well a unit fits the topic; null = not at all. */
function rate(slide: ReadSlide, unit: TextUnit, topic: Topic, place: Place): Choice | null {
  if (!isContent(unit)) return null;
  const strong = countDistinct(unit.text, topic.strong);
  const weak = topic.weak === null ? 0 : countDistinct(unit.text, topic.weak);
  const avoided = topic.avoid === null ? 0 : countDistinct(unit.text, topic.avoid);
  const under = place === 'under its heading' && !unit.heading;
  const figure = hasFigure(unit.text);
  const byHeading =
    under && unit.words >= 3 && (topic.underHeading === 'any' || (topic.underHeading === 'figure' && figure));
  if (strong === 0 && !byHeading && !(under && weak > 0 && unit.words >= 4)) return null;
  let score = Math.min(strong, 3) * 2 + Math.min(weak, 2) * 0.8 - avoided * 2.5;
  if (under) score += 2.5;
  if (place === 'under another heading') score -= 0.8;
  if (unit.heading) score -= 1;
  if (unit.words < 4) score -= 1.5;
  if (topic.figure) score += figure ? 1.5 : -0.5;
  else if (figure) score += 0.4;
  if (unit.text.endsWith('?')) score -= 2;
  return score <= 0 ? null : { slide, unit, score, direct: strong > 0 || byHeading };
}

/** The units that fit, best first; of slides whose heading fits the topic more than of others. */
export function chooseUnits(
  slides: readonly ReadSlide[],
  topic: Topic,
  least: number,
  isKnownHeading: (text: string) => boolean = () => false,
): Choice[] {
  const found: Choice[] = [];
  for (const slide of slides) {
    const headings = headingsOf(slide);
    const { heading } = topic;
    const fitting = heading === null ? [] : headings.filter((unit) => has(unit.text, heading));
    // A title slide introduces; it answers no question but what the company does.
    const known =
      (slide === slides[0] && slides.length > 3) ||
      headings.some((unit) => unit.index === 0 && isKnownHeading(unit.text));
    for (const unit of slide.units) {
      const choice = rate(slide, unit, topic, placeOf(unit, fitting, known));
      if (choice !== null && choice.score >= least) found.push(choice);
    }
  }
  // Several fitting units on one slide support each other.
  const perSlide = new Map<number, number>();
  for (const { slide } of found) perSlide.set(slide.number, (perSlide.get(slide.number) ?? 0) + 1);
  const total = (c: Choice): number => c.score + Math.min(1.5, ((perSlide.get(c.slide.number) ?? 1) - 1) * 0.4);
  return found.toSorted(
    (a, b) => total(b) - total(a) || a.slide.number - b.slide.number || a.unit.index - b.unit.index,
  );
}
