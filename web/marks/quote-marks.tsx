/**
 * The two marks of a quote, and the mark of a claim by its quotes. Each has a shape of its own, and words for those who do not see it; green is only
 * what stands on the slide and answers its question.
 */
import {
  CheckCheck,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CircleQuestionMark,
  CircleX,
  FileCheck,
  FileX,
  type LucideIcon,
} from 'lucide-react';
import type { ReportEvidence } from '../../domain/decks/report.ts';
import { type Mark, quoteMark } from '../../domain/decks/review/marks.ts';
import { isProof } from '../../domain/decks/review/proof.ts';
import { reviewWords } from '../../domain/decks/review/words.ts';
import type { Answering, AnsweringLevel } from '../../domain/evidence/answering.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import { useLanguage, useWords } from '../words/language.ts';
import { markWords } from './words.ts';

type Judged = Pick<ReportEvidence, 'verdict' | 'answering'>;

/** Shapes of how well a quote answers. */
export const ANSWERING_ICONS: Readonly<Record<Answering | 'not_judged', LucideIcon>> = {
  high: CircleCheck,
  some: CircleDot,
  doubtful: CircleQuestionMark,
  not_judged: CircleDashed,
};

/** Colour of one of the two marks of a quote: green only where both are good. @param isBad of this mark */
export const toneOf = (quote: Judged, level: AnsweringLevel, isBad: boolean): string =>
  quoteMark(quote, { level }) === 'settled' ? 'text-good' : isBad ? 'text-warn' : 'text-soft';

/** Both marks of a quote, as two small pictures. */
export function QuoteMarks({
  quote,
  level,
}: {
  readonly quote: Judged;
  /** Level from which on a quote answers, by the report's rule. */
  readonly level: AnsweringLevel;
}) {
  const words = useWords(markWords);
  const { answering: names } = reviewWords[useLanguage()];
  const onSlide = isProof(quote);
  const answering = quote.answering ?? 'not_judged';
  const slideText = onSlide ? words.onSlide : words.verdict[quote.verdict];
  return (
    <span className="inline-flex shrink-0 items-center gap-0.5 self-center align-[-0.15em]">
      <span className="sr-only">{` (${slideText}, ${names[answering]})`}</span>
      <Picture icon={onSlide ? FileCheck : FileX} text={slideText} className={toneOf(quote, level, !onSlide)} />
      <Picture
        icon={ANSWERING_ICONS[answering]}
        text={names[answering]}
        className={toneOf(quote, level, answering === 'doubtful')}
      />
    </span>
  );
}

const Picture = ({
  icon: Icon,
  text,
  className,
}: {
  readonly icon: LucideIcon;
  readonly text: string;
  readonly className: string;
}) => (
  <span title={text} className={className} aria-hidden>
    <Icon size={14} />
  </span>
);

const CLAIM_ICONS: Readonly<Record<Mark, LucideIcon>> = {
  settled: CheckCheck,
  on_slide: CircleDot,
  not_judged: CircleDashed,
  doubtful: CircleQuestionMark,
  not_proved: CircleX,
};

const CLAIM_TONES: Readonly<Record<Mark, Tone>> = {
  settled: 'good',
  on_slide: 'neutral',
  not_judged: 'neutral',
  doubtful: 'warn',
  not_proved: 'warn',
};

/** The mark of a claim; what it means in full is its title. */
export function ClaimMark({ mark }: { readonly mark: Mark }) {
  const words = useWords(markWords);
  const { marks } = reviewWords[useLanguage()];
  const Icon = CLAIM_ICONS[mark];
  return (
    <span title={marks[mark]}>
      <Badge tone={CLAIM_TONES[mark]}>
        <Icon size={13} aria-hidden />
        {words.claim[mark]}
        <span className="sr-only">{`: ${marks[mark]}`}</span>
      </Badge>
    </span>
  );
}
