/** Below the summary: what is not told, and why. */
import type { AnalysisReport } from '../../../domain/decks/report.ts';
import { isOfProfile, lacksProfile, type SummaryTopic } from '../../../domain/decks/review/summary.ts';
import { reviewWords } from '../../../domain/decks/review/words.ts';
import { Button } from '../../ui/button.tsx';
import { useLanguage, useWords } from '../../words/language.ts';
import { useReplay } from '../run/use-replay.ts';
import { runWords } from '../run/words.ts';
import { pageWords } from '../words.ts';

/** Topics of which nothing is told, that the profile was not asked, and what it had to do without. */
export function Untold({
  topics,
  report,
  canReplay,
}: {
  readonly topics: readonly SummaryTopic[];
  readonly report: AnalysisReport;
  /** True where the review can be made anew, with what it lacks. */
  readonly canReplay: boolean;
}) {
  const lacks = lacksProfile(report);
  return (
    <>
      <ByReason topics={topics.filter(({ topic }) => !(lacks && isOfProfile(topic)))} />
      {lacks ? <ProfileNotAsked canReplay={canReplay} /> : null}
      <WithoutSlides slides={report.profile.computedWithout} />
    </>
  );
}

/** Topics of which nothing is told, in one line for each reason. */
function ByReason({ topics }: { readonly topics: readonly SummaryTopic[] }) {
  const language = useLanguage();
  const words = useWords(pageWords);
  const { topics: names, absence: reasons } = reviewWords[language];
  const absences = [...new Set(topics.flatMap(({ absence }) => absence ?? []))];
  return absences.map((absence) => (
    <p key={absence} className="px-3 pt-2 text-sm text-soft">
      {words.untold(
        reasons[absence],
        topics.filter((topic) => topic.absence === absence).map(({ topic }) => names[topic]),
      )}
    </p>
  ));
}

/** Of a review that was made before decks had a profile: a run computes it, and takes everything else from this one. */
function ProfileNotAsked({ canReplay }: { readonly canReplay: boolean }) {
  const { profileNotAsked } = reviewWords[useLanguage()];
  const words = useWords(runWords);
  const replay = useReplay('full', words.profileStarted);
  return (
    <div className="flex flex-wrap items-center gap-2 px-3 pt-2 text-sm text-soft">
      <p>{profileNotAsked}</p>
      {canReplay ? <Button onClick={replay}>{words.askProfile}</Button> : null}
    </div>
  );
}

/** Slides that the profile had to do without. */
function WithoutSlides({ slides }: { readonly slides: readonly number[] }) {
  const words = useWords(pageWords);
  return slides.length === 0 ? null : <p className="px-3 pt-2 text-sm text-soft">{words.withoutSlides(slides)}</p>;
}
