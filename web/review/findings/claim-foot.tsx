/** Below a claim: what its quotes come to, what a person says of it, and the buttons that say it. */
import { Check, UserCheck, UserX, X } from 'lucide-react';
import { JUDGEMENTS, type Judgement } from '../../../domain/decks/verdicts/kinds.ts';
import type { JudgedReport } from '../../../domain/decks/verdicts/overlay.ts';
import { ClaimMark } from '../../marks/quote-marks.tsx';
import { Badge } from '../../ui/badge.tsx';
import { classes } from '../../ui/classes.ts';
import { useWords } from '../../words/language.ts';
import { humanWords } from '../human/words.ts';
import type { ReviewModel, Stop } from '../selection/stops.ts';
import { useReviewTools } from '../tools.ts';

const ICONS = { right: Check, wrong: X } as const;

/** The foot; nothing where no quote was checked and nothing can be judged. */
export function ClaimFoot({
  stop,
  label,
  model: { said },
  judged: { judgements },
}: {
  readonly stop: Pick<Stop, 'mark' | 'subject'> | undefined;
  /** Subject of the claim, as people call it. */
  readonly label: string;
  readonly model: Pick<ReviewModel, 'said'>;
  readonly judged: Pick<JudgedReport, 'judgements'>;
}) {
  const words = useWords(humanWords);
  const { judge } = useReviewTools();
  if (stop === undefined) return null;
  const { mark, subject } = stop;
  if (subject === null || !said.has(subject)) {
    return mark === null ? null : <ClaimMark mark={mark} />;
  }
  const held = judgements.get(subject);
  return (
    <div className="mt-1 flex flex-wrap items-center gap-1.5">
      {held === undefined ? (
        mark === null ? null : (
          <ClaimMark mark={mark} />
        )
      ) : (
        <Badge tone={held.text === 'right' ? 'good' : 'bad'}>
          {held.text === 'right' ? <UserCheck size={13} aria-hidden /> : <UserX size={13} aria-hidden />}
          {words.judgedBy[held.text](held.author)}
        </Badge>
      )}
      <JudgeButtons label={label} held={held?.text ?? null} onJudge={(judgement) => judge(subject, judgement)} />
    </div>
  );
}

/** Right and wrong, seen as the other buttons of a row are. The pressed one takes its judgement back. */
function JudgeButtons({
  label,
  held,
  onJudge,
}: {
  readonly label: string;
  readonly held: Judgement | null;
  readonly onJudge: (judgement: Judgement) => void;
}) {
  const words = useWords(humanWords);
  return (
    <span
      role="group"
      aria-label={words.judgementOn(label)}
      className="no-print flex gap-1 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 group-aria-[current]:opacity-100 pointer-coarse:opacity-100"
    >
      {JUDGEMENTS.map((judgement) => {
        const Icon = ICONS[judgement];
        return (
          <button
            key={judgement}
            type="button"
            aria-pressed={held === judgement}
            aria-label={`${words.judgement[judgement]}: ${label}`}
            title={words.judgementHint[judgement]}
            onClick={() => onJudge(judgement)}
            className={classes(
              'inline-flex min-h-7 items-center gap-1 rounded border px-2 text-xs font-medium',
              held === judgement ? 'border-accent bg-accent text-on-accent' : 'border-line bg-panel hover:border-edge',
            )}
          >
            <Icon size={13} aria-hidden />
            {words.judgement[judgement]}
          </button>
        );
      })}
    </span>
  );
}
