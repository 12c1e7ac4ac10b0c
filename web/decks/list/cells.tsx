/** What a column shows of a deck. */
import { UserPen } from 'lucide-react';
import type { ReactNode } from 'react';
import type { DeckEntry } from '../../../domain/decks/list/entry.ts';
import { evidenceFigure, isPitchDeck } from '../../../domain/decks/list/rank.ts';
import type { Decision } from '../../../domain/decks/verdicts/kinds.ts';
import {
  formatCost,
  formatCount,
  formatDay,
  formatDeckDate,
  formatMoney,
  formatMoment,
  formatScore,
  formatShare,
} from '../../format.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { deckWords, sectorName } from '../../words/deck.ts';
import { useLanguage, useWords } from '../../words/language.ts';
import { type ColumnName, decksWords } from '../words.ts';
import { AttentionIcons } from './attention.tsx';
import { DeckStatus } from './status.tsx';

const DECISION_TONES: Readonly<Record<Decision, Tone>> = { meet: 'good', later: 'warn', pass: 'neutral' };

/** The value of a column. */
export function Cell({ column, deck }: { readonly column: ColumnName; readonly deck: DeckEntry }): ReactNode {
  const language = useLanguage();
  const names = useWords(deckWords);
  switch (column) {
    case 'status':
      return <DeckStatus deck={deck} />;
    case 'attention':
      return <AttentionIcons reasons={deck.attention} />;
    case 'score':
      return <Score deck={deck} />;
    case 'evidence':
      return <EvidenceCount evidence={deck.evidence} />;
    case 'round':
      return <Cut text={deck.facts.stage} />;
    case 'market':
      return <Market deck={deck} />;
    case 'coverage':
      return formatShare(deck.coverage, language);
    case 'verified':
      return <Verified deck={deck} />;
    case 'answering':
      return <Answering deck={deck} />;
    case 'sector':
      return <Cut text={deck.sector === null ? null : sectorName(deck.sector, names.sector)} lines={2} />;
    case 'ask':
      return <Ask deck={deck} />;
    case 'date':
      return formatDeckDate(deck.deckDate, language);
    case 'decision':
      return <DecisionBadge decision={deck.decision} />;
    case 'assignee':
      return <Cut text={deck.assignee} />;
    case 'tags':
      return <Tags tags={deck.tags} />;
    case 'created':
      return <span title={formatMoment(deck.createdAt, language)}>{formatDay(deck.createdAt, language)}</span>;
    case 'cost':
      return formatCost(deck.costUsd, language);
    case 'owner':
      return <Cut text={deck.owner} />;
  }
}

/** Text that is cut where the width and the lines end. */
const Cut = ({ text, lines = 1 }: { readonly text: string | null; readonly lines?: 1 | 2 }) =>
  text === null ? (
    '–'
  ) : (
    <span className={lines === 1 ? 'block truncate' : 'line-clamp-2'} title={text}>
      {text}
    </span>
  );

/**
 * The figure of a review: its score, or of a review by rules the evidence that it found, with the score as a title. A score that people changed
 * says so.
 */
export function Score({ deck }: { readonly deck: DeckEntry }) {
  const language = useLanguage();
  const words = useWords(decksWords);
  const { score, machineScore } = deck;
  const evidence = evidenceFigure(deck);
  const shown =
    evidence === null ? (
      <span className="font-semibold">{formatScore(score, language)}</span>
    ) : (
      <span
        className="font-semibold whitespace-nowrap"
        title={score === null ? undefined : words.evidenceScore(formatScore(score, language))}
      >
        <EvidenceCount evidence={evidence} />
      </span>
    );
  if (score === machineScore) return shown;
  const text = words.machineScore(formatScore(machineScore, language));
  return (
    <Tooltip text={text}>
      <span className="inline-flex items-center gap-1">
        <UserPen size={14} aria-hidden className="text-soft" />
        {shown}
        <span className="sr-only">{text}</span>
      </span>
    </Tooltip>
  );
}

