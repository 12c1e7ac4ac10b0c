/**
 * Splits a report into the items that are matched by key and compared.
 */
import { quotesOfTopic } from '../../profile/statement.ts';
import type { AnalysisReport, ReportProfile, ReportTopic } from '../report.ts';
import type { Part } from './parts.ts';
import type { Plain } from './leaves.ts';

/** One item of a report. */
export interface Item {
  readonly key: string;
  readonly name: string;
  readonly content: { readonly [field: string]: Plain };
  /** Fields of the content that are not compared. */
  readonly omit?: readonly string[];
}

/**
 * Question slugs that occur in more than one chapter: their keys include the chapter. All others are still matched when a new template version
 * moves them to another chapter.
 */
export function ambiguousQuestions(reports: readonly AnalysisReport[]): ReadonlySet<string> {
  const ambiguous = new Set<string>();
  for (const { chapters } of reports) {
    const seen = new Set<string>();
    for (const { slug } of chapters.flatMap((c) => c.questions)) {
      if (seen.has(slug)) ambiguous.add(slug);
      seen.add(slug);
    }
  }
  return ambiguous;
}

/** The key of a question: its slug, with the chapter's where several chapters ask one of this name. */
export const questionKey = (ambiguous: ReadonlySet<string>, chapter: string, slug: string): string =>
  ambiguous.has(slug) ? `${chapter}/${slug}` : slug;

/** The items of every part of a report, without what is derived from others (key points, recommendations). */
export function itemsOf(report: AnalysisReport, ambiguous: ReadonlySet<string>): Record<Part, readonly Item[]> {
  const { overall, deck, sector, template } = report;
  const templateSlug = template.slug ?? '';
  return {
    run: [{ key: 'run', name: 'run', content: runOf(report) }],
    deck: [{ key: 'deck', name: deck.fileName, content: deck, omit: ['id'] }],
    overall: [{ key: 'overall', name: 'overall', content: overall }],
    extractions: report.extractions.map((e) => ({ key: e.field, name: e.field, content: e, omit: ['field'] })),
    profile: [
      { key: 'profile', name: 'profile', content: documentContent(report.profile) },
      ...report.profile.topics.map((t) => ({ key: t.topic, name: t.topic, content: topicContent(t) })),
    ],
    classification: [{ key: 'sector', name: 'sector', content: sector }],
    chapters: report.chapters.map((c) => ({
      key: `${templateSlug}/${c.slug}`,
      name: c.name,
      content: c,
      omit: ['slug', 'questions'],
    })),
    questions: report.chapters.flatMap((c) =>
      c.questions.map((q) => ({
        key: `${templateSlug}/${questionKey(ambiguous, c.slug, q.slug)}`,
        name: q.text,
        content: { ...q, chapter: c.slug },
        omit: ['slug'],
      })),
    ),
    specialised: report.specialised.map((s) => ({ key: s.kind, name: s.kind, content: s, omit: ['kind'] })),
    // The address of the image contains the deck's id.
    slides: report.slides.map((s) => ({
      key: String(s.number),
      name: `slide ${s.number}`,
      content: s,
      omit: ['number', 'imageUrl'],
    })),
    steering: numbered(report.steering, (s) => `${s.slide}: ${s.text}`),
    contradictions: numbered(
      report.contradictions,
      ({ subject, first, second }) => `${subject}: ${first.value} (${first.slide}), ${second.value} (${second.slide})`,
    ),
  };
}

/** The kind of the document by the profile, and how it was made. */
function documentContent({ status, reason, document, computedWithout, provenance }: ReportProfile): Item['content'] {
  return { status, reason, document: document?.kind, computedWithout, provenance, evidence: document?.evidence ?? [] };
}

/** The values of a topic's facts, and the quotes of all of them together, which are told apart by their words. */
function topicContent(topic: ReportTopic): Item['content'] {
  const facts = topic.facts.map((fact) => {
    const { evidence: _, ...values } = fact;
    return values;
  });
  return { status: topic.status, facts, evidence: quotesOfTopic(topic) };
}

/** Request and engine of a run. */
function runOf(report: AnalysisReport): Item['content'] {
  const { status, taskType, language, engine, template, condensed, failure, rollout } = report;
  const choices = { taskType, language, rollout: rollout === null ? null : `${rollout.name}: ${rollout.side}` };
  return { status, failure, ...choices, engine, template, condensed };
}

/** Items without a key of their own: their text is the key, with a number for repetitions. */
function numbered<T extends { readonly [field: string]: Plain }>(
  list: readonly T[],
  nameOf: (of: T) => string,
): readonly Item[] {
  const seen = new Map<string, number>();
  return list.map((content) => {
    const name = nameOf(content);
    const number = (seen.get(name) ?? 0) + 1;
    seen.set(name, number);
    return { key: `${name} (${number})`, name, content };
  });
}
