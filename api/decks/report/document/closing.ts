/** How a review ends: its slides, and how it was made. */
import { provenancesOf } from '../../../../domain/decks/provenance.ts';
import type { AnalysisReport, Provenance, ReportSlide } from '../../../../domain/decks/report.ts';
import { SCORE_METHOD } from '../../../../domain/decks/scoring.ts';
import { isByRules } from '../../../../domain/decks/review/statement.ts';
import { subjectOf } from '../../../../domain/decks/verdicts/subject.ts';
import { durationWords, usdText } from '../../../../domain/text/words.ts';
import { pageNote } from '../format.ts';
import { type Block, fact, type Section, section, type SlideCard, tableOf } from '../../../document/blocks.ts';
import { noteLines, softLine, type Writing } from './writing.ts';
import { quotesOfTopic } from '../../../../domain/profile/statement.ts';
import { shownDigest } from '../../../../domain/models/identity.ts';

/** Every slide with what was found on it. */
export function slidesSection(writing: Writing): Section[] {
  const referred = referredSlides(writing.report);
  const slides = writing.report.slides.map((slide) => slideCard(writing, slide, referred.has(slide.number)));
  return section('slides', writing.labels.slides, slides.length === 0 ? [] : [{ is: 'slides', slides }]);
}

function slideCard(writing: Writing, slide: ReportSlide, referred: boolean): SlideCard {
  const { number, title, summary, failure, feedback, figures, descriptionProvenance } = slide;
  // Rules describe a slide by its own words, which the slide shows.
  const described = isByRules(descriptionProvenance)
    ? []
    : [...(summary === null ? [] : [[summary]]), ...figures.flatMap(({ description }) => softLine(description))];
  return {
    number,
    title: title ?? '',
    referred,
    lines: [
      ...softLine(pageNote(slide, writing.labels)),
      ...described,
      ...softLine(failure?.message ?? null),
      ...softLine(feedback),
      ...noteLines(writing, [subjectOf({ of: 'slide', number })]),
    ],
  };
}

/** Where the results come from, and what they cost. */
export function provenanceSection({ report, labels, costUsd }: Writing): Section[] {
  const { deck, engine, template, sector, overall, replay, rollout } = report;
  const all = provenancesOf(report);
  const hosts = [...new Set(all.map((each) => hostWords(each, labels)))].toSorted();
  const facts = [
    ...fact(labels.analysis, report.analysisId, replay === null ? null : `${labels.replayOf} ${replay.of}`),
    ...fact(labels.file, deck.fileName, `SHA-256 ${deck.sha256}`),
    ...fact(
      labels.engine,
      engine === null ? null : `${engine.name}${engine.version === null ? '' : ` ${engine.version}`}`,
    ),
    ...fact(labels.rollout, rollout === null ? null : `${rollout.name}: ${labels.rolloutSides[rollout.side]}`),
    ...fact(
      labels.template,
      template.slug === null ? null : `${template.name ?? template.slug} v${template.version ?? '?'}`,
      template.reason,
    ),
    ...fact(labels.sectorReason, sector.reasoning),
    ...fact(labels.method, overall.method === SCORE_METHOD ? labels.methodWords : overall.method),
    ...fact(labels.secondReading, secondReadingWords(report, labels)),
    ...fact(labels.cost, costUsd === null ? null : usdText(costUsd)),
    ...fact(labels.hosts, hosts.length === 0 ? null : hosts.join(', ')),
  ];
  return section('provenance', labels.provenance, [{ is: 'facts', facts }, ...resultsTable(all, labels)], true);
}

/** Null where no quote was read again. */
function secondReadingWords({ secondReading }: AnalysisReport, labels: Writing['labels']): string | null {
  const { agreed, withdrawn, notRead } = secondReading;
  return agreed + withdrawn + notRead === 0 ? null : labels.secondReadingWords(agreed, withdrawn, notRead);
}

const hostWords = ({ host, setupVersion }: Provenance, { setup }: Writing['labels']): string =>
  setupVersion === null ? host : `${host} (${setup} ${setupVersion})`;

/** A row for each task, model and version of its prompt. */
function resultsTable(all: readonly Provenance[], labels: Writing['labels']): Block[] {
  const groups = Map.groupBy(all, ({ task, model, modelDigest, promptVersion }) =>
    [task, model, modelDigest, promptVersion].join(' '),
  );
  const words: Readonly<Record<string, string>> = labels.tasks;
  const rows = [...groups.values()].flatMap((results) => {
    const [first] = results;
    if (first === undefined) return [];
    const sum = (of: (result: Provenance) => number): number => results.reduce((total, each) => total + of(each), 0);
    return [
      [
        words[first.task] ?? first.task,
        `${first.model} @ ${shownDigest(first.modelDigest, labels.byName)}`,
        String(first.promptVersion),
        String(results.length),
        durationWords(sum(({ durationMs }) => durationMs)),
        String(sum(({ promptTokens, outputTokens }) => promptTokens + outputTokens)),
      ],
    ];
  });
  const head = [labels.task, labels.model, labels.prompt, labels.results, labels.time, labels.tokens];
  return tableOf(head, rows, 2);
}

/** Numbers of the slides that the report refers to. */
export function referredSlides(report: AnalysisReport): Set<number> {
  const evidence = [
    ...report.extractions.flatMap((value) => value.evidence),
    ...report.chapters.flatMap((chapter) => chapter.questions.flatMap((question) => question.evidence)),
    ...report.specialised.flatMap((reading) => reading.evidence),
    ...report.profile.topics.flatMap(quotesOfTopic),
    ...(report.profile.document?.evidence ?? []),
    ...report.contradictions.flatMap(({ first, second }) => [first, second]),
    ...report.steering,
  ];
  return new Set(evidence.map(({ slide }) => slide));
}
