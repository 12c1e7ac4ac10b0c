/** The charts of the portfolio. Each bar leads to the decks it counts, where the list can show them. */
import { Link } from '@tanstack/react-router';
import { MAX_SCORE } from '../../domain/decks/scoring.ts';
import type { Language } from '../../domain/models/model-tasks.ts';
import { type Bar, Bars } from '../charts/bars.tsx';
import { Histogram } from '../charts/histogram.tsx';
import { Months } from '../charts/months.tsx';
import type { DecksSearch } from '../decks/search.ts';
import { formatCount, formatDeckDate, formatMoney, formatMonth, formatScore, formatShare } from '../format.ts';
import { deckWords, sectorName } from '../words/deck.ts';
import { useLanguage, useWords } from '../words/language.ts';
import { ChartCard } from './chart-card.tsx';
import { type Band, daysOf, type Means, type Portfolio, reached, trimmed, withoutHoles } from './figures.ts';
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
  /** As people write it; undefined in a chart without means, null where no deck has the figure. */
  readonly mean?: string | null;
  readonly search?: DecksSearch;
}

const barsOf = (rows: readonly BarRow[], language: Language): Bar[] =>
  rows.map(({ name, decks, mean = null, search }) => ({
    key: name,
    name,
    value: decks,
    text: formatCount(decks, language),
    note: mean,
    ...(search === undefined ? {} : { search }),
  }));

/** A card with bars. `column` names what they are of in the table of its figures. */
function BarsCard({
  title,
  column,
  rows,
  meanName,
  ...rest
}: {
  readonly title: string;
  readonly lead?: string;
  readonly column: string;
  readonly rows: readonly BarRow[];
  /** Of a chart with means. */
  readonly meanName?: string;
}) {
  const { columns } = useWords(portfolioWords);
  const language = useLanguage();
  const table = {
    head: [column, columns.decks, ...(meanName === undefined ? [] : [meanName])],
    rows: rows.map(({ name, decks, mean = null }) => [
      name,
      formatCount(decks, language),
      ...(meanName === undefined ? [] : [mean ?? '–']),
    ]),
  };
  return (
    <ChartCard title={title} table={table} {...rest}>
      <Bars label={title} bars={barsOf(rows, language)} {...(meanName === undefined ? {} : { noteName: meanName })} />
    </ChartCard>
  );
}

/** The mean that stands for reviews: of the evidence where rules made all of them, else of the score. */
function useMean({ byRules }: Portfolio) {
  const words = useWords(portfolioWords);
  const language = useLanguage();
  return {
    name: byRules ? words.meanEvidence : words.meanScore,
    /** As a share of what can be reached. */
    shareOf: ({ meanScore, meanEvidence }: Means): number | null =>
      byRules ? meanEvidence : meanScore === null ? null : meanScore / MAX_SCORE,
    textOf: ({ meanScore, meanEvidence }: Means): string | null =>
      byRules
        ? meanEvidence === null
          ? null
          : formatShare(meanEvidence, language)
        : meanScore === null
          ? null
          : formatScore(meanScore, language),
  };
}

/** Decks by sector, with a mean of their reviews. */
export function Sectors({ portfolio, filter }: ChartProps) {
  const words = useWords(portfolioWords);
  const { sector: names } = useWords(deckWords);
  const { name: meanName, textOf } = useMean(portfolio);
  const rows = portfolio.sectors.map(({ sector, decks, ...means }) => ({
    decks,
    mean: textOf(means),
    name: sector === null ? words.noSector : sectorName(sector, names),
    ...(sector === null ? {} : { search: { ...filter, sector } }),
  }));
  return <BarsCard title={words.sectors} column={words.columns.sector} rows={rows} meanName={meanName} />;
}

/** How many decks have evidence for which share of the questions. */
export function Evidence({ portfolio: { evidence, total }, filter }: ChartProps) {
  const words = useWords(portfolioWords);
  const language = useLanguage();
  const known = evidence.reduce((sum, { decks }) => sum + decks, 0);
  const rows = evidence.map(({ from, to, decks }) => ({
    from: formatShare(from, language),
    name: words.band(formatShare(from, language), formatShare(to, language)),
    decks,
  }));
  const unknown = total - known;
  return (
    <ChartCard
      title={words.evidence}
      lead={unknown === 0 ? words.evidenceLead : words.unreviewed(unknown, formatCount(unknown, language))}
      table={{
        head: [words.columns.evidence, words.columns.decks],
        rows: known === 0 ? [] : rows.map(({ name, decks }) => [name, formatCount(decks, language)]),
      }}
    >
      <Histogram
        label={words.evidence}
        columns={rows.map(({ from, name, decks }) => ({
          key: name,
          name: from,
          title: `${name}: ${words.decks(decks, formatCount(decks, language))}`,
          value: decks,
          text: formatCount(decks, language),
        }))}
      />
      <Link
        to="/"
        search={{ ...filter, sort: '-rank' }}
        className="no-print text-sm text-accent underline-offset-2 hover:underline"
      >
        {words.sortedByRank}
      </Link>
    </ChartCard>
  );
}

