/** How a claim changed, in a word or two. */
import type { ChangeKind } from '../../domain/decks/compare/claim-changes.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import { useWords } from '../words/language.ts';
import { compareWords } from './words.ts';

const TONES: Readonly<Record<ChangeKind, Tone>> = {
  figures: 'accent',
  appeared: 'good',
  disappeared: 'bad',
  words: 'neutral',
  proof: 'warn',
  score: 'neutral',
};

/** The badge; nothing for a claim that did not change. */
export function ChangeBadge({ kind }: { readonly kind: ChangeKind | undefined }) {
  const words = useWords(compareWords);
  return kind === undefined ? null : <Badge tone={TONES[kind]}>{words.changes[kind]}</Badge>;
}
