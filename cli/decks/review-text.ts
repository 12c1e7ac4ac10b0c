/**
 * A finished review as a person reads it in a terminal: the facts with their slides, a bar per chapter, what is missing.
 */
import {
  absentSector,
  absentValue,
  contradictionTitle,
  formatAmount,
  labelsOf,
  sideValue,
} from '../../api/decks/report/labels.ts';
import {
  type AnalysisReport,
  type ReportChapter,
  type ReportEvidence,
  verdictName,
} from '../../domain/decks/report.ts';
import { isProof } from '../../domain/decks/review/proof.ts';
import { gapsBesideNotices, isNotFound } from '../../domain/decks/unread.ts';
import { MAX_SCORE } from '../../domain/decks/scoring.ts';
import type { ExtractionField } from '../../domain/models/model-tasks.ts';
import { counted } from '../../domain/text/words.ts';
import { bar, clean, cut, paint, painter, type TerminalStyle, type TextFormat, wrap } from '../terminal/style.ts';
import { tableLines } from '../terminal/table.ts';

const BAR_WIDTH = 28;
const LABEL_WIDTH = 12;
const NAME_WIDTH = 22;
const WRAP = 100;
const GAPS_SHOWN = 6;
/** A terminal speaks English. */
const WORDS = labelsOf('en');

/** The colour of a score; none where there is no score. */
const scoreFormat = (score: number): TextFormat => (score >= 6 ? 'green' : score >= 4 ? 'yellow' : 'red');

const row = (label: string, value: string): string => `${label.padEnd(LABEL_WIDTH)}${value}`;

/** A text on lines of at most `WRAP` columns, those after the first indented. */
const paragraph = (text: string, indent: string): string => wrap(clean(text), WRAP).join(`\n${indent}`);

function proof(evidence: readonly ReportEvidence[]): string {
  const first = evidence.find(isProof) ?? evidence[0];
  return first === undefined ? 'no quote' : `slide ${first.slide}, ${verdictName(first.verdict)}`;
}

const proofOfAbsence = (evidence: readonly ReportEvidence[]): string =>
  evidence.length === 0 ? '' : ` (${proof(evidence)})`;

const scoreText = (score: number | null): string => (score === null ? ' –  ' : score.toFixed(1).padStart(4));

/** A line per chapter: its name, a bar, its score, and how many of its questions were scored. */
function chapterLines(chapters: readonly ReportChapter[], style: TerminalStyle): string[] {
  const rows = chapters.map(({ name, score, scored, asked }) => {
    const filled = bar((score ?? 0) / MAX_SCORE, BAR_WIDTH);
    return [
      cut(clean(name), NAME_WIDTH),
      `${score === null ? filled : paint(filled, scoreFormat(score), style)} ${scoreText(score)}`,
      paint(`${scored} of ${asked} scored`, 'dim', style),
    ];
  });
  return tableLines(rows, { indent: '  ', least: [NAME_WIDTH] });
}

/** The review, with a trailing newline. */
export function renderReview(report: AnalysisReport, style: TerminalStyle): string {
  const { overall } = report;
  const { bold, dim } = painter(style);
  const fact = (label: string, value: string | null, field: ExtractionField): string =>
    value === null
      ? row(label, dim(`${absentValue(report, field, WORDS)}${proofOfAbsence(valueOf(field))}`))
      : row(label, `${paragraph(value, ' '.repeat(LABEL_WIDTH))} ${dim(`(${proof(valueOf(field))})`)}`);
  const valueOf = (field: string): readonly ReportEvidence[] =>
    report.extractions.find((v) => v.field === field)?.evidence ?? [];
  const funding =
    report.funding.raw === null
      ? null
      : report.funding.amount === null
        ? report.funding.raw
        : `${report.funding.raw} = ${formatAmount(report.funding, 'en')}`;
  const answered = report.chapters.flatMap((c) => c.questions).filter((q) => q.evidence.some(isProof));
  const best = [...answered].sort((a, b) => (b.score ?? 0) - (a.score ?? 0)).slice(0, 3);

  const gaps = gapsBesideNotices(report);
  const notFound = report.chapters.flatMap((c) => c.questions).filter(isNotFound).length;

  const lines = [
    '',
    bold(clean(report.company ?? report.deck.fileName)),
    dim(
      `${report.deck.slides === null ? '? slides' : counted(report.deck.slides, 'slide')} · ${report.status.replaceAll('_', ' ')} · answered by ${report.engine?.label ?? 'no model'}`,
    ),
    ...report.notices.map(({ text }) => paint(paragraph(text, ''), 'yellow', style)),
    '',
    fact('Company', report.company, 'company_name'),
    fact('Offering', report.offering, 'offering'),
    fact('Funding', funding, 'funding'),
    fact('Deck date', report.deckDate.raw, 'deck_date'),
    row(
      'Sector',
      report.sector.slug === null
        ? dim(absentSector(report, WORDS))
        : `${clean(report.sector.name ?? report.sector.slug)} ${dim(`(${Math.round((report.sector.confidence ?? 0) * 100)} % sure)`)}`,
    ),
    row(
      'Template',
      report.template.slug === null
        ? dim('none')
        : paragraph(
            `${report.template.slug} v${report.template.version ?? '?'} – ${report.template.reason ?? ''}`,
            ' '.repeat(LABEL_WIDTH),
          ),
    ),
    '',
    bold(`Overall ${overall.score === null ? 'not scored' : `${overall.score.toFixed(1)} of ${MAX_SCORE}`}`) +
      dim(`  ${Math.round((overall.coverage ?? 0) * 100)} % of the questions scored`),
    ...chapterLines(report.chapters, style),
  ];
  if (best.length > 0) {
    lines.push('', bold('Best evidenced'));
    for (const q of best) {
      const quote = q.evidence.find(isProof);
      lines.push(
        `  ${q.score === null ? '–' : paint(String(q.score), scoreFormat(q.score), style)}  ${paragraph(q.text, '     ')}`,
        dim(`     slide ${quote?.slide ?? '?'}: "${paragraph(quote?.quote ?? '', '     ')}"`),
      );
    }
  }
  if (notFound > 0) lines.push('', dim(WORDS.notFound(notFound)));
  if (report.contradictions.length > 0) {
    lines.push('', bold(`${WORDS.contradictions} (${report.contradictions.length})`));
    for (const contradiction of report.contradictions) {
      const sides = [contradiction.first, contradiction.second].map(
        (side) => `slide ${side.slide}: ${sideValue(contradiction, side, WORDS)}`,
      );
      lines.push(`  ${paragraph(`${contradictionTitle(contradiction, WORDS)} – ${sides.join('; ')}`, '  ')}`);
    }
  }
  if (gaps.length > 0) {
    lines.push(
      '',
      bold(`Gaps (${gaps.length})`),
      ...gaps.slice(0, GAPS_SHOWN).map((g) => `  ${paragraph(g.message, '  ')}`),
    );
    if (gaps.length > GAPS_SHOWN) lines.push(dim(`  … and ${gaps.length - GAPS_SHOWN} more in the report`));
  }
  return `${lines.join('\n')}\n`;
}
