/** The score of a question: the person's where there is one, with the machine's beside it, and the form that sets it. */
import { useState } from 'react';
import { MAX_SCORE } from '../../../domain/decks/scoring.ts';
import { reviewWords } from '../../../domain/decks/review/words.ts';
import type { JudgedQuestion } from '../../../domain/decks/verdicts/overlay.ts';
import { subjectOf } from '../../../domain/decks/verdicts/subject.ts';
import { classes } from '../../ui/classes.ts';
import { Popover } from '../../ui/popover.tsx';
import { useLanguage, useWords } from '../../words/language.ts';
import { useReviewTools } from '../tools.ts';
import { SayForm } from './say-form.tsx';
import { humanWords } from './words.ts';

const SCORES = Array.from({ length: MAX_SCORE + 1 }, (_, score) => score);

/** The score, as the button that opens the form. */
export function ScoreEditor({
  question,
  text,
  isByRules,
}: {
  readonly question: JudgedQuestion;
  readonly text: string;
  /** True where the machine's score is one of rules, which counts evidence. */
  readonly isByRules: boolean;
}) {
  const words = useWords(humanWords);
  const { evidence } = reviewWords[useLanguage()];
  const { score, machine, human } = question;
  const machineText = human === null ? null : words.machine(machine === null ? words.machineNone : String(machine));
  return (
    <Popover
      align="end"
      label={words.scoreOf(text)}
      trigger={
        <button
          type="button"
          className={classes(
            '-my-0.5 flex shrink-0 items-baseline gap-1 rounded border border-line bg-panel px-1.5 py-0.5 text-sm tabular-nums hover:border-edge print:border-0',
            score === null && 'text-soft',
          )}
        >
          {isByRules && human === null && machine !== null ? (
            <span className="text-xs text-soft">{evidence.score}</span>
          ) : (
            <span className="sr-only">{words.score}</span>
          )}
          <span className="font-semibold">{score ?? '–'}</span>
          <span className="text-xs text-soft">/ {MAX_SCORE}</span>
          {machineText === null ? null : <span className="text-xs text-soft">· {machineText}</span>}
        </button>
      }
    >
      {(close) => <ScoreForm question={question} text={text} close={close} />}
    </Popover>
  );
}

function ScoreForm({
  question: { slug, human, machine },
  text,
  close,
}: {
  readonly question: JudgedQuestion;
  readonly text: string;
  readonly close: () => void;
}) {
  const words = useWords(humanWords);
  const { say, analysisId } = useReviewTools();
  const [score, setScore] = useState<number | null>(human?.score ?? null);
  const [reason, setReason] = useState(human?.reason ?? '');
  const subject = subjectOf({ of: 'question', slug });
  const send = (next: number | null): void => {
    const trimmed = reason.trim();
    say({ kind: 'score', subject, score: next, reason: next === null || trimmed === '' ? null : trimmed, analysisId });
  };
  return (
    <SayForm
      label={words.reason}
      reason={reason}
      onReason={setReason}
      rows={3}
      canSave={score !== null}
      onSave={() => send(score)}
      onWithdraw={human === null ? null : () => send(null)}
      close={close}
    >
      <p className="text-sm text-soft">{text}</p>
      <fieldset role="radiogroup">
        <legend className="mb-1 text-sm font-medium">{words.yourScore}</legend>
        <div className="grid grid-cols-8 gap-1">
          {SCORES.map((each) => (
            <label
              key={each}
              className="grid h-9 cursor-pointer place-items-center rounded border border-edge text-sm tabular-nums has-checked:border-accent has-checked:bg-accent has-checked:text-on-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                name="score"
                className="sr-only"
                checked={score === each}
                onChange={() => setScore(each)}
              />
              {each}
            </label>
          ))}
        </div>
      </fieldset>
      <p className="text-sm text-soft">{words.machine(machine === null ? words.machineNone : String(machine))}</p>
    </SayForm>
  );
}
