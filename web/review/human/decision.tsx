/** Meet, later or pass: one press decides, the same again takes it back. */
import { MessageSquareText } from 'lucide-react';
import { memo, useState } from 'react';
import { DECISIONS } from '../../../domain/decks/verdicts/kinds.ts';
import type { HumanVerdict } from '../../../domain/decks/verdicts/human-verdict.ts';
import { IconButton } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Popover } from '../../ui/popover.tsx';
import { deckWords } from '../../words/deck.ts';
import { useWords } from '../../words/language.ts';
import { useReviewTools } from '../tools.ts';
import { SayForm } from './say-form.tsx';
import { humanWords } from './words.ts';

/** The buttons. */
export const Decision = memo(function Decision({ decision }: { readonly decision: HumanVerdict | null }) {
  const words = useWords(humanWords);
  const names = useWords(deckWords).decision;
  const { say } = useReviewTools();
  return (
    <div role="group" aria-label={words.decision} className="flex items-center">
      {DECISIONS.map((each) => {
        const isTaken = decision?.text === each;
        return (
          <button
            key={each}
            type="button"
            aria-pressed={isTaken}
            title={isTaken && decision !== null ? words.by(decision.author) : undefined}
            onClick={() => say({ kind: 'decision', decision: isTaken ? null : each })}
            className={classes(
              'min-h-9 border border-l-0 px-3 text-sm first:rounded-l-md first:border-l last-of-type:rounded-r-md',
              isTaken ? 'border-accent bg-accent font-medium text-on-accent' : 'border-line bg-panel hover:bg-raised',
            )}
          >
            {names[each]}
          </button>
        );
      })}
      {decision === null ? null : <Reason decision={decision} />}
    </div>
  );
});

/** Why it was decided so. */
function Reason({ decision }: { readonly decision: HumanVerdict }) {
  const words = useWords(humanWords);
  return (
    <Popover
      align="end"
      label={words.decisionReason}
      trigger={
        <IconButton label={words.decisionReason}>
          <MessageSquareText size={16} className={decision.reason === null ? 'text-soft' : 'text-accent'} aria-hidden />
        </IconButton>
      }
    >
      {(close) => <ReasonForm key={decision.id} decision={decision} close={close} />}
    </Popover>
  );
}

function ReasonForm({ decision, close }: { readonly decision: HumanVerdict; readonly close: () => void }) {
  const words = useWords(humanWords);
  const { say } = useReviewTools();
  const [reason, setReason] = useState(decision.reason ?? '');
  const taken = DECISIONS.find((each) => each === decision.text);
  return (
    <SayForm
      label={words.decisionReason}
      reason={reason}
      onReason={setReason}
      rows={4}
      onSave={() => {
        if (taken !== undefined) say({ kind: 'decision', decision: taken, reason: reason.trim() || null });
      }}
      close={close}
    />
  );
}
