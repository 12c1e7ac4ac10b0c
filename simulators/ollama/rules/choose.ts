/**
 * Chooses the units of a deck that speak best of a topic. Shared by the answers, the specialised readings and the condensation.
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
  /** Speaks of the topic in its own words, not only by standing under its heading. */
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

/** How well a unit fits the topic; 0 = not at all. */
function rate(slide: ReadSlide, unit: TextUnit, topic: Topic, headingFits: boolean): Choice | null {
  if (!isContent(unit)) return null;
  const strong = countDistinct(unit.text, topic.strong);
  const weak = topic.weak === null ? 0 : countDistinct(unit.text, topic.weak);
  const avoided = topic.avoid === null ? 0 : countDistinct(unit.text, topic.avoid);
  const under = headingFits && !unit.heading;
  let score = Math.min(strong, 3) * 2 + Math.min(weak, 2) * 0.8 - avoided * 2.5;
  if (under) score += 2.5;
  if (strong === 0 && !(under && weak > 0 && unit.words >= 4)) return null;
  if (unit.heading) score -= 1;
  if (unit.words < 4) score -= 1.5;
  if (topic.figure) score += hasFigure(unit.text) ? 1.5 : -0.5;
  else if (hasFigure(unit.text)) score += 0.4;
  if (unit.text.endsWith('?')) score -= 2;
  return score <= 0 ? null : { slide, unit, score, direct: strong > 0 };
}

/** The units that fit, best first; of slides whose heading fits the topic more than of others. */
export function chooseUnits(slides: readonly ReadSlide[], topic: Topic, least: number): Choice[] {
  const found: Choice[] = [];
  for (const slide of slides) {
    const heading = slide.units[0];
    const headingFits = topic.heading !== null && heading?.heading === true && has(heading.text, topic.heading);
    for (const unit of slide.units) {
      const choice = rate(slide, unit, topic, headingFits);
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
