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
  answering: 'warn',
  score: 'neutral',
};

/** The badge; nothing for a claim that did not change. `isValue`: of a value, where it does not matter what of it changed. */
export function ChangeBadge({
  kind,
  isValue = false,
}: {
  readonly kind: ChangeKind | undefined;
  readonly isValue?: boolean;
}) {
  const words = useWords(compareWords);
  if (kind === undefined) return null;
  const isPlain = isValue && (kind === 'figures' || kind === 'words');
  return <Badge tone={TONES[kind]}>{isPlain ? words.changed : words.changes[kind]}</Badge>;
}
