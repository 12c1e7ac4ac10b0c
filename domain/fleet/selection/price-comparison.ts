/**
 * Prices of several providers side by side: from the rows of a dated snapshot to one line per provider, type and market. For people who
 * look around; nothing is ever bought or ranked by it.
 */
import { DeckhandError } from '../../errors.ts';
import { closestName } from '../../text/closest-name.ts';
import { gpuNamed, memoryNamed, retiredName, squash, whyUnsupported } from './gpu-names.ts';
import type { ModelNeed } from './ladder.ts';
import { neededVramGib } from './model-fit.ts';
import { type Market, MARKETS } from './offer.ts';
import { secondsPerSlide, secondsPerSlideTable } from './slide-cost.ts';
import { refusedGpu } from './selector-mistakes.ts';
import { identifyGpu, tierOfGpu, type CatalogueType } from './tiers.ts';

/** A type of machine at one provider, in the locations where it has these prices. Prices are totals per machine. */
export interface PriceRow {
  readonly provider: string;
  readonly instanceType: string;
  /** For people, such as `A100` or `RTX 6000 Ada`. */
  readonly gpu: string;
  readonly gpuCount: number;
  /** Over all GPUs, GiB. */
  readonly vramGib: number;
  /** Null where the source does not say. */
  readonly vcpu: number | null;
  readonly memoryGib: number | null;
  readonly locations: readonly string[];
  readonly onDemandUsdPerHour: number;
  /** Null where there is no spot market, or no sound price of it. */
  readonly spotUsdPerHour: number | null;
  /** Day on which the source saw the price, `2026-10-10`. */
  readonly takenOn: string;
}

/** What is compared. */
export interface PriceWish {
  /** Hours that `usdForHours` is for. */
  readonly hours: number;
  /** Models that a machine should hold, with so many parallel calls. */
  readonly models: readonly ModelNeed[];
  readonly slots: number;
  /** Leaves out machines that do not hold the models. */
  readonly onlyFitting: boolean;
  /** What a kept disk costs per month at a provider, USD; null where it is not known. */
  readonly keptDiskUsdPerMonth: (provider: string) => number | null;
}

/** A provider's type on one market, at its cheapest location. */
export interface PriceLine extends Omit<PriceRow, 'locations' | 'onDemandUsdPerHour' | 'spotUsdPerHour'> {
  readonly tier: string | null;
  readonly market: Market;
  readonly usdPerHour: number;
  readonly usdForHours: number;
  /** Null for a GPU whose speed is not known. */
  readonly usdPerSlide: number | null;
  /** It holds the models, and Deckhand can use its GPU. */
  readonly fits: boolean;
  /** Spot price ÷ on-demand price at this location; null on the on-demand market. */
  readonly spotShare: number | null;
  readonly keptDiskUsdPerMonth: number | null;
  readonly cheapestLocation: string;
  /** Locations with this type on this market, the cheapest included. */
  readonly locations: number;
}

/** One line per provider, type and market, the cheapest per slide first; GPUs whose speed is not known come last, by price per hour. */
export function comparePrices(rows: readonly PriceRow[], wish: PriceWish): PriceLine[] {
  const neededGib = neededVramGib(wish.models, wish.slots);
  const speeds = secondsPerSlideTable({});
  const types = Map.groupBy(rows, (row) => `${row.provider}/${row.instanceType}`);
  return [...types.values()]
    .flatMap((sameType) => MARKETS.flatMap((market) => cheapest(sameType, market)))
    .map(({ row, market, usdPerHour, locations }): PriceLine => {
      const type = catalogueType(row);
      const { family, tier } = identifyGpu(type);
      const seconds = secondsPerSlide(type, speeds);
      return {
        provider: row.provider,
        instanceType: row.instanceType,
        gpu: row.gpu,
        tier,
        gpuCount: row.gpuCount,
        vramGib: row.vramGib,
        vcpu: row.vcpu,
        memoryGib: row.memoryGib,
        market,
        usdPerHour,
        usdForHours: usdPerHour * wish.hours,
        usdPerSlide: seconds === null ? null : (usdPerHour * seconds) / 3600,
        fits: row.vramGib >= neededGib && whyUnsupported(family) === null,
        spotShare: market === 'spot' ? usdPerHour / row.onDemandUsdPerHour : null,
        keptDiskUsdPerMonth: wish.keptDiskUsdPerMonth(row.provider),
        cheapestLocation: row.locations[0] ?? '',
        locations,
        takenOn: row.takenOn,
      };
    })
    .filter((line) => line.fits || !wish.onlyFitting)
    .toSorted(byPrice);
}

