/**
 * Slides that a trait of a topic draws in another way, in the place of the plain ones or beside them.
 */
import type { Block, SlideSpec } from '../../spec.ts';
import type { Trait } from '../../traits.ts';
import { Statements, type Pitch } from '../pitch.ts';
import type { SlideSubject } from '../phrases.ts';
import { slidesAbout } from '../slides.ts';
import { competitorTable } from './competitors.ts';
import { useOfFunds } from './funds.ts';
import { marketCircles } from './market.ts';
import { burnTable, pricingCards } from './prices-and-costs.ts';
import { customerSegments, plansBesideTraction, stageLine } from './progress.ts';
import { personCards } from './team.ts';
import { TOPIC_WORDS } from './words.ts';

type Writer = (pitch: Pitch, said: Statements) => SlideSpec[];

interface TopicSlide {
  readonly trait: Trait;
  readonly write: Writer;
  /** Where the slide stands: instead of the plain ones about the subject, before them or behind them. */
  readonly at: 'instead' | 'before' | 'behind';
}

const TOPIC_SLIDES: Readonly<Partial<Record<SlideSubject, TopicSlide>>> = {
  competition: { trait: 'competitor_table', write: competitorTable, at: 'instead' },
  market: { trait: 'market_circles', write: marketCircles, at: 'instead' },
  ask: { trait: 'legend_beside_pie', write: useOfFunds, at: 'behind' },
  team: { trait: 'person_cards', write: personCards, at: 'instead' },
  model: { trait: 'pricing_cards', write: pricingCards, at: 'instead' },
  financials: { trait: 'burn_table', write: burnTable, at: 'instead' },
  traction: { trait: 'plans_beside_traction', write: plansBesideTraction, at: 'instead' },
  customers: { trait: 'customer_segments', write: customerSegments, at: 'before' },
  roadmap: { trait: 'stage_line', write: stageLine, at: 'before' },
};

/** Puts a screen of the product at the side of the last slide with content. */
function withMockUp(pitch: Pitch, slides: readonly SlideSpec[]): SlideSpec[] {
  const { random } = pitch;
  const { devices, ...screen } = random.pick(TOPIC_WORDS[pitch.language].screens);
  const mockUp: Block = { type: 'mock_up', device: random.pick(devices), ...screen };
  const isLeft = random.chance(0.4);
  const split = isLeft ? [1, 1.3] : [1.3, 1];
  const last = slides.findLastIndex(({ kind }) => kind === 'content');
  return slides.map((slide, index) => {
    if (index !== last || slide.kind !== 'content') return slide;
    const said = slide.columns.flat();
    return { ...slide, columns: isLeft ? [[mockUp], said] : [said, [mockUp]], split };
  });
}

/** The slides about one subject, drawn as the traits of the deck say. */
export function slidesOf(pitch: Pitch, subject: SlideSubject): SlideSpec[] {
  const topic = TOPIC_SLIDES[subject];
  if (topic !== undefined && pitch.traits.has(topic.trait)) {
    const slides = topic.write(pitch, new Statements(pitch));
    switch (topic.at) {
      case 'instead':
        return slides;
      case 'before':
        return [...slides, ...slidesAbout(pitch, subject)];
      case 'behind':
        return [...slidesAbout(pitch, subject), ...slides];
    }
  }
  const slides = slidesAbout(pitch, subject);
  return subject === 'solution' && pitch.traits.has('mock_up_text') ? withMockUp(pitch, slides) : slides;
}
