/**
 * Prices of several providers as a table of plain text.
 */
import type { PriceLine } from '../../domain/fleet/selection/price-comparison.ts';
import { bar, clean, cut, type TerminalStyle } from '../terminal/style.ts';
import { table } from '../terminal/table.ts';

/** Prices of a snapshot, compared. */
export interface PriceDocument {
  /** Where the prices are from, with the day on which each source saw them. */
  readonly sources: readonly { readonly name: string; readonly version: string; readonly takenOn: string }[];
  readonly hours: number;
  readonly models: readonly string[];
  /** Parallel calls per machine. */
  readonly slots: number;
  /** Graphics memory that the models need, GiB. */
  readonly neededVramGib: number;
  readonly items: readonly PriceLine[];
}

/** Cells of the bar that shows a price per slide. */
const BAR_CELLS = 12;
/** A full bar is so many times the lowest price, or more: machines with eight GPUs would make all other bars invisible. */
const FULL_BAR_TIMES = 6;

/** Columns of a type's name on a terminal. */
const TYPE_COLUMNS = 26;

const PLAIN: TerminalStyle = { colours: false, width: Number.POSITIVE_INFINITY };

/** One line per provider, type and market. A terminal also gets a bar; elsewhere the multiple of the lowest price tells the same. */
export function priceTable(
  { items, hours, models, slots, neededVramGib }: PriceDocument,
  style: TerminalStyle = PLAIN,
): string {
  const need = `${models.join(' and ')} with ${slots} parallel calls need ${neededVramGib.toFixed(1)} GiB of graphics memory.`;
  if (items.length === 0) return `No machine fits. ${need}`;
  const perSlide = items.flatMap(({ usdPerSlide }) => (usdPerSlide === null ? [] : [usdPerSlide]));
  const lowest = Math.min(...perSlide);
  const isTerminal = Number.isFinite(style.width);
  const rows = items.map((item) => [
    item.provider,
    isTerminal ? cut(clean(item.instanceType), TYPE_COLUMNS) : clean(item.instanceType),
    `${item.gpuCount}× ${item.gpu}`,
    `${item.vramGib} GiB`,
    item.market,
    `$${item.usdPerHour.toFixed(3)}`,
    item.usdPerSlide === null ? '-' : `$${item.usdPerSlide.toFixed(5)}`,
    item.usdPerSlide === null ? '-' : `${(item.usdPerSlide / lowest).toFixed(1)}×`,
    ...(isTerminal
      ? [item.usdPerSlide === null ? '' : bar(item.usdPerSlide / lowest / FULL_BAR_TIMES, BAR_CELLS)]
      : []),
    ...(hours === 1 ? [] : [`$${item.usdForHours.toFixed(2)}`]),
    item.fits ? 'yes' : 'no',
    item.spotShare === null ? '' : `${Math.round(item.spotShare * 100)} %`,
    item.keptDiskUsdPerMonth === null ? '-' : `$${item.keptDiskUsdPerMonth.toFixed(2)}`,
    item.locations === 1 ? clean(item.cheapestLocation) : `${clean(item.cheapestLocation)} (of ${item.locations})`,
    item.takenOn,
  ]);
  const head = [
    'PROVIDER',
    'TYPE',
    'GPU',
    'MEMORY',
    'MARKET',
    '$/H',
    '$/SLIDE',
    'TIMES',
    ...(isTerminal ? [''] : []),
    ...(hours === 1 ? [] : [`$/${hours} H`]),
    'FITS',
    'SPOT',
    'DISK $/MONTH',
    'CHEAPEST IN',
    'PRICE OF',
  ];
  const right = head.flatMap((title, i) => (/^\$|^(?:MEMORY|TIMES|SPOT|DISK.*)$/u.test(title) ? [i] : []));
  const days = [...new Set(items.map(({ takenOn }) => takenOn))].toSorted();
  return [
    table(rows, { head, right, style }),
    '',
    need,
    `Prices of ${days.join(' and ')}, from a snapshot; nothing is bought by them. The price per slide is an estimate from the GPU's memory bandwidth.`,
  ].join('\n');
}