/** Financing rounds that decks name. */
export function Rounds({ portfolio: { rounds }, filter }: ChartProps) {
  const words = useWords(portfolioWords);
  const { round: names } = useWords(deckWords);
  const rows = rounds.map(({ round, decks }) => ({
    name: round === null ? words.noRound : names[round],
    decks,
    ...(round === null ? {} : { search: { ...filter, round } }),
  }));
  return <BarsCard title={words.rounds} column={words.columns.round} rows={rows} />;
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
  return (
    <MoneyCard
      title={words.asks}
      lead={words.asksLead(asking, formatCount(asking, language))}
      column={words.columns.ask}
      amounts={asks}
      search={{ ...filter, sort: '-ask' }}
      link={words.sortedByAsk}
    />
  );
}

/** Sizes of markets that decks name, by currency. */
export function Markets({ portfolio: { markets }, filter }: ChartProps) {
  const words = useWords(portfolioWords);
  const language = useLanguage();
  const naming = markets.reduce((sum, { decks }) => sum + decks, 0);
  return (
    <MoneyCard
      title={words.markets}
      lead={words.marketsLead(naming, formatCount(naming, language))}
      column={words.columns.market}
      amounts={markets}
      search={{ ...filter, sort: '-market' }}
      link={words.sortedByMarket}
    />
  );
}

/** A card with the bands of amounts, by currency, and a link to the list in their order. */
function MoneyCard({
  title,
  lead,
  column,
  amounts,
  search,
  link,
}: {
  readonly title: string;
  readonly lead: string;
  readonly column: string;
  readonly amounts: Portfolio['asks'];
  readonly search: DecksSearch;
  readonly link: string;
}) {
  const words = useWords(portfolioWords);
  const language = useLanguage();
  const nameOf = ({ from, to }: Band, currency: string | null): string => {
    const money = (amount: number): string => formatMoney(amount, currency, language);
    if (to === null) return words.askAbove(money(from));
    return from === 0 ? words.askBelow(money(to)) : words.band(money(from), money(to));
  };
  const groups = amounts.map(({ currency, bands }) => ({
    currency: currency ?? words.noCurrency,
    rows: trimmed(bands).map((band) => ({ name: nameOf(band, currency), decks: band.decks })),
  }));
  return (
    <ChartCard
      title={title}
      lead={lead}
      table={{
        head: [column, words.columns.decks],
        rows: groups.flatMap(({ currency, rows }) =>
          rows.map(({ name, decks }) => [`${currency}: ${name}`, formatCount(decks, language)]),
        ),
      }}
    >
      {groups.map(({ currency, rows }) => (
        <div key={currency}>
          <h3 className="text-xs font-medium text-soft">{currency}</h3>
          <Bars label={`${title}: ${currency}`} bars={barsOf(rows, language)} />
        </div>
      ))}
      <Link to="/" search={search} className="no-print text-sm text-accent underline-offset-2 hover:underline">
        {link}
      </Link>
    </ChartCard>
  );
}

/** Decks and a mean of their reviews by the month of the upload. */
export function OverTime({ portfolio, filter }: ChartProps) {
  const words = useWords(portfolioWords);
  const language = useLanguage();
  const { name: meanName, shareOf, textOf } = useMean(portfolio);
  const months = withoutHoles(portfolio.months);
  const drawn = months.slice(-MOST_MONTHS);
  return (
    <ChartCard
      isWide
      title={words.months}
      lead={months.length > drawn.length ? words.lastMonths(drawn.length) : words.monthsLead}
      table={{
        head: [words.columns.month, words.columns.decks, meanName],
        rows: months.map(({ month, decks, ...means }) => [
          formatDeckDate(month, language),
          formatCount(decks, language),
          textOf(means) ?? '–',
        ]),
      }}
    >
      <Months
        label={words.months}
        meanLabel={meanName}
        months={drawn.map(({ month, decks, ...means }) => ({
          key: month,
          name: formatMonth(month, language),
          title: [
            `${formatDeckDate(month, language)}: ${words.decks(decks, formatCount(decks, language))}`,
            `${meanName} ${textOf(means) ?? '–'}`,
          ].join(', '),
          value: decks,
          text: formatCount(decks, language),
          search: { ...filter, ...daysOf(month) },
          mean: shareOf(means),
          meanText: textOf(means) ?? '–',
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
