/** Special readings of decks of health sectors: clinical, regulatory, science. */
import { memo } from 'react';
import type { AnalysisReport } from '../../../domain/decks/report.ts';
import { absenceOf } from '../../../domain/decks/review/absence.ts';
import { reviewWords } from '../../../domain/decks/review/words.ts';
import type { JudgedReport } from '../../../domain/decks/verdicts/overlay.ts';
import { subjectOf } from '../../../domain/decks/verdicts/subject.ts';
import { useLanguage, useWords } from '../../words/language.ts';
import { Notes, NoteButton } from '../human/notes.tsx';
import type { ReviewModel } from '../selection/stops.ts';
import { pageWords } from '../words.ts';
import { ClaimFoot } from './claim-foot.tsx';
import { Place } from './place.tsx';
import { ROW_BUTTONS } from './question.tsx';
import { Quotes } from './quotes.tsx';
import { hasReadings, readingPoints } from './reading-points.ts';
import { Section } from './section.tsx';

type Reading = AnalysisReport['specialised'][number];

/** The section; nothing for a deck that has no such readings. */
export const Readings = memo(function Readings({
  specialised,
  model,
  judged,
  onlyDeck,
}: {
  readonly specialised: readonly Reading[];
  readonly model: ReviewModel;
  readonly judged: JudgedReport;
  readonly onlyDeck: boolean;
}) {
  if (!hasReadings(specialised)) return null;
  return (
    <Section name="readings">
      {specialised.map((reading) => (
        <ReadingRow key={reading.kind} reading={reading} model={model} judged={judged} onlyDeck={onlyDeck} />
      ))}
    </Section>
  );
});

function ReadingRow({
  reading,
  model,
  judged,
  onlyDeck,
}: {
  readonly reading: Reading;
  readonly model: ReviewModel;
  readonly judged: JudgedReport;
  readonly onlyDeck: boolean;
}) {
  const words = useWords(pageWords);
  const language = useLanguage();
  const { readings, absence } = reviewWords[language];
  const key = subjectOf({ of: 'reading', reading: reading.kind });
  const label = readings[reading.kind];
  const quotes = model.byKey.get(key)?.quotes ?? [];
  if (reading.summary === null && quotes.length === 0) {
    if (onlyDeck) return null;
    return (
      <p className="px-3 py-2 text-sm">
        <span className="font-medium">{label}: </span>
        <span className="text-soft">{reading.reason ?? absence[absenceOf(reading.status)]}</span>
      </p>
    );
  }
  const { points, others } = readingPoints(
    reading,
    quotes.map(({ quote }) => quote ?? ''),
  );
  return (
    <Place place={key} label={label}>
      <div className="flex items-start gap-2">
        <h3 className="grow font-medium">{label}</h3>
        <span className={ROW_BUTTONS}>
          <NoteButton place={key} label={label} />
        </span>
      </div>
      <div className="flex flex-col gap-1">
        {reading.summary === null || onlyDeck ? null : <p className="text-sm">{reading.summary}</p>}
        {points.map(({ heading, text, quotes: own }) => (
          <div key={heading} className="flex flex-col gap-1 text-sm">
            <h4 className="mt-1 font-medium text-soft">{heading}</h4>
            {text === null || onlyDeck ? null : <p>{text}</p>}
            <Quotes place={key} quotes={quotes} only={own} />
          </div>
        ))}
        <Quotes place={key} quotes={quotes} only={others} />
        {reading.computedWithout.length === 0 ? null : (
          <p className="text-sm text-soft">{words.withoutSlides(reading.computedWithout)}</p>
        )}
      </div>
      {onlyDeck ? null : <ClaimFoot stop={model.byKey.get(key)} label={label} model={model} judged={judged} />}
      <Notes subject={key} place={key} judged={judged} />
    </Place>
  );
}
