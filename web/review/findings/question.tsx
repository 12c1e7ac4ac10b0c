/** One question of a chapter: what the deck says on it, its score with the reason, and what people say. */
import { memo } from 'react';
import type { ReportQuestion } from '../../../domain/decks/report.ts';
import { isByRules, statementOf } from '../../../domain/decks/review/statement.ts';
import type { JudgedQuestion, JudgedReport } from '../../../domain/decks/verdicts/overlay.ts';
import { subjectOf } from '../../../domain/decks/verdicts/subject.ts';
import { useWords } from '../../words/language.ts';
import { Notes, NoteButton } from '../human/notes.tsx';
import { ScoreEditor } from '../human/score-editor.tsx';
import { humanWords } from '../human/words.ts';
import { Disclosure } from '../../ui/disclosure.tsx';
import type { ReviewModel } from '../selection/stops.ts';
import { pageWords } from '../words.ts';
import { ClaimFoot } from './claim-foot.tsx';
import { Place } from './place.tsx';
import { Quotes } from './quotes.tsx';

/** Buttons of a row: seen where the pointer or the focus is, on the row that is shown, and always without a pointer. */
export const ROW_BUTTONS =
  'no-print -my-1.5 flex shrink-0 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 group-aria-[current]:opacity-100 pointer-coarse:opacity-100';

interface QuestionProps {
  readonly question: ReportQuestion;
  readonly model: ReviewModel;
  readonly judged: JudgedReport;
  readonly onlyDeck: boolean;
}

/** A question with an answer. */
export const Question = memo(function Question({ question, model, judged, onlyDeck }: QuestionProps) {
  const words = useWords(pageWords);
  const key = subjectOf({ of: 'question', slug: question.slug });
  const stop = model.byKey.get(key);
  const judgedQuestion = judged.questions.get(question.slug);
  const statement = statementOf(question);
  const text = onlyDeck || statement === null || statement.verbatim ? null : statement.text;
  return (
    <Place place={key} label={question.text}>
      <div className="flex items-start gap-2">
        <h4 className="min-w-0 grow text-sm font-medium">{question.text}</h4>
        {onlyDeck ? null : (
          <>
            <span className={ROW_BUTTONS}>
              <NoteButton place={key} label={question.text} />
            </span>
            {judgedQuestion === undefined ? null : (
              <ScoreEditor
                question={judgedQuestion}
                text={question.text}
                isByRules={isByRules(question.scoreProvenance)}
              />
            )}
          </>
        )}
      </div>
      <div className="mt-1 flex flex-col gap-1">
        {question.state === 'stated_absent' ? <p className="text-sm text-soft">{words.statedAbsent}</p> : null}
        {text === null ? null : <p className="text-[0.9375rem]">{text}</p>}
        <Quotes place={key} quotes={stop?.quotes ?? []} />
        {onlyDeck ? null : <ScoreReason question={question} judged={judgedQuestion} />}
      </div>
      {onlyDeck ? null : <ClaimFoot stop={stop} label={question.text} model={model} judged={judged} />}
      <Notes subject={key} place={key} judged={judged} />
    </Place>
  );
});

/** Why it has its score, and what to keep in mind. */
function ScoreReason({
  question: { rationale, covered, reason, computedWithout },
  judged,
}: {
  readonly question: ReportQuestion;
  readonly judged: JudgedQuestion | undefined;
}) {
  const words = useWords(pageWords);
  const human = useWords(humanWords);
  const said = judged?.human ?? null;
  return (
    <div className="text-sm text-soft">
      {said === null ? null : (
        <p className="text-ink">
          {`${said.author}: ${human.scored(said.score ?? '–')}${said.reason === null ? '' : `. ${said.reason}`}`}
        </p>
      )}
      {rationale === null ? null : <p>{rationale}</p>}
      {rationale === null && covered === 'partly' ? <p>{words.partly}</p> : null}
      {reason === null ? null : <p className="text-warn">{reason}</p>}
      {computedWithout.length === 0 ? null : <p>{words.withoutSlides(computedWithout)}</p>}
    </div>
  );
}

/** A question without an answer, in a folded list. */
export function OpenQuestion({ question, model, judged }: Omit<QuestionProps, 'onlyDeck'>) {
  const judgedQuestion = judged.questions.get(question.slug);
  const key = subjectOf({ of: 'question', slug: question.slug });
  return (
    <li className="group rounded px-3 py-1.5 text-sm hover:bg-raised">
      <div className="flex items-start gap-2">
        <span className="min-w-0 grow">{question.text}</span>
        <span className={ROW_BUTTONS}>
          <NoteButton place={key} label={question.text} />
        </span>
        {judgedQuestion === undefined ? null : (
          <ScoreEditor question={judgedQuestion} text={question.text} isByRules={isByRules(question.scoreProvenance)} />
        )}
      </div>
      {question.reason === null ? null : <p className="text-soft">{question.reason}</p>}
      {question.state === 'not_supported' ? <Kept question={question} model={model} judged={judged} /> : null}
      <Notes subject={key} place={key} judged={judged} />
    </li>
  );
}

/** An answer that its own check does not support: folded, with its quotes. */
function Kept({ question: { slug, text, answer }, model, judged }: Omit<QuestionProps, 'onlyDeck'>) {
  const words = useWords(pageWords);
  const key = subjectOf({ of: 'question', slug });
  const stop = model.byKey.get(key);
  return (
    <>
      <p className="text-soft">{words.notSupported}</p>
      <Disclosure title={words.showKept}>
        <Place place={key} label={text}>
          {answer === null ? null : <p>{answer}</p>}
          <Quotes place={key} quotes={stop?.quotes ?? []} />
          <ClaimFoot stop={stop} label={text} model={model} judged={judged} />
        </Place>
      </Disclosure>
    </>
  );
}
