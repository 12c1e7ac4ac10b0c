/** The forecast of costs as a person reads it in a terminal. */
import type { CostForecastDocument } from '../../api/client.ts';
import { counted, usdText } from '../../domain/text/words.ts';
import { clean } from '../terminal/style.ts';
import { table } from '../terminal/table.ts';

type Figures = NonNullable<CostForecastDocument['total']>;
type Expected = Figures['decks'];

/** `3.1 (0 to 6)`; the range is left out where it is not known. */
function expectedText({ mean, low, high }: Expected, text: (value: number) => string): string {
  return low === null || high === null ? text(mean) : `${text(mean)} (${text(low)} to ${text(high)})`;
}

const oneDecimal = (value: number): string => value.toFixed(1);
const usd = (value: number): string => `$${value.toFixed(2)}`;

const cells = ({ decks, gpuHours, usd: cost }: Figures): string[] => [
  expectedText(decks, oneDecimal),
  expectedText(gpuHours, oneDecimal),
  expectedText(cost, usd),
];

/** The text, without a trailing newline. */
export function renderForecast(forecast: CostForecastDocument): string {
  const { days, total, timezone, historyDays, leastHistoryDays } = forecast;
  const head =
    total === null
      ? [`Too little history: ${counted(historyDays, 'whole day')}; a forecast begins after ${leastHistoryDays}.`]
      : [
          `Expected by ${counted(historyDays, 'day')} of history (${clean(timezone)}); in brackets where most such days lay`,
          '',
          table(
            [
              ['DAY', 'DECKS', 'GPU-HOURS', 'COST'],
              ...days.map(({ day, ...own }) => [day, ...cells(own)]),
              [`${counted(days.length, 'day')} together`, ...cells(total)],
            ],
            { right: [1, 2, 3] },
          ),
        ];
  return [...head, '', monthText(forecast.month), ...forecast.prewarm.map(poolText)].join('\n');
}

/** The month against its budget. */
function monthText({ month, spentUsd, forecastUsd, softUsd, hardUsd }: CostForecastDocument['month']): string {
  const spent = `${month}: ${usdText(spentUsd)} so far`;
  const expected = forecastUsd === null ? spent : `${spent}, about ${usdText(forecastUsd)} at its end`;
  const cap = hardUsd ?? softUsd;
  if (cap === null) return `${expected}; there is no budget for a month.`;
  const caps = [
    ...(softUsd === null ? [] : [`soft ${usdText(softUsd)}`]),
    ...(hardUsd === null ? [] : [`hard ${usdText(hardUsd)}`]),
  ].join(', ');
  const end = Number(forecastUsd ?? spentUsd);
  const reached = [
    ...(hardUsd !== null && end >= Number(hardUsd) ? ['the hard cap'] : []),
    ...(softUsd !== null && end >= Number(softUsd) ? ['the soft cap'] : []),
  ];
  const verdict = reached.length === 0 ? 'within the budget' : `it reaches ${reached[0] ?? ''}`;
  return `${expected}; budget ${caps}: ${verdict}.`;
}

function poolText({ pool, mode, words, replay }: CostForecastDocument['prewarm'][number]): string {
  const regret = replay === null ? '' : ` A clairvoyant would have gained ${usd(replay.regretUsd)} more.`;
  const setting = mode === 'off' ? ' (the setting is off)' : '';
  return `${clean(pool)}${setting}: ${clean(words)}${regret}`;
}
