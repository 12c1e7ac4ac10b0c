/**
 * The report as Markdown, for people and for other tools.
 *
 * Words of the deck are untrusted: everything that Markdown or HTML would act on is escaped, so slide text stays text.
 */
import {
  absentSector,
  absentValue,
  contradictionTitle,
  formatAmount,
  formatConfidence,
  formatScore,
  hazardText,
  invisibleSlides,
  type Labels,
  labelsOf,
  pageNote,
  sideValue,
} from './labels.ts';
import type { ExtractionField } from '../../../domain/models/model-tasks.ts';
import type { AnalysisReport, ReportEvidence } from '../../../domain/decks/report.ts';
import { isProof } from '../../../domain/decks/review/proof.ts';
import { gapsBesideNotices, isNotFound, isUnasked, languageName } from '../../../domain/decks/unread.ts';

/** One line of text that Markdown shows as it is. */
export function escaped(text: string): string {
  return (
    text
      .replaceAll(/\s+/gu, ' ')
      .trim()
      .replaceAll(/[\\`*_{}[\]()#+!|~>-]/gu, String.raw`\$&`)
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      // Addresses would become links by themselves.
      .replaceAll(/(https?|ftp|mailto|javascript|data)(:)/giu, '$1&#58;')
      .replaceAll(/\bwww\./giu, 'www&#46;')
      .replaceAll('@', '&#64;')
      .replace(/^(\d{1,9})([.)])/u, String.raw`$1\$2`)
  );
}

function evidenceLines(evidence: readonly ReportEvidence[], labels: Labels, indent = ''): string[] {
  return evidence.map((e) => {
    const why = isProof(e) || e.reason === null ? '' : `: ${escaped(e.reason)}`;
    return `${indent}- ${labels.slide} ${e.slide}: „${escaped(e.quote)}“ (${labels[e.verdict]}${why})`;
  });
}

/** Said behind a value that lacks slides; nothing for one that lacks none. */
const lacking = (slides: readonly number[], labels: Labels): string =>
  slides.length === 0 ? '' : ` _(${labels.computedWithout(slides)})_`;

function overview(report: AnalysisReport, labels: Labels): string[] {
  const row = (name: string, value: string, field?: string): string[] => {
    const found = report.extractions.find((e) => e.field === field);
    const lacked = lacking(found?.computedWithout ?? [], labels);
    return [`- **${name}:** ${value}${lacked}`, ...evidenceLines(found?.evidence ?? [], labels, '  ')];
  };
  const or = (value: string | null, none: string): string => (value === null ? `_${none}_` : escaped(value));
  const { sector, template, funding, deckDate } = report;
  const absent = (field: ExtractionField): string => absentValue(report, field, labels);
  const amount = formatAmount(funding, report.language);
  return [
    ...row(labels.company, or(report.company, absent('company_name')), 'company_name'),
    ...row(labels.offering, or(report.offering, absent('offering')), 'offering'),
    ...row(
      labels.funding,
      `${or(funding.raw, absent('funding'))}${amount === null ? '' : ` (${escaped(amount)})`}`,
      'funding',
    ),
    ...row(
      labels.deckDate,
      `${or(deckDate.raw, absent('deck_date'))}${deckDate.iso === null ? '' : ` (${deckDate.iso})`}`,
      'deck_date',
    ),
    ...row(
      labels.sector,
      `${or(sector.name ?? sector.slug, absentSector(report, labels))}${sector.confidence === null ? '' : `, ${labels.confidence} ${formatConfidence(sector.confidence)}`}${lacking(sector.computedWithout, labels)}`,
    ),
    ...row(
      labels.template,
      template.slug === null
        ? `_${labels.unknown}_`
        : `${escaped(template.name ?? template.slug)} v${template.version} (${escaped(template.reason ?? '')})`,
    ),
  ];
}

function chapters(report: AnalysisReport, labels: Labels): string[] {
  const asked = report.chapters.filter((chapter) => !chapter.questions.every(isUnasked));
  return asked.flatMap((chapter) => [
    `### ${escaped(chapter.name)}: ${formatScore(chapter.score, labels)}`,
    '',
    escaped(chapter.description),
    '',
    ...chapter.questions
      .filter((q) => !isNotFound(q) && !isUnasked(q))
      .flatMap((q) => [
        `- **${escaped(q.text)}** ${q.score === null ? `${labels.noScore} (${q.status})` : `${q.score} ${labels.outOf}`}${lacking(q.computedWithout, labels)}`,
        ...(q.state === 'stated_absent' ? [`  _${labels.absence[q.state]}_`] : []),
        ...(q.answer === null ? [] : [`  ${escaped(q.answer)}`]),
        ...(q.rationale === null ? [] : [`  _${labels.rationale}: ${escaped(q.rationale)}_`]),
        ...(q.reason === null ? [] : [`  _${escaped(q.reason)}_`]),
        ...evidenceLines(q.evidence, labels, '  '),
      ]),
    '',
  ]);
}

/** Questions without anything to show but that nothing was found: one list. */
function notFound({ chapters }: AnalysisReport, labels: Labels): string[] {
  const missing = chapters.flatMap((c) =>
    c.questions.filter(isNotFound).map((q) => `- ${escaped(q.text)} (${escaped(c.name)})`),
  );
  return missing.length === 0 ? [] : section(labels.notFound(missing.length), [labels.notFoundLead, '', ...missing]);
}

const absentWords = ({ state, status }: AnalysisReport['specialised'][number], labels: Labels): string =>
  state === null || state === 'found' ? status : labels.absence[state];

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`## ${title}`, '', ...lines, ''];

