/** The charts of the portfolio. Each bar leads to the decks it counts, where the list can show them. */
import { Link } from '@tanstack/react-router';
import type { Language } from '../../domain/models/model-tasks.ts';
import { type Bar, Bars } from '../charts/bars.tsx';
import { Histogram } from '../charts/histogram.tsx';
import { Months } from '../charts/months.tsx';
import type { DecksSearch } from '../decks/search.ts';
import { formatCount, formatDeckDate, formatMoney, formatMonth, formatScore, formatShare } from '../format.ts';
import { deckWords, sectorName } from '../words/deck.ts';
import { useLanguage, useWords } from '../words/language.ts';
import { ChartCard } from './chart-card.tsx';
import { type Band, daysOf, type Portfolio, reached, trimmed, withoutHoles } from './figures.ts';
import { portfolioWords } from './words.ts';

interface ChartProps {
  readonly portfolio: Portfolio;
  /** What the decks were filtered by; each bar adds to it. */
  readonly filter: DecksSearch;
}

/** Months that are drawn. */
const MOST_MONTHS = 24;
/** The list takes both ends of a range in, a band leaves its upper one to the next. */
const BELOW = 0.01;
const NO_DECISION = 'none';

/** One bar of a card. */
interface BarRow {
  readonly name: string;
  readonly decks: number;
  /** Undefined in a chart without means. */
  readonly meanScore?: number | null;
  readonly search?: DecksSearch;
}

const barsOf = (rows: readonly BarRow[], language: Language): Bar[] =>
  rows.map(({ name, decks, meanScore = null, search }) => ({
    key: name,
    name,
    value: decks,
    text: formatCount(decks, language),
    note: meanScore === null ? null : formatScore(meanScore, language),
    ...(search === undefined ? {} : { search }),
  }));

/** A card with bars. `column` names what they are of in the table of its figures. */
function BarsCard({
  title,
  column,
  rows,
  hasMeans = false,
  ...rest
}: {
  readonly title: string;
  readonly lead?: string;
  readonly column: string;
  readonly rows: readonly BarRow[];
  readonly hasMeans?: boolean;
}) {
  const { columns, meanScore: noteName } = useWords(portfolioWords);
  const language = useLanguage();
  const table = {
    head: [column, columns.decks, ...(hasMeans ? [columns.mean] : [])],
    rows: rows.map(({ name, decks, meanScore = null }) => [
      name,
      formatCount(decks, language),
      ...(hasMeans ? [formatScore(meanScore, language)] : []),
    ]),
  };
  return (
    <ChartCard title={title} table={table} {...rest}>
      <Bars label={title} noteName={noteName} bars={barsOf(rows, language)} />
    </ChartCard>
  );
}

/** Decks by sector, with their mean score. */
export function Sectors({ portfolio: { sectors }, filter }: ChartProps) {
  const words = useWords(portfolioWords);
  const { sector: names } = useWords(deckWords);
  const rows = sectors.map(({ sector, ...figures }) => ({
    ...figures,
    name: sector === null ? words.noSector : sectorName(sector, names),
    ...(sector === null ? {} : { search: { ...filter, sector } }),
  }));
  return <BarsCard title={words.sectors} column={words.columns.sector} rows={rows} hasMeans />;
}

/** How many decks have which score. */
export function Scores({ portfolio: { scores, total }, filter }: ChartProps) {
  const words = useWords(portfolioWords);
  const language = useLanguage();
  const scored = scores.reduce((sum, { decks }) => sum + decks, 0);
  const rows = scores.map(({ from, to, decks }, index) => ({
    from,
    name: words.band(String(from), String(to ?? '')),
    decks,
    search: {
      ...filter,
      minScore: String(from),
      maxScore: String(index === scores.length - 1 ? to : (to ?? 0) - BELOW),
    },
  }));
  const unscored = total - scored;
  return (
    <ChartCard
      title={words.scores}
      {...(unscored === 0 ? {} : { lead: words.unscored(unscored, formatCount(unscored, language)) })}
      table={{
        head: [words.columns.score, words.columns.decks],
        rows: scored === 0 ? [] : rows.map(({ name, decks }) => [name, formatCount(decks, language)]),
      }}
    >
      <Histogram
        label={words.scores}
        columns={rows.map(({ from, name, decks, search }, index) => ({
          key: name,
          name: `${from}–${index + 1}`,
          title: `${name}: ${words.decks(decks, formatCount(decks, language))}`,
          value: decks,
          text: formatCount(decks, language),
          search,
        }))}
      />
    </ChartCard>
  );
}

