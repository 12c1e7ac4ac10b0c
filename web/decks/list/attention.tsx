/** Why a deck needs a look: one picture per reason, with its words. */
import {
  CircleX,
  EyeOff,
  Languages,
  ListX,
  type LucideIcon,
  Quote,
  ScanText,
  SearchX,
  ShieldAlert,
  TriangleAlert,
} from 'lucide-react';
import type { AttentionReason } from '../../../domain/decks/list/entry.ts';
import { classes } from '../../ui/classes.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { deckWords } from '../../words/deck.ts';
import { useWords } from '../../words/language.ts';
import { decksWords } from '../words.ts';

const PICTURES: Readonly<Record<AttentionReason, { readonly icon: LucideIcon; readonly isBad: boolean }>> = {
  failed: { icon: CircleX, isBad: true },
  unreadable: { icon: ScanText, isBad: true },
  language: { icon: Languages, isBad: true },
  gaps: { icon: ListX, isBad: false },
  steering: { icon: ShieldAlert, isBad: true },
  invisible_text: { icon: EyeOff, isBad: false },
  contradictions: { icon: TriangleAlert, isBad: false },
  few_quotes: { icon: Quote, isBad: false },
  little_found: { icon: SearchX, isBad: false },
};

/** The picture of a reason. */
export function AttentionIcon({ reason }: { readonly reason: AttentionReason }) {
  const { icon: Icon, isBad } = PICTURES[reason];
  return <Icon size={16} aria-hidden className={classes('shrink-0', isBad ? 'text-bad' : 'text-warn')} />;
}

/** Pictures of all reasons; their words are in the tooltip and for screen readers. */
export function AttentionIcons({ reasons }: { readonly reasons: readonly AttentionReason[] }) {
  const { attention } = useWords(deckWords);
  const { noAttention } = useWords(decksWords);
  if (reasons.length === 0) return <span className="sr-only">{noAttention}</span>;
  return (
    <Tooltip
      text={
        <ul>
          {reasons.map((reason) => (
            <li key={reason}>{attention[reason]}</li>
          ))}
        </ul>
      }
    >
      <span className="inline-flex flex-wrap items-center gap-1 py-1">
        {reasons.map((reason) => (
          <AttentionIcon key={reason} reason={reason} />
        ))}
        <span className="sr-only">{reasons.map((reason) => attention[reason]).join(', ')}</span>
      </span>
    </Tooltip>
  );
}

/** The reasons in words, for cards. */
export function AttentionList({ reasons }: { readonly reasons: readonly AttentionReason[] }) {
  const { attention } = useWords(deckWords);
  if (reasons.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1">
      {reasons.map((reason) => (
        <li key={reason} className="flex items-center gap-1.5">
          <AttentionIcon reason={reason} />
          {attention[reason]}
        </li>
      ))}
    </ul>
  );
}