/** The report as one Markdown text. */
export function renderMarkdown(report: AnalysisReport): string {
  const labels = labelsOf(report.language);
  const { overall, engine } = report;
  const coverage = labels.coverage(overall.scored, overall.asked);
  return [
    `# ${labels.review}: ${escaped(report.company ?? report.deck.fileName)}`,
    '',
    ...(engine === null ? [] : [`> ${labels.engine}: ${escaped(engine.name)} (${escaped(engine.label)})`]),
    ...(engine?.kind === 'rules' ? [`> ${labels.rulesNotice}`] : []),
    ...report.notices.map(({ text }) => `> ${escaped(text)}`),
    ...(report.condensed === null ? [] : [`> ${escaped(report.condensed)}`]),
    '',
    `${escaped(report.deck.fileName)} · ${report.deck.slides ?? '?'} ${labels.slides} · ${labels.status}: ${report.status}${report.deck.language === null ? '' : ` · ${languageName(report.deck.language, report.language)}`}`,
    ...(report.replay === null ? [] : ['', `${labels.replayOf} ${escaped(report.replay.of)}`]),
    ...(report.failure === null ? [] : ['', `**${report.failure.code}**: ${escaped(report.failure.message)}`]),
    '',
    ...overview(report, labels),
    '',
    ...section(
      labels.gaps,
      gapsBesideNotices(report).map((g) => `- ${escaped(g.message)}`),
    ),
    ...section(
      labels.steering,
      report.steering.length === 0
        ? []
        : [
            labels.steeringNotice,
            '',
            ...report.steering.map((s) => `- ${labels.slide} ${s.slide}: ${escaped(s.text)}`),
          ],
    ),
    ...section(
      labels.contradictions,
      report.contradictions.length === 0
        ? []
        : [
            labels.contradictionsNotice,
            '',
            ...report.contradictions.flatMap((c) => [
              `- **${escaped(contradictionTitle(c, labels))}**`,
              ...[c.first, c.second].map(
                (side) =>
                  `  - ${labels.slide} ${side.slide}: ${escaped(sideValue(c, side, labels))} („${escaped(side.quote)}“)`,
              ),
            ]),
          ],
    ),
    ...section(
      labels.invisible,
      invisibleSlides(report).length === 0
        ? []
        : [
            labels.invisibleNotice,
            '',
            ...invisibleSlides(report).map(
              (s) => `- ${labels.slide} ${s.number}: ${escaped((s.invisibleText ?? '').replaceAll('\n', ' '))}`,
            ),
          ],
    ),
    ...section(
      labels.hazards,
      report.deck.hazards.map((h) => `- ${escaped(hazardText(h, labels))}`),
    ),
    ...(report.chapters.length === 0
      ? []
      : [
          `## ${labels.overall}: ${formatScore(overall.score, labels)}`,
          '',
          `${coverage}. ${labels.method}: ${escaped(overall.method ?? labels.unknown)}${lacking(overall.computedWithout, labels)}`,
          '',
        ]),
    ...section(
      labels.keyPoints,
      report.keyPoints.map(
        (k) => `- ${escaped(k.text)} (${k.evidence.map((e) => `${labels.slide} ${e.slide}`).join(', ')})`,
      ),
    ),
    ...section(labels.chapters, chapters(report, labels)),
    ...notFound(report, labels),
    ...section(
      labels.specialised,
      report.specialised.flatMap((s) => [
        `### ${labels[s.kind]}`,
        '',
        `${escaped(s.summary ?? s.reason ?? absentWords(s, labels))}${lacking(s.computedWithout, labels)}`,
        '',
        ...s.points.map((p) => `- **${escaped(p.heading)}:** ${escaped(p.text)}`),
        ...evidenceLines(s.evidence, labels),
        '',
      ]),
    ),
    ...section(
      labels.recommendations,
      report.recommendations.map((r) => `- ${escaped(r.text)} (${formatScore(r.score, labels)})`),
    ),
    ...section(
      labels.slides,
      report.slides.flatMap((s) => [
        `### ${s.number}. ${escaped(s.title ?? '')}`.trimEnd(),
        '',
        ...[pageNote(s, labels), s.summary, s.failure?.message ?? null].flatMap((t) =>
          t === null ? [] : [escaped(t), ''],
        ),
        ...(s.feedback === null ? [] : [`**${labels.feedback}:** ${escaped(s.feedback)}`, '']),
        ...s.figures.map((f) => `- ${escaped(f.kind)}: ${escaped(f.description)}`),
        '',
      ]),
    ),
  ]
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n');
}
