/**
 * Finds the date on which the deck was prepared: on the title slide, in a footer, or labelled as such at the end. Founding years,
 * milestones, dates of studies and of figures are not meant; when only those are there the deck does not say it.
 */
import type { ExtractValueOutput } from '../domain/models/result-schemas.ts';
import { NOT_STATED, quoteAround } from './extract-funding.ts';
import type { ReadPrompt, ReadSlide } from './prompt.ts';
import { countWords, type TextUnit } from './text.ts';

const MONTH =
  '(?:January|February|March|April|May|June|July|August|September|October|November|December|Januar|Jänner|Februar|März|Mai|Juni|Juli|Oktober|Dezember|Jan|Feb|Mar|Mär|Mrz|Apr|Jun|Jul|Aug|Sept?|Okt|Oct|Nov|Dez|Dec)';
const YEAR = String.raw`(?:19|20)\d{2}`;
/** Most precise first. */
const DATES: readonly RegExp[] = [
  new RegExp(String.raw`\b${YEAR}-\d{1,2}-\d{1,2}\b`, 'giu'),
  new RegExp(String.raw`\b\d{1,2}\.\s?\d{1,2}\.\s?${YEAR}\b`, 'giu'),
  new RegExp(String.raw`\b\d{1,2}/\d{1,2}/${YEAR}\b`, 'giu'),
  new RegExp(String.raw`\b\d{1,2}(?:st|nd|rd|th)?\.?\s+(?:of\s+)?${MONTH}\.?,?\s+${YEAR}\b`, 'giu'),
  new RegExp(String.raw`\b${MONTH}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+${YEAR}\b`, 'giu'),
  new RegExp(String.raw`\b${MONTH}\.?,?\s+${YEAR}\b`, 'giu'),
  new RegExp(String.raw`\b(?:0?[1-9]|1[0-2])\s?[/.]\s?${YEAR}\b`, 'giu'),
  new RegExp(String.raw`\b${YEAR}[-/](?:0[1-9]|1[0-2])\b(?![-/]\d)`, 'giu'),
  new RegExp(String.raw`\bQ[1-4]\s*[/-]?\s*${YEAR}\b`, 'giu'),
  new RegExp(String.raw`\b[1-4]\.\s?(?:Quartal|Quarter)\s*[/-]?\s*${YEAR}\b`, 'giu'),
  new RegExp(String.raw`\b${YEAR}\b`, 'giu'),
];
const YEAR_ONLY = new RegExp(`^${YEAR}$`, 'u');

/** Says that the date is the deck's own. */
const LABEL =
  /(?<![\p{L}\p{N}])(?:stand|datum|version|vers\.?|as of|dated?|updated|last update|prepared|status|revision|rev\.?|erstellt|aktualisiert|fassung|ausgabe|edition|issued?)(?![\p{L}\p{N}])|^v\d/iu;
const DECK_WORD =
  /(?<![\p{L}\p{N}])(?:deck|presentation|präsentation|investor\p{L}*|investoren\p{L}*|briefing|pitch|teaser|memorandum|unterlagen?|overview|update|company profile|unternehmenspräsentation|roadshow|confidential|vertraulich)(?![\p{L}\p{N}])/iu;
/** Says that the date is something else's. */
const FOREIGN =
  /(?<![\p{L}\p{N}])(?:founded|established|est\.?|since|incorporated|inception|started|starts?|launch\p{L}*|closing|close|until|by|from|expected|planned|trial|study|studie|survey|source\p{L}*|quelle\p{L}*|according|published|gegründet|gründung|seit|bis|ab|start\p{L}*|markteintritt|geplant|abschluss|award\p{L}*|winner|preis\p{L}*|gewinner|finalist|founder|trained|raised|raising|round|runde|series|granted|patent\p{L}*|erteilt|zulassung|approval|approved|certified|zertifiziert|report|statista|mckinsey|forecast|prognose|target|ziel|valid|gültig|copyright|all rights|alle rechte|meet\p{L}*|join|appointment|termin|webinar|data ?room)(?![\p{L}\p{N}])|©|\(c\)/iu;