/** The row with the lowest price of one type on a market, and how many locations have it; empty where it is not sold on that market. */
function cheapest(rows: readonly PriceRow[], market: Market) {
  const offered = rows.flatMap((row) => {
    const usdPerHour = market === 'ondemand' ? row.onDemandUsdPerHour : row.spotUsdPerHour;
    return usdPerHour === null ? [] : [{ row, market, usdPerHour }];
  });
  const [best] = offered.toSorted(
    (a, b) => a.usdPerHour - b.usdPerHour || compare(a.row.locations[0] ?? '', b.row.locations[0] ?? ''),
  );
  const locations = new Set(offered.flatMap(({ row }) => row.locations)).size;
  return best === undefined ? [] : [{ ...best, locations }];
}

/** By price per slide, then per hour, then by name, so that the order never depends on that of the rows. */
function byPrice(a: PriceLine, b: PriceLine): number {
  if (a.usdPerSlide !== b.usdPerSlide) return compare(a.usdPerSlide ?? Infinity, b.usdPerSlide ?? Infinity);
  if (a.usdPerHour !== b.usdPerHour) return a.usdPerHour - b.usdPerHour;
  return compare(nameOf(a), nameOf(b));
}

const nameOf = ({ provider, instanceType, market }: PriceLine): string => `${provider}/${instanceType}/${market}`;
const compare = <T extends number | string>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

/** The row as selection looks at a provider's type. */
export const catalogueType = ({ gpu, vcpu, memoryGib, ...row }: PriceRow): CatalogueType => ({
  ...row,
  model: gpu,
  ...(vcpu === null ? {} : { vcpu }),
  ...(memoryGib === null ? {} : { memoryGib }),
});

/** Rows of some providers, of all where none is named. @throws DeckhandError `not_found` for one that no row has, with the nearest name */
export function rowsOfProviders(rows: readonly PriceRow[], providers: readonly string[]): readonly PriceRow[] {
  const known = [...new Set(rows.map((row) => row.provider))].toSorted();
  for (const name of providers) {
    if (known.includes(name)) continue;
    const near = closestName(name, known);
    throw new DeckhandError('not_found', `no price of provider "${name}"`, {
      userMessage: `There is no price of a provider "${name}".${near === null ? '' : ` Did you mean ${near}?`}`,
      hint: `Known are ${known.join(', ')}.`,
    });
  }
  return providers.length === 0 ? rows : rows.filter((row) => providers.includes(row.provider));
}

/**
 * Rows with a GPU or of a tier, in any spelling: those whose GPU is called so, else all with the GPU that is recognised in the text, of the
 * memory that it names.
 *
 * @throws DeckhandError `selector_unknown` for a GPU that no row has, with the nearest name, or why it cannot be used
 */
export function rowsOfGpu(rows: readonly PriceRow[], gpu: string): readonly PriceRow[] {
  const wanted = squash(gpu);
  const named = rows.filter((row) => namesOf(row).some((name) => squash(name) === wanted));
  if (named.length > 0) return named;
  const { family } = identifyGpu({ instanceType: '', model: gpu, gpuCount: 1, vramGib: 0, ...NO_PRICE });
  const sameGpu = rows.filter((row) => identifyGpu(catalogueType(row)).family === family);
  const memory = memoryNamed(gpu);
  const tier = memory === null ? undefined : tierOfGpu(family, memory)?.slug;
  const sameTier = sameGpu.filter((row) => identifyGpu(catalogueType(row)).tier === tier);
  if (tier !== undefined && sameTier.length > 0) return sameTier;
  if (sameGpu.length > 0) return sameGpu;
  const retired = retiredName(gpu);
  throw retired === null ? unknownGpu(rows, gpu) : refusedGpu(gpu, retired.why);
}

const NO_PRICE = { onDemandUsdPerHour: 0, spotUsdPerHour: null };

/** Names under which a row's GPU is asked for: its tier, and itself with and without its memory. */
function namesOf(row: PriceRow): string[] {
  const { tier } = identifyGpu(catalogueType(row));
  const perGpuGb = Math.round(row.vramGib / row.gpuCount);
  return [row.gpu, `${row.gpu} ${perGpuGb} GB`, `${row.gpu} ${perGpuGb}`, ...(tier === null ? [] : [tier])];
}

function unknownGpu(rows: readonly PriceRow[], gpu: string): DeckhandError {
  const sold = [...new Set(rows.map((row) => row.gpu))].toSorted();
  const near = closestName(gpu, [...sold, ...rows.map((row) => identifyGpu(catalogueType(row)).tier ?? row.gpu)]);
  const meant = near === null || gpuNamed(gpu) !== null ? '' : ` Did you mean ${near}?`;
  return new DeckhandError('selector_unknown', `no price of GPU "${gpu}"`, {
    userMessage: `There is no price of a GPU "${gpu}".${meant}`,
    hint: `There are prices of ${sold.join(', ')}.`,
  });
}
