/** Words in the deck that address the machine that reads it, and words that nobody can see. */
import { memo } from 'react';
import type { AnalysisReport } from '../../../domain/decks/report.ts';
import { Disclosure } from '../../ui/disclosure.tsx';
import { useWords } from '../../words/language.ts';
import { invisibleKey, steeringKey, type ReviewModel } from '../selection/stops.ts';
import { pageWords } from '../words.ts';
import { Place } from './place.tsx';
import { Quotes } from './quotes.tsx';
import { Section } from './section.tsx';

/** Slides with words that nobody can see. */
export const invisibleOf = ({ slides }: Pick<AnalysisReport, 'slides'>) =>
  slides.flatMap(({ number, invisibleText }) => (invisibleText === null ? [] : [{ number, text: invisibleText }]));

/** The section; nothing where there is nothing to warn of. */
export const Warnings = memo(function Warnings({
  report,
  model: { byKey },
}: {
  readonly report: AnalysisReport;
  readonly model: ReviewModel;
}) {
  const words = useWords(pageWords);
  const invisible = invisibleOf(report);
  if (report.steering.length + invisible.length === 0) return null;
  return (
    <Section name="warnings" count={report.steering.length + invisible.length}>
      {report.steering.length === 0 ? null : (
        <>
          <h3 className="px-3 font-medium">{words.steering}</h3>
          <p className="px-3 text-sm text-soft">{words.steeringText}</p>
          {report.steering.map(({ slide, text }, index) => (
            <Place key={steeringKey(index)} place={steeringKey(index)} label={words.quoteOnSlide(slide, text)}>
              <Quotes place={steeringKey(index)} quotes={byKey.get(steeringKey(index))?.quotes ?? []} />
            </Place>
          ))}
        </>
      )}
      {invisible.length === 0 ? null : (
        <>
          <h3 className="mt-2 px-3 font-medium">{words.invisible}</h3>
          <p className="px-3 text-sm text-soft">{words.invisibleText}</p>
          {invisible.map(({ number, text }) => (
            <Place key={invisibleKey(number)} place={invisibleKey(number)} label={words.slide(number)}>
              <Quotes
                place={invisibleKey(number)}
                quotes={byKey.get(invisibleKey(number))?.quotes ?? []}
                look="slides"
              />
              <Disclosure title={words.showWords}>
                <p className="text-sm break-words whitespace-pre-wrap">{text}</p>
              </Disclosure>
            </Place>
          ))}
        </>
      )}
    </Section>
  );
});