interface Candidate {
  readonly slide: ReadSlide;
  readonly unit: TextUnit;
  readonly raw: string;
  readonly score: number;
  readonly order: number;
}

/** The most precise date of a text, as written. */
function dateIn(text: string): string | null {
  for (const pattern of DATES) {
    const found = [...text.matchAll(pattern)];
    if (found.length > 0) return found.length === 1 ? (found[0]?.[0] ?? null) : null;
  }
  return null;
}

/** Sorts dates of one deck by time; rough, finer parts count little. */
function orderOf(raw: string): number {
  const year = Number(new RegExp(YEAR, 'u').exec(raw)?.[0] ?? 0);
  const months = 'jan feb m[aä]r|mrz apr ma[iy] jun jul aug sep o[kc]t nov de[zc]'.split(' ');
  const named = months.findIndex((month) => new RegExp(`(?<!\\p{L})(?:${month})`, 'iu').test(raw));
  const quarter = /Q([1-4])/iu.exec(raw)?.[1];
  const numeric = /(?:^|[./-])(0?[1-9]|1[0-2])[./-]/u.exec(raw)?.[1];
  const month = named >= 0 ? named : quarter !== undefined ? Number(quarter) * 3 - 2 : Number(numeric ?? 0);
  return year * 12 + month;
}

function rate(prompt: ReadPrompt, slide: ReadSlide, unit: TextUnit, raw: string): number {
  const rest = unit.text.replace(raw, ' ');
  const title = slide === prompt.slides[0];
  const last = slide === prompt.slides.at(-1);
  const labelled = LABEL.test(rest);
  if (FOREIGN.test(rest) && !(labelled && DECK_WORD.test(rest))) return 0;
  const bare = unit.words <= 10;
  if (YEAR_ONLY.test(raw)) return (title || unit.running) && bare && (DECK_WORD.test(rest) || labelled) ? 3 : 0;
  if (title) return bare || labelled || DECK_WORD.test(rest) ? 8 + (labelled ? 2 : 0) : 0;
  if (unit.running) return 7 + (labelled ? 2 : 0);
  if (labelled && bare && last) return 6;
  // Near the edge of any slide a label and a date alone are a version note; figures may be dated the same way, so only words of a deck count.
  if (labelled && bare && DECK_WORD.test(rest)) return 5;
  // At the end a date alone, or with a place before it, as in a letter.
  if (last && /^\s*(?:\p{Lu}[\p{L} -]+,?)?\s*$/u.test(rest) && unit.text.endsWith(raw)) return 4;
  return 0;
}

/** Lines of a slide with the unit each belongs to; a date stands on one line, and what shares a unit with it may not belong to it. */
function datedLines(slide: ReadSlide): { line: string; unit: TextUnit }[] {
  return slide.lines.flatMap((line) => {
    if (!/\d/u.test(line)) return [];
    const clean = line.replace(/^[-–—•·▪►▸●○*]\s+/u, '');
    const unit =
      slide.units.find((candidate) => candidate.text.includes(clean)) ??
      slide.units.find((candidate) => clean.includes(candidate.text) && /\d/u.test(candidate.text));
    return unit === undefined || unit.steering ? [] : [{ line: clean, unit }];
  });
}

/** The deck's date, as written, or not stated. */
export function extractDeckDate(prompt: ReadPrompt): ExtractValueOutput {
  const candidates: Candidate[] = [];
  for (const slide of prompt.slides) {
    for (const { line, unit } of datedLines(slide)) {
      const raw = dateIn(line);
      if (raw === null) continue;
      const score = rate(prompt, slide, { ...unit, text: line, words: countWords(line) }, raw);
      if (score > 0) candidates.push({ slide, unit, raw, score, order: orderOf(raw) });
    }
  }
  const strength = Math.max(0, ...candidates.map((c) => c.score));
  const strong = candidates.filter((c) => c.score >= strength - 3);
  const best = strong.toSorted((a, b) => b.order - a.order || b.score - a.score || a.slide.number - b.slide.number)[0];
  if (best === undefined) return NOT_STATED;
  return {
    evidence: [{ slide: best.slide.number, quote: quoteAround(best.slide, best.unit, best.raw) }],
    stated: true,
    value: best.raw,
  };
}
