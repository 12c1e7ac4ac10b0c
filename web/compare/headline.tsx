/** What the comparison shows in a sentence or three, and what cannot be compared. */
import { useQuery } from '@tanstack/react-query';
import { compareLabelsOf } from '../../domain/decks/compare/labels.ts';
import { evidenceFound, leadsWithEvidence } from '../../domain/decks/review/evidence-found.ts';
import { isSame } from '../../domain/decks/compare/reading.ts';
import { widestChapter } from '../../domain/decks/compare/side-by-side.ts';
import type { Language } from '../../domain/models/model-tasks.ts';
import { formatList, formatScore } from '../format.ts';
import { useLanguage, useWords } from '../words/language.ts';
import { type Column, type Compared, isDifferent, isUnfinished } from './model.ts';
import { comparisonQuery } from './queries.ts';
import { compareWords } from './words.ts';

/** What is compared, for the heading and the title of the window. */
export function useSubject({ kind, columns }: Compared): string {
  const words = useWords(compareWords);
  const language = useLanguage();
  const [first] = columns;
  if (first === undefined) return words.title;
  const names = formatList(
    columns.map(({ name }) => name),
    language,
  );
  switch (kind) {
    case 'decks':
      return names;
    case 'versions':
      return `${columns.at(-1)?.deck.company?.name ?? first.deck.fileName}: ${names}`;
    case 'runs':
      return `${first.deck.company?.name ?? first.deck.fileName}: ${names}`;
  }
}

/** The sentences. */
export function Headline({ compared }: { readonly compared: Compared }) {
  const words = useWords(compareWords);
  const language = useLanguage();
  const sentences = useSentences(compared);
  const running = compared.columns.filter(({ report }) => isUnfinished(report)).map(({ name }) => name);
  return (
    <>
      <ul className="flex max-w-prose flex-col gap-1">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {running.length === 0 ? null : (
        <p className="rounded-md bg-warn-tint px-3 py-2 text-sm text-warn">
          {words.unfinished(formatList(running, language), running.length)}
        </p>
      )}
    </>
  );
}

function useSentences(compared: Compared): readonly string[] {
  const words = useWords(compareWords);
  const language = useLanguage();
  const { kind, columns, chapters } = compared;
  const values = useValueCounts(compared);
  const widest = widestChapter(chapters);
  const apart = widest === null ? [] : [words.widest(widest.name, formatScore(widest.spread, language))];
  if (kind === 'decks') {
    const questions = chapters.flatMap((chapter) => chapter.questions);
    const differing = questions.filter((question) => isDifferent(question, compared)).length;
    const answers = questions.length === 0 ? [] : [words.differing(differing, questions.length)];
    return [...highest(columns, words, language), ...apart, ...answers];
  }
  return [...changed(compared, words), ...scoreChange(columns, words, language), ...apart, ...values];
}

type CompareWords = (typeof compareWords)['en'];

/** Numbers of questions with evidence; null where not all reviews are by rules, or they were asked different numbers. */
function evidenceCounts(columns: readonly Column[]): readonly number[] | null {
  const counts = columns.flatMap(({ report }) => (leadsWithEvidence(report) ? [evidenceFound(report).found] : []));
  const asked = new Set(columns.map(({ judged }) => judged.overall.asked));
  return counts.length === columns.length && asked.size === 1 ? counts : null;
}

/** The deck with the highest score, or with the most evidence where rules made all reviews. */
function highest(columns: readonly Column[], words: CompareWords, language: Language): readonly string[] {
  const counts = evidenceCounts(columns);
  if (counts !== null) {
    const most = Math.max(...counts);
    const [name, asked] = [columns[counts.indexOf(most)]?.name ?? '', columns[0]?.judged.overall.asked ?? 0];
    const isLevel = counts.every((count) => count === most);
    return [isLevel ? words.evidenceLevel(most, asked) : words.mostEvidence(name, most, asked)];
  }
  const scored = columns.filter(({ judged }) => judged.overall.score !== null);
  const [best, next] = scored.toSorted((a, b) => (b.judged.overall.score ?? 0) - (a.judged.overall.score ?? 0));
  if (best === undefined || next === undefined) return [];
  const score = formatScore(best.judged.overall.score, language);
  const isLevel = scored.every(({ judged }) => formatScore(judged.overall.score, language) === score);
  return [isLevel ? words.level(score) : words.highest(best.name, score)];
}

/** How many claims changed, and how many could not be compared. */
function changed({ diff }: Compared, words: CompareWords): readonly string[] {
  if (diff === null) return [];
  const { changes, same, unknown } = diff;
  const [appeared, disappeared] = (['appeared', 'disappeared'] as const).map(
    (kind) => changes.filter((change) => change.kind === kind).length,
  );
  const others = changes.length - (appeared ?? 0) - (disappeared ?? 0);
  return [
    words.claims(others, appeared ?? 0, disappeared ?? 0, same),
    ...(unknown.length === 0 ? [] : [words.notComparable(unknown.length)]),
  ];
}

/** From the first score to the last, or from the first evidence where rules made all reviews. */
function scoreChange(columns: readonly Column[], words: CompareWords, language: Language): readonly string[] {
  const counts = evidenceCounts(columns);
  const [fewer, more] = [counts?.[0], counts?.at(-1)];
  if (fewer !== undefined && more !== undefined) {
    if (fewer === more) return [words.evidenceStayed(more)];
    return [more > fewer ? words.evidenceRose(fewer, more) : words.evidenceFell(fewer, more)];
  }
  const [before, after] = [columns[0]?.judged.overall.score ?? null, columns.at(-1)?.judged.overall.score ?? null];
  if (before === null || after === null) return [];
  const [from, to] = [formatScore(before, language), formatScore(after, language)];
  if (from === to) return [words.stayed(to)];
  return [after > before ? words.rose(from, to) : words.fell(from, to)];
}

/** Of two analyses of a deck: how many values of any kind differ. */
function useValueCounts({ kind, columns }: Compared): readonly string[] {
  const labels = compareLabelsOf(useLanguage());
  const [a, b] = [columns[0], columns.at(-1)];
  const { data } = useQuery({
    ...comparisonQuery(a?.report.analysisId ?? '', b?.report.analysisId ?? ''),
    enabled: kind === 'runs' && a !== b,
  });
  if (data === undefined) return [];
  return [isSame(data) ? labels.same : labels.counts(data.changed, data.equal)];
}
