/**
 * Describes one slide from its text. The reader sees no picture: without text it says that it could read nothing, and figures are named
 * only where the text itself has the shape of one (rows of numbers, labels of an axis).
 */
import type { DescribeSlideOutput } from '../domain/models/result-schemas.ts';
import type { ReadPrompt, ReadSlide } from './prompt.ts';
import { countWords, isTabular } from './text.ts';

const NOTHING: DescribeSlideOutput = { legible: false, title: '', visibleText: '', figures: [], summary: '' };

/** The headline of a slide: its first line that says something, not a page number, a date or a running head in capitals alone. */
export function titleOf(slide: ReadSlide): string {
  const line = slide.lines.slice(0, 4).find((text) => /\p{L}{2,}/u.test(text) && text.length <= 160);
  return line ?? '';
}

/** Runs of at least three neighbouring lines that hold figures. */
function figureRuns(lines: readonly string[]): string[][] {
  const runs: string[][] = [];
  let run: string[] = [];
  for (const line of lines) {
    const figure =
      isTabular(line) ||
      (/\d/u.test(line) && countWords(line) <= 6 && /\d\s*(?:%|€|\$|£|k|m|mio|tsd)?\s*$/iu.test(line));
    if (figure) run.push(line);
    else {
      if (run.length >= 3) runs.push(run);
      run = [];
    }
  }
  if (run.length >= 3) runs.push(run);
  return runs;
}

/** Figures that the text shows: tables by rows of numbers, charts by a series of years or quarters. */
function figuresOf(slide: ReadSlide, language: 'en' | 'de'): DescribeSlideOutput['figures'] {
  return figureRuns(slide.lines)
    .slice(0, 4)
    .map((run) => {
      const series = run.join(' ').match(/\b(?:20\d\d|Q[1-4]|FY\d\d)\b/gu)?.length ?? 0;
      const kind = run.some(isTabular) || series < 3 ? ('table' as const) : ('chart' as const);
      const lead = language === 'de' ? 'Zahlen im Text der Folie' : 'Figures in the text of the slide';
      return { kind, description: `${lead}: ${run.join(' | ')}`.slice(0, 400) };
    });
}

/** The description; `legible: false` and nothing else for a slide without text. */
export function describeSlide(prompt: ReadPrompt): DescribeSlideOutput {
  const slide = prompt.slides[0];
  if (slide === undefined || slide.text.trim() === '') return NOTHING;
  const title = titleOf(slide);
  const facts = slide.units.find((unit) => unit.text !== title && unit.words >= 5);
  const summary =
    prompt.language === 'de'
      ? `Die Folie „${title}“ zeigt ${slide.units.length} Textstücke${facts === undefined ? '.' : `, darunter: ${facts.text}`}`
      : `The slide "${title}" shows ${slide.units.length} pieces of text${facts === undefined ? '.' : `, among them: ${facts.text}`}`;
  return {
    legible: true,
    title: title.slice(0, 200),
    visibleText: slide.lines.join('\n').slice(0, 1800),
    figures: figuresOf(slide, prompt.language),
    summary: summary.slice(0, 400),
  };
}
