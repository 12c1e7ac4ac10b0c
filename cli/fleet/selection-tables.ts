/**
 * Tiers and capacity for people. The plan is in `plan-ladder.ts`.
 */
import type { Capacity, TierList } from '../../api/client.ts';
import { counted } from '../../domain/text/words.ts';
import { clean, type TerminalStyle } from '../terminal/style.ts';
import { table, tableLines } from '../terminal/table.ts';

/** `$1.260`; `-` for a price that is not known. */
export const perHour = (value: number | null): string => (value === null ? '-' : `$${value.toFixed(3)}`);
/** `$0.00398`; `-` for a cost that is not known. */
export const perSlide = (value: number | null): string => (value === null ? '-' : `$${value.toFixed(5)}`);
const places = (locations: readonly string[]): string => (locations.length === 0 ? '-' : locations.join(' '));
const orDash = (value: number | null, unit = ''): string => (value === null ? '-' : `${value}${unit}`);

/** `1 row of the catalogue could not be read: …`, as lines; none where all could. */
export const unreadableLines = (rows: readonly string[]): string[] =>
  rows.length === 0
    ? []
    : [`${counted(rows.length, 'row')} of the catalogue could not be read:`, ...rows.map((row) => `  ${clean(row)}`)];

type SoldType = TierList['others'][number];

const TYPE_HEAD = ['TYPE', 'GPUS', 'VRAM', 'VCPU', 'RAM', '$/H', 'SPOT $/H', '$/SLIDE'];
const typeRow = (t: SoldType): string[] => [
  clean(t.instanceType),
  String(t.gpuCount),
  `${Number(t.vramGib.toFixed(1))} GiB`,
  orDash(t.vcpu),
  orDash(t.memoryGib, ' GiB'),
  perHour(t.usdPerHour),
  perHour(t.spotUsdPerHour),
  perSlide(t.usdPerSlide),
  t.spotLocations.length === 0 ? places(t.locations) : `${places(t.locations)} (spot ${places(t.spotLocations)})`,
];

/** The tiers that are sold: selectors and lowest price of each, then its types with prices and where they are available now. */
export function tierTable(list: TierList, style?: TerminalStyle): string {
  const sold = list.items.filter((item) => item.types.length > 0);
  const sections = [
    ...sold.map(({ gpu, selectors, fromUsdPerHour, types }) => ({
      title: `${gpu}: ${selectors.join(', ')}, from ${perHour(fromUsdPerHour)} an hour`,
      types,
    })),
    ...(list.others.length === 0 ? [] : [{ title: 'No tier: by exact name or ANY_<n><GPU>', types: list.others }]),
  ];
  const rows = sections.flatMap(({ types }) => types.map(typeRow));
  const [head = '', ...lines] = tableLines(rows, {
    head: [...TYPE_HEAD, list.isAvailabilityKnown ? 'AVAILABLE' : 'SOLD IN'],
    right: [1, 2, 3, 4, 5, 6, 7],
    indent: '  ',
    ...(style === undefined ? {} : { style }),
  });
  const unsold = list.items.filter((item) => item.types.length === 0).map((item) => item.gpu);
  return [
    head,
    ...sections.flatMap(({ title, types }) => [title, ...lines.splice(0, types.length)]),
    '',
    ...(unsold.length === 0 ? [] : [`${unsoldWords(list)}: ${unsold.join(', ')}.`]),
    ...unreadableLines(list.unreadableRows),
    ...otherProviderLines(list),
    'One-GPU types of a tier are also taken by the -or-less of every tier above it, and by cheapest.',
  ].join('\n');
}

const unsoldWords = ({ unreadableRows }: TierList): string =>
  unreadableRows.length === 0 ? 'Not sold' : 'Not sold, or not among the rows that could be read';

/** That the answer is of one provider of several, and how to ask another one. */
export const otherProviderLines = ({
  provider,
  otherProviders,
}: Pick<TierList, 'provider' | 'otherProviders'>): string[] =>
  otherProviders.length === 0
    ? []
    : [
        `This is ${clean(provider)} alone. For ${otherProviders.map((name) => clean(name)).join(', ')}: --provider NAME.`,
      ];

/** What is available. The provider is named where there are several. */
export function capacityTable(found: Capacity): string {
  const { provider: asked, items, unreadableRows, isAvailabilityKnown } = found;
  const hasSeveral = new Set(items.map((item) => item.provider)).size > 1;
  const provider = (name: string): string[] => (hasSeveral ? [name] : []);
  const lines = table(
    items.map((i) => [
      ...provider(clean(i.provider)),
      clean(i.instanceType),
      clean(i.location),
      i.market,
      i.tier ?? '-',
      perHour(i.usdPerHour),
    ]),
    { head: [...provider('PROVIDER'), 'TYPE', 'LOCATION', 'MARKET', 'TIER', '$/H'] },
  );
  const unknown = `${clean(asked)} does not say what is free: these are all that it sells.`;
  return [
    lines,
    ...(isAvailabilityKnown ? [] : [unknown]),
    ...unreadableLines(unreadableRows),
    ...otherProviderLines(found),
  ].join('\n');
}