/** Questions with evidence of the asked ones: `12 of 34`. */
function EvidenceCount({ evidence }: { readonly evidence: DeckEntry['evidence'] }) {
  const language = useLanguage();
  const words = useWords(decksWords);
  if (evidence === null) return '–';
  return words.evidenceOf(formatCount(evidence.found, language), formatCount(evidence.asked, language));
}

function Verified({ deck: { quotes } }: { readonly deck: DeckEntry }) {
  const language = useLanguage();
  const words = useWords(decksWords);
  if (quotes.total === 0) return formatShare(null, language);
  return (
    <span title={words.ofQuotes(formatCount(quotes.verified, language), formatCount(quotes.total, language))}>
      {formatShare(quotes.verified / quotes.total, language)}
    </span>
  );
}

/** Share of quotes that answer their question; those that nothing judged are counted apart. */
export function Answering({ deck: { quotes, answeringShare } }: { readonly deck: DeckEntry }) {
  const language = useLanguage();
  const words = useWords(decksWords);
  const title = words.ofQuotes(formatCount(quotes.answering, language), formatCount(quotes.total, language));
  return (
    <>
      <span title={answeringShare === null ? undefined : title}>{formatShare(answeringShare, language)}</span>
      {quotes.notJudged === 0 ? null : (
        <span className="block text-xs text-soft">{words.notJudged(formatCount(quotes.notJudged, language))}</span>
      )}
    </>
  );
}

/** The sum that is asked for; the deck's words where no sum was understood. */
export function Ask({ deck: { ask } }: { readonly deck: DeckEntry }) {
  const language = useLanguage();
  if (ask === null) return '–';
  if (ask.amount === null) return <Cut text={ask.text} />;
  return <span title={ask.text ?? undefined}>{formatMoney(ask.amount, ask.currency, language)}</span>;
}

/** The largest market size; the deck's words where no sum was understood. */
export function Market({ deck: { facts } }: { readonly deck: DeckEntry }) {
  const language = useLanguage();
  if (facts.market === null) return '–';
  const { text, amount, currency } = facts.market;
  if (amount === null) return <Cut text={text} />;
  return <span title={text}>{formatMoney(amount, currency, language)}</span>;
}

/** Kind of a document that is no pitch deck. */
export function KindBadge({ deck: { documentKind } }: { readonly deck: DeckEntry }) {
  const names = useWords(deckWords);
  return documentKind === null || isPitchDeck(documentKind) ? null : (
    <Badge tone="warn">{names.kind[documentKind]}</Badge>
  );
}

/** Badges beside the name of a deck: what it is where it is no pitch deck, and the round that it names. */
export function DeckBadges({ deck }: { readonly deck: DeckEntry }) {
  const names = useWords(deckWords);
  const { facts } = deck;
  const round = facts.round === null ? facts.stage : names.round[facts.round];
  return (
    <>
      <KindBadge deck={deck} />
      {round === null ? null : (
        <span title={facts.stage ?? undefined} className="flex min-w-0 shrink">
          <Badge className="max-w-28 min-w-0">
            <span className="truncate">{round}</span>
          </Badge>
        </span>
      )}
    </>
  );
}

/** What people decided. */
export function DecisionBadge({ decision }: { readonly decision: Decision | null }) {
  const names = useWords(deckWords);
  return decision === null ? '–' : <Badge tone={DECISION_TONES[decision]}>{names.decision[decision]}</Badge>;
}

const Tags = ({ tags }: { readonly tags: readonly string[] }) => (
  <span className="flex max-h-10 flex-wrap gap-1 overflow-hidden" title={tags.join(', ')}>
    {tags.map((tag) => (
      <Badge key={tag} className="max-w-full">
        <span className="truncate">{tag}</span>
      </Badge>
    ))}
  </span>
);
