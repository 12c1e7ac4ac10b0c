/** The score of a question: the person's where there is one, with the machine's beside it, and the form that sets it. */
import { useState } from 'react';
import { MAX_SCORE } from '../../../domain/decks/scoring.ts';
import type { JudgedQuestion } from '../../../domain/decks/verdicts/overlay.ts';
import { subjectOf } from '../../../domain/decks/verdicts/subject.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Field, TextArea } from '../../ui/field.tsx';
import { Popover } from '../../ui/popover.tsx';
import { commonWords } from '../../words/common.ts';
import { useWords } from '../../words/language.ts';
import { useReviewTools } from '../tools.ts';
import { humanWords } from './words.ts';

const SCORES = Array.from({ length: MAX_SCORE + 1 }, (_, score) => score);

/** The score, as the button that opens the form. */
export function ScoreEditor({ question, text }: { readonly question: JudgedQuestion; readonly text: string }) {
  const words = useWords(humanWords);
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
          <span className="sr-only">{words.score}</span>
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
  const common = useWords(commonWords);
  const { say, analysisId } = useReviewTools();
  const [score, setScore] = useState<number | null>(human?.score ?? null);
  const [reason, setReason] = useState(human?.reason ?? '');
  const subject = subjectOf({ of: 'question', slug });
  const send = (next: number | null): void => {
    const trimmed = reason.trim();
    say({ kind: 'score', subject, score: next, reason: next === null || trimmed === '' ? null : trimmed, analysisId });
    close();
  };
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (score !== null) send(score);
      }}
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
      <Field label={words.reason}>
        <TextArea
          rows={3}
          maxLength={2000}
          value={reason}
          placeholder={words.reasonHint}
          onChange={({ target }) => setReason(target.value)}
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" disabled={score === null}>
          {common.save}
        </Button>
        {human === null ? null : <Button onClick={() => send(null)}>{words.withdraw}</Button>}
        <Button look="quiet" onClick={close}>
          {common.cancel}
        </Button>
      </div>
    </form>
  );
}
