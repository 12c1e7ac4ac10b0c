/** The chapters with their scores, answers and what was not found. */
import { memo, useMemo } from 'react';
import type { AnalysisReport, ReportChapter, ReportQuestion } from '../../../domain/decks/report.ts';
import { type ChapterEvidence, evidenceFound, leadsWithEvidence } from '../../../domain/decks/review/evidence-found.ts';
import { reviewWords } from '../../../domain/decks/review/words.ts';
import type { JudgedReport, JudgedScore } from '../../../domain/decks/verdicts/overlay.ts';
import { ScoreBars } from '../../charts/score-bars.tsx';
import { formatScore } from '../../format.ts';
import { Disclosure } from '../../ui/disclosure.tsx';
import { useLanguage, useWords } from '../../words/language.ts';
import { humanWords } from '../human/words.ts';
import type { ReviewModel } from '../selection/stops.ts';
import { pageWords } from '../words.ts';
import { groupQuestions } from './grouping.ts';
import { OpenQuestion, Question } from './question.tsx';
import { Section } from './section.tsx';

const chapterId = (slug: string): string => `chapter-${slug}`;

interface ChaptersProps {
  readonly report: AnalysisReport;
  readonly model: ReviewModel;
  readonly judged: JudgedReport;
  readonly onlyDeck: boolean;
}

/** The section. Chapters of which nothing was asked are left out. */
export const Chapters = memo(function Chapters({ report, model, judged, onlyDeck }: ChaptersProps) {
  const words = useWords(pageWords);
  const language = useLanguage();
  const { chapters } = report;
  const found = useMemo(() => evidenceOf(report), [report]);
  const shown = useMemo(
    () =>
      chapters
        .map((chapter) => ({ chapter, groups: groupQuestions(chapter) }))
        .filter(({ groups: { answered, notFound, pending, failed } }) =>
          onlyDeck ? answered.length > 0 : answered.length + notFound.length + pending.length + failed.length > 0,
        ),
    [chapters, onlyDeck],
  );
  if (shown.length === 0) return null;
  const bars = shown.map(({ chapter: { slug, name } }) => {
    const evidence = found?.get(slug);
    if (evidence !== undefined) {
      const { found: value, asked: max } = evidence;
      return { key: slug, name, value, max, text: `${value} / ${max}`, before: null };
    }
    const score = judged.chapters.get(slug);
    const value = score?.score ?? null;
    const machine = score?.machine ?? null;
    return {
      key: slug,
      name,
      value,
      text: formatScore(value, language),
      before: machine === value ? null : machine,
    };
  });
  return (
    <Section name="chapters">
      {onlyDeck || bars.every(({ value }) => value === null) ? null : (
        <ScoreBars
          label={found === null ? words.chapterScores : words.chapterEvidence}
          bars={bars}
          onChoose={(slug) => document.getElementById(chapterId(slug))?.scrollIntoView({ block: 'start' })}
        />
      )}
      {shown.map(({ chapter, groups }) => (
        <Chapter
          key={chapter.slug}
          chapter={chapter}
          groups={groups}
          evidence={found?.get(chapter.slug)}
          model={model}
          judged={judged}
          onlyDeck={onlyDeck}
        />
      ))}
    </Section>
  );
});

/** Questions with evidence by chapter, where these lead and not the scores. */
const evidenceOf = (report: AnalysisReport): ReadonlyMap<string, ChapterEvidence> | null =>
  leadsWithEvidence(report) ? new Map(evidenceFound(report).chapters.map((each) => [each.slug, each])) : null;

function Chapter({
  chapter: { slug, name },
  groups,
  evidence,
  model,
  judged,
  onlyDeck,
}: Omit<ChaptersProps, 'report'> & {
  readonly chapter: ReportChapter;
  readonly evidence: ChapterEvidence | undefined;
  readonly groups: ReturnType<typeof groupQuestions>;
}) {
  const words = useWords(pageWords);
  const { answered, notFound, pending, failed } = groups;
  const folded = (questions: readonly ReportQuestion[], title: string, lead: string | null) =>
    questions.length === 0 ? null : (
      <Disclosure title={title} className="px-3">
        {lead === null ? null : <p className="px-3 text-sm text-soft">{lead}</p>}
        <ul>
          {questions.map((question) => (
            <OpenQuestion key={question.slug} question={question} model={model} judged={judged} />
          ))}
        </ul>
      </Disclosure>
    );
  return (
    <section
      aria-labelledby={`${chapterId(slug)}-title`}
      id={chapterId(slug)}
      className="scroll-mt-[var(--covered,0px)] pt-3"
    >
      <div className="flex flex-wrap items-baseline gap-2 px-3 pb-1">
        <h3 id={`${chapterId(slug)}-title`} className="grow font-semibold">
          {name}
        </h3>
        {onlyDeck ? null : <ChapterScore score={judged.chapters.get(slug)} evidence={evidence} />}
      </div>
      {answered.map((question) => (
        <Question key={question.slug} question={question} model={model} judged={judged} onlyDeck={onlyDeck} />
      ))}
      {onlyDeck ? null : (
        <>
          {folded(notFound, words.notFound(notFound.length), words.nothingFound)}
          {folded(failed, words.notComputed(failed.length), null)}
          {pending.length === 0 ? null : (
            <p className="px-3 py-1 text-sm text-soft">{words.notAsked(pending.length)}</p>
          )}
        </>
      )}
    </section>
  );
}

/** The score, or for how many questions there is evidence; of these the score is told where people gave one. */
function ChapterScore({
  score,
  evidence,
}: {
  readonly score: JudgedScore | undefined;
  readonly evidence: ChapterEvidence | undefined;
}) {
  const words = useWords(pageWords);
  const human = useWords(humanWords);
  const language = useLanguage();
  const { ofChapter } = reviewWords[language].evidence;
  const found = evidence === undefined ? null : ofChapter(evidence.found, evidence.asked);
  if (
    score === undefined ||
    (score.score === null && score.machine === null) ||
    (found !== null && score.overridden === 0)
  )
    return found === null ? null : <span className="text-sm text-soft tabular-nums">{found}</span>;
  return (
    <span className="text-sm text-soft tabular-nums">
      {found === null ? null : `${found} · `}
      <span className="font-semibold text-ink">{formatScore(score.score, language)}</span>
      {` / 7 · ${words.answeredOf(score.scored, score.asked)}`}
      {score.overridden === 0 ? null : ` · ${human.machine(formatScore(score.machine, language))}`}
    </span>
  );
}
