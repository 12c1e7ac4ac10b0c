/** Strengths: the best evidenced answers with high scores. */
import { memo } from 'react';
import type { JudgedReport } from '../../../domain/decks/verdicts/overlay.ts';
import { useWords } from '../../words/language.ts';
import { strengthKey, type ReviewModel } from '../selection/stops.ts';
import { pageWords } from '../words.ts';
import { Notes } from '../human/notes.tsx';
import { ClaimFoot } from './claim-foot.tsx';
import { Place } from './place.tsx';
import { Quotes } from './quotes.tsx';
import { Section } from './section.tsx';

/** The section. */
export const Strengths = memo(function Strengths({
  model,
  judged,
}: {
  readonly model: ReviewModel;
  readonly judged: JudgedReport;
}) {
  const words = useWords(pageWords);
  const { strengths, byKey } = model;
  return (
    <Section name="strengths">
      {strengths.length === 0 ? <p className="px-3 text-soft">{words.noStrengths}</p> : null}
      {strengths.map(({ claim, chapter, question, text }) => {
        const key = strengthKey(claim);
        const quotes = byKey.get(key)?.quotes ?? [];
        return (
          <Place key={key} place={key} label={question}>
            <p className="text-sm text-soft">{`${chapter}: ${question}`}</p>
            <div className="mt-1 flex flex-col gap-1">
              {text === null ? null : <p className="text-[0.9375rem]">{text}</p>}
              <Quotes place={key} quotes={quotes} look="slides" />
            </div>
            <ClaimFoot stop={byKey.get(key)} label={question} model={model} judged={judged} />
            <Notes subject={claim} place={key} judged={judged} isHome={false} />
          </Place>
        );
      })}
    </Section>
  );
});
