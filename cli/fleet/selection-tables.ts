/**
 * Selection for people: tiers, capacity and plan as tables of plain text.
 */
import type { Capacity, PlanDocument, TierList } from '../../api/client.ts';
import { counted } from '../../domain/text/words.ts';
import { clean } from '../terminal/style.ts';
import { table } from '../terminal/table.ts';

const perHour = (value: number | null): string => (value === null ? '-' : `$${value.toFixed(3)}`);
const perSlide = (value: number | null): string => (value === null ? '-' : `$${value.toFixed(5)}`);
const places = (locations: readonly string[]): string => (locations.length === 0 ? '-' : locations.join(' '));

/** `1 row of the catalogue could not be read: …`, as lines; none where all could. */
export const unreadableLines = (rows: readonly string[]): string[] =>
  rows.length === 0
    ? []
    : [`${counted(rows.length, 'row')} of the catalogue could not be read:`, ...rows.map((row) => `  ${clean(row)}`)];

/** Every type by tier, with prices and where it is available now. */
export function tierTable(list: TierList): string {
  const rowsOf = (tier: string, types: TierList['others']): string[][] =>
    types.length === 0
      ? [[tier, list.unreadableRows.length === 0 ? 'not sold' : 'none that could be read', '', '', '', '', '-']]
      : types.map((t) => [
          tier,
          t.instanceType,
          `${t.vramGib} GiB`,
          perHour(t.usdPerHour),
          perHour(t.spotUsdPerHour),
          perSlide(t.usdPerSlide),
          t.spotLocations.length === 0
            ? places(t.locations)
            : `${places(t.locations)} (spot ${places(t.spotLocations)})`,
        ]);
  const rows = [
    ...list.items.flatMap((i) => rowsOf(i.tier, i.types)),
    ...(list.others.length === 0 ? [] : rowsOf('(none)', list.others)),
  ];
  const head = ['TIER', 'TYPE', 'MEMORY', '$/H', 'SPOT $/H', '$/SLIDE', 'AVAILABLE'];
  return [table(rows, { head, right: [3, 4, 5] }), ...unreadableLines(list.unreadableRows)].join('\n');
}

/** What is available. */
export function capacityTable({ items, unreadableRows }: Capacity): string {
  const rows = items.map((i) => [i.instanceType, i.location, i.market, i.tier ?? '-', perHour(i.usdPerHour)]);
  const head = ['TYPE', 'LOCATION', 'MARKET', 'TIER', '$/H'];
  return [table(rows, { head }), ...unreadableLines(unreadableRows)].join('\n');
}

/** The ladder. Without `verbose` offers that the selector does not take are left out. */
export function planTable(plan: PlanDocument, verbose: boolean): string {
  const shown = plan.offers.filter((o) => verbose || o.refusal !== 'not_selected');
  const rows = shown.map((o) => [
    String(o.rank ?? '-'),
    o.instanceType,
    o.location,
    o.market,
    perHour(o.usdPerHour),
    perSlide(o.usdPerSlide),
    o.fits ? 'yes' : 'no',
    o.available === null ? '?' : o.available ? 'yes' : 'no',
    o.nextTryAt === null ? '-' : o.nextTryAt.slice(11, 19),
    o.reason,
  ]);
  const head = ['#', 'TYPE', 'LOCATION', 'MARKET', '$/H', '$/SLIDE', 'FITS', 'AVAILABLE', 'NEXT TRY', 'WHY'];
  const models = plan.models.length === 0 ? 'no models' : plan.models.join(' and ');
  const need = `${models} with ${plan.slots} parallel calls need ${plan.neededVramGib.toFixed(1)} GiB of graphics memory.`;
  const hidden = plan.offers.length - shown.length;
  const rest =
    hidden === 0 ? [] : [`${hidden} other offers are not selected by ${plan.selector} (--verbose lists them).`];
  const best = plan.offers[0];
  const verdict =
    best?.rank === 1
      ? `Best now: ${best.instanceType} in ${best.location} (${best.market}) at ${perHour(best.usdPerHour)} an hour.`
      : plan.nextTryAt === null
        ? 'Nothing can be bought, and waiting will not change that.'
        : `Nothing can be bought now. Next try at ${plan.nextTryAt}.`;
  return [
    ...(rows.length === 0 ? [] : [table(rows, { head, right: [0, 4, 5] }), '']),
    need,
    ...rest,
    ...unreadableLines(plan.unreadableRows),
    verdict,
  ].join('\n');
}
