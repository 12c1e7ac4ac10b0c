/**
 * A finished review as a person reads it in a terminal: the facts with their slides, a bar per chapter, what is missing.
 */
import { absentSector, absentValue } from '../../api/decks/report/absence.ts';
import { labelsOf } from '../../api/decks/report/labels.ts';
import { counted } from '../../domain/text/words.ts';
import type { ExtractionField } from '../../domain/models/model-tasks.ts';
import type { AnalysisReport, ReportChapter, ReportEvidence } from '../../domain/decks/report.ts';
import { clean } from '../terminal-text.ts';

const BAR_WIDTH = 28;
const MAX_SCORE = 7;
const LABEL_WIDTH = 12;
const WRAP = 100;
const GAPS_SHOWN = 6;
/** A terminal speaks English. */
const WORDS = labelsOf('en');

/** Colours when the stream is a terminal, nothing elsewhere. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly score: (score: number | null, text: string) => string;
}

const wrapWith = (open: number, close: number) => (text: string) => `\u001B[${open}m${text}\u001B[${close}m`;
const plain = (text: string): string => text;

/** The style for a stream. */
export function styleFor(isTerminal: boolean): Style {
  if (!isTerminal) return { bold: plain, dim: plain, score: (_, text) => text };
  const [good, medium, weak] = [wrapWith(32, 39), wrapWith(33, 39), wrapWith(31, 39)];
  return {
    bold: wrapWith(1, 22),
    dim: wrapWith(2, 22),
    score: (score, text) => (score === null ? text : score >= 6 ? good(text) : score >= 4 ? medium(text) : weak(text)),
  };
}

const row = (label: string, value: string): string => `${label.padEnd(LABEL_WIDTH)}${value}`;

function wrap(text: string, indent: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of clean(text).split(/\s+/u)) {
    if (line !== '' && line.length + word.length + 1 > WRAP) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${indent}`);
}

function proof(evidence: readonly ReportEvidence[]): string {
  const first = evidence.find((e) => e.verdict === 'verified') ?? evidence[0];
  return first === undefined ? 'no quote' : `slide ${first.slide}, ${first.verdict}`;
}

function bar(score: number | null): string {
  const filled = score === null ? 0 : Math.round((score / MAX_SCORE) * BAR_WIDTH);
  return '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
}

const scoreText = (score: number | null): string => (score === null ? ' –  ' : score.toFixed(1).padStart(4));

function chapterLine(chapter: ReportChapter, style: Style): string {
  const name = clean(chapter.name).padEnd(22).slice(0, 22);
  return `  ${name} ${style.score(chapter.score, bar(chapter.score))} ${scoreText(chapter.score)}  ${style.dim(`${chapter.scored} of ${chapter.asked} scored`)}`;
}

/** The review, with a trailing newline. */
export function renderReview(report: AnalysisReport, style: Style): string {
  const { overall } = report;
  const fact = (label: string, value: string | null, field: ExtractionField): string =>
    value === null
      ? row(label, style.dim(absentValue(report, field, WORDS)))
      : row(label, `${wrap(value, ' '.repeat(LABEL_WIDTH))} ${style.dim(`(${proof(valueOf(field))})`)}`);
  const valueOf = (field: string): readonly ReportEvidence[] =>
    report.extractions.find((v) => v.field === field)?.evidence ?? [];
  const funding =
    report.funding.raw === null
      ? null
      : report.funding.amount === null
        ? report.funding.raw
        : `${report.funding.raw} = ${report.funding.amount.toLocaleString('en-US')} ${report.funding.currency ?? ''}`;
  const answered = report.chapters
    .flatMap((c) => c.questions)
    .filter((q) => q.evidence.some((e) => e.verdict === 'verified'));
  const best = [...answered].sort((a, b) => (b.score ?? 0) - (a.score ?? 0)).slice(0, 3);

  const lines = [
    '',
    style.bold(clean(report.company ?? report.deck.fileName)),
    style.dim(
      `${report.deck.slides === null ? '? slides' : counted(report.deck.slides, 'slide')} · ${report.status.replaceAll('_', ' ')} · answered by ${report.engine?.label ?? 'no model'}`,
    ),
    '',
    fact('Company', report.company, 'company_name'),
    fact('Offering', report.offering, 'offering'),
    fact('Funding', funding, 'funding'),
    fact('Deck date', report.deckDate.raw, 'deck_date'),
    row(
      'Sector',
      report.sector.slug === null
        ? style.dim(absentSector(report, WORDS))
        : `${clean(report.sector.name ?? report.sector.slug)} ${style.dim(`(${Math.round((report.sector.confidence ?? 0) * 100)} % sure)`)}`,
    ),
    row(
      'Template',
      report.template.slug === null
        ? style.dim('none')
        : wrap(
            `${report.template.slug} v${report.template.version ?? '?'} – ${report.template.reason ?? ''}`,
            ' '.repeat(LABEL_WIDTH),
          ),
    ),
    '',
    style.bold(`Overall ${overall.score === null ? 'not scored' : `${overall.score.toFixed(1)} of ${MAX_SCORE}`}`) +
      style.dim(`  ${Math.round((overall.coverage ?? 0) * 100)} % of the questions scored`),
    ...report.chapters.map((c) => chapterLine(c, style)),
  ];
  if (best.length > 0) {
    lines.push('', style.bold('Best evidenced'));
    for (const q of best) {
      const quote = q.evidence.find((e) => e.verdict === 'verified');
      lines.push(
        `  ${style.score(q.score, String(q.score ?? '–'))}  ${wrap(q.text, '     ')}`,
        style.dim(`     slide ${quote?.slide ?? '?'}: "${wrap(quote?.quote ?? '', '     ')}"`),
      );
    }
  }
  if (report.gaps.length > 0) {
    lines.push(
      '',
      style.bold(`Gaps (${report.gaps.length})`),
      ...report.gaps.slice(0, GAPS_SHOWN).map((g) => `  ${wrap(g.message, '  ')}`),
    );
    if (report.gaps.length > GAPS_SHOWN)
      lines.push(style.dim(`  … and ${report.gaps.length - GAPS_SHOWN} more in the report`));
  }
  return `${lines.join('\n')}\n`;
}
