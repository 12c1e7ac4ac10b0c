/** The facts of a topic of the profile as one list, each a place of its own; what is only planned stands last. */
import type { AnalysisReport } from '../../../domain/decks/report.ts';
import { lineMark } from '../../../domain/decks/review/marks.ts';
import { quoteKey } from '../../../domain/decks/review/proof.ts';
import type { SummaryClaim, SummaryFact, Topic } from '../../../domain/decks/review/summary.ts';
import { reviewWords } from '../../../domain/decks/review/words.ts';
import type { JudgedReport } from '../../../domain/decks/verdicts/overlay.ts';
import { AMOUNT } from '../../../domain/profile/statement.ts';
import { useStore } from '../../store.ts';
import { classes } from '../../ui/classes.ts';
import { useLanguage } from '../../words/language.ts';
import { Notes } from '../human/notes.tsx';
import type { ReviewModel } from '../selection/stops.ts';
import { useReviewTools } from '../tools.ts';
import { ClaimFoot } from './claim-foot.tsx';
import { Place } from './place.tsx';
import { Quotes } from './quotes.tsx';

/** The list, with what people say on the topic once below it. */
export function FactList({
  topic,
  claim: { claim, facts },
  report,
  model,
  judged,
  onlyDeck,
}: {
  readonly topic: Topic;
  readonly claim: SummaryClaim;
  readonly report: AnalysisReport;
  readonly model: ReviewModel;
  readonly judged: JudgedReport;
  readonly onlyDeck: boolean;
}) {
  const { topics, planned } = reviewWords[useLanguage()];
  const label = topics[topic];
  const shown = onlyDeck ? withOtherQuotes(facts) : facts;
  const plans = shown.filter(({ isPlan }) => isPlan);
  const list = (items: readonly SummaryFact[]) => (
    <Items topic={topic} label={label} facts={items} model={model} onlyDeck={onlyDeck} />
  );
  const evidence = facts.flatMap((fact) => fact.evidence);
  return (
    <div className="group py-1">
      {list(shown.filter(({ isPlan }) => !isPlan))}
      {plans.length === 0 ? null : (
        <>
          <p className="px-3 pt-1 text-sm text-soft">{`${planned}:`}</p>
          {list(plans)}
        </>
      )}
      <div className="border-l-3 border-transparent px-3">
        {onlyDeck ? null : (
          <ClaimFoot
            stop={{ mark: lineMark(evidence, report.marks.rule), subject: claim }}
            label={label}
            model={model}
            judged={judged}
          />
        )}
        <ClaimNotes claim={claim} places={facts.map(({ key }) => key)} judged={judged} />
      </div>
    </div>
  );
}

/** Facts of which each has a quote that those before it do not have. */
function withOtherQuotes(facts: readonly SummaryFact[]): SummaryFact[] {
  const seen = new Set<string>();
  return facts.filter(({ evidence }) => {
    const keys = evidence.map(quoteKey).filter((key) => !seen.has(key));
    for (const key of keys) seen.add(key);
    return keys.length > 0;
  });
}

function Items({
  topic,
  label,
  facts,
  model,
  onlyDeck,
}: {
  readonly topic: Topic;
  readonly label: string;
  readonly facts: readonly SummaryFact[];
  readonly model: ReviewModel;
  readonly onlyDeck: boolean;
}) {
  // Competitors are names alone: they stand beside each other.
  const isRow = topic === 'competition' && !onlyDeck;
  return (
    <ul className={classes('flex', isRow ? 'flex-wrap' : 'flex-col')}>
      {facts.map((fact, index) => {
        const quotes = model.byKey.get(fact.key)?.quotes ?? [];
        const before = facts[index - 1]?.evidence[0]?.slide;
        const isQuoted = onlyDeck || fact.verbatim;
        return (
          <li key={fact.key}>
            <Place place={fact.key} label={`${label}: ${fact.text}`} isCompact>
              {isQuoted ? (
                <Quotes place={fact.key} quotes={quotes} />
              ) : (
                <div className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
                  <FactText topic={topic} fact={fact} />
                  <Quotes
                    place={fact.key}
                    quotes={quotes}
                    look="slides"
                    isSameSlide={before !== undefined && before === fact.evidence[0]?.slide}
                  />
                </div>
              )}
            </Place>
          </li>
        );
      })}
    </ul>
  );
}

/** Name and value of a fact: amounts large, shares with a bar, roles beside their people. */
function FactText({ topic, fact: { text, typed } }: { readonly topic: Topic; readonly fact: SummaryFact }) {
  if (typed === null) return <p>{text}</p>;
  const { name, value, amount, percent } = typed;
  const isLarge = amount !== null && (topic === 'ask' || topic === 'market');
  if (name === '' || value === '' || (topic === 'ask' && name === AMOUNT))
    return <p className={isLarge ? LARGE : undefined}>{value === '' ? text : value}</p>;
  switch (topic) {
    case 'use_of_funds':
      return (
        <p className="flex items-baseline gap-2">
          <span className="min-w-14 text-right font-semibold tabular-nums">{value}</span>
          {percent === null ? null : <Share percent={percent} />}
          <span>{name}</span>
        </p>
      );
    case 'team':
      return (
        <p>
          <span className="font-medium">{name}</span>
          <span className="text-soft">{`, ${value}`}</span>
        </p>
      );
    case 'ask':
    case 'market':
      // A value says more than its name where that is in it, and a figure that is no amount reads as its words.
      if (value.toLowerCase().includes(name.toLowerCase())) return <p>{value}</p>;
      if (topic === 'market' && amount === null) return <p>{text}</p>;
      return (
        <p>
          <span className={isLarge ? LARGE : 'font-medium'}>{value}</span>
          <span className="ml-2 text-soft">{name}</span>
        </p>
      );
    default:
      return <p>{text}</p>;
  }
}

/** Class of an amount that a reader looks for first. */
export const LARGE = 'text-xl font-semibold tabular-nums';

const Share = ({ percent }: { readonly percent: number }) => (
  <svg viewBox="0 0 100 10" preserveAspectRatio="none" className="h-2 w-16 self-center" aria-hidden>
    <rect width="100" height="10" className="fill-line" />
    <rect width={Math.min(100, percent)} height="10" className="fill-accent" />
  </svg>
);

/** Notes on the claim; the form opens here for any of its places. */
function ClaimNotes({
  claim,
  places,
  judged,
}: {
  readonly claim: string;
  readonly places: readonly string[];
  readonly judged: JudgedReport;
}) {
  const { openNote } = useReviewTools();
  const place = useStore(openNote, (open) => places.find((each) => each === open) ?? claim);
  return <Notes subject={claim} place={place} judged={judged} />;
}