/** How many decks reach which coverage. */
export function Coverage({ portfolio: { coverage }, filter }: ChartProps) {
  const words = useWords(portfolioWords);
  const language = useLanguage();
  const isKnown = coverage.some(({ decks }) => decks > 0);
  const rows = reached(coverage).map(({ least, decks }) => ({
    name: words.atLeast(formatShare(least, language)),
    decks,
    search: { ...filter, minCoverage: String(least) },
  }));
  return (
    <BarsCard
      title={words.coverage}
      lead={words.coverageLead}
      column={words.columns.coverage}
      rows={isKnown ? rows : []}
    />
  );
}

/** Which share of their quotes answers, by decks; the list has no filter by this share. */
export function Answering({ portfolio: { answering } }: Pick<ChartProps, 'portfolio'>) {
  const words = useWords(portfolioWords);
  const language = useLanguage();
  const isKnown = answering.some(({ decks }) => decks > 0);
  const rows = reached(answering).map(({ least, decks }) => ({
    name: words.atLeast(formatShare(least, language)),
    decks,
  }));
  return (
    <BarsCard
      title={words.answering}
      lead={words.answeringLead}
      column={words.columns.answering}
      rows={isKnown ? rows : []}
    />
  );
}

/** Sums that are asked for, by currency. */
export function Asks({ portfolio: { asks }, filter }: ChartProps) {
  const words = useWords(portfolioWords);
  const language = useLanguage();
  const asking = asks.reduce((sum, { decks }) => sum + decks, 0);
  const nameOf = ({ from, to }: Band, currency: string | null): string => {
    const money = (amount: number): string => formatMoney(amount, currency, language);
    if (to === null) return words.askAbove(money(from));
    return from === 0 ? words.askBelow(money(to)) : words.band(money(from), money(to));
  };
  const groups = asks.map(({ currency, bands }) => ({
    currency: currency ?? words.noCurrency,
    rows: trimmed(bands).map((band) => ({ name: nameOf(band, currency), decks: band.decks })),
  }));
  return (
    <ChartCard
      title={words.asks}
      lead={words.asksLead(asking, formatCount(asking, language))}
      table={{
        head: [words.columns.ask, words.columns.decks],
        rows: groups.flatMap(({ currency, rows }) =>
          rows.map(({ name, decks }) => [`${currency}: ${name}`, formatCount(decks, language)]),
        ),
      }}
    >
      {groups.map(({ currency, rows }) => (
        <div key={currency}>
          <h3 className="text-xs font-medium text-soft">{currency}</h3>
          <Bars label={`${words.asks}: ${currency}`} bars={barsOf(rows, language)} />
        </div>
      ))}
      <Link
        to="/"
        search={{ ...filter, sort: '-ask' }}
        className="no-print text-sm text-accent underline-offset-2 hover:underline"
      >
        {words.sortedByAsk}
      </Link>
    </ChartCard>
  );
}

/** Decks and their mean score by the month of the upload. */
export function OverTime({ portfolio, filter }: ChartProps) {
  const words = useWords(portfolioWords);
  const language = useLanguage();
  const months = withoutHoles(portfolio.months);
  const drawn = months.slice(-MOST_MONTHS);
  return (
    <ChartCard
      isWide
      title={words.months}
      lead={months.length > drawn.length ? words.lastMonths(drawn.length) : words.monthsLead}
      table={{
        head: [words.columns.month, words.columns.decks, words.columns.mean],
        rows: months.map(({ month, decks, meanScore }) => [
          formatDeckDate(month, language),
          formatCount(decks, language),
          formatScore(meanScore, language),
        ]),
      }}
    >
      <Months
        label={words.months}
        meanLabel={words.meanScore}
        months={drawn.map(({ month, decks, meanScore }) => ({
          key: month,
          name: formatMonth(month, language),
          title: [
            `${formatDeckDate(month, language)}: ${words.decks(decks, formatCount(decks, language))}`,
            `${words.meanScore} ${formatScore(meanScore, language)}`,
          ].join(', '),
          value: decks,
          text: formatCount(decks, language),
          search: { ...filter, ...daysOf(month) },
          meanScore,
          meanText: formatScore(meanScore, language),
        }))}
      />
    </ChartCard>
  );
}

/** What people decided. */
export function Decisions({ portfolio: { decisions }, filter }: ChartProps) {
  const words = useWords(portfolioWords);
  const { decision: names } = useWords(deckWords);
  const rows = decisions.map(({ decision, decks }) => ({
    name: decision === null ? words.undecided : names[decision],
    decks,
    search: { ...filter, decision: decision ?? NO_DECISION },
  }));
  return <BarsCard title={words.decisions} column={words.columns.decision} rows={rows} />;
}
