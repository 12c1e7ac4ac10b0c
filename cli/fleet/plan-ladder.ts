/**
 * A plan for people, read from above: the tiers that are tried, each offer or group of offers with its place or the reason it has none, and
 * what is selected.
 */
import type { PlanDocument } from '../../api/client.ts';
import { TIERS } from '../../domain/fleet/selection/tiers.ts';
import { counted } from '../../domain/text/words.ts';
import { clean, painter, type TerminalStyle } from '../terminal/style.ts';
import { tableLines } from '../terminal/table.ts';
import { perHour, perSlide, unreadableLines } from './selection-tables.ts';

type PlannedOffer = PlanDocument['offers'][number];

/** Which lines are shown. */
export interface PlanLines {
  /** Each offer on a line of its own, with its whole reason. */
  readonly all: boolean;
  /** Also offers that the selector does not take. */
  readonly verbose: boolean;
}

/** Offers that share a line. */
interface Group {
  readonly offers: PlannedOffer[];
  readonly first: PlannedOffer;
  readonly isTaken: boolean;
}

/** The plan as text. */
export function renderPlan(plan: PlanDocument, lines: PlanLines, style: TerminalStyle): string {
  const labels = new Map(plan.tiers.map(({ tier, gpu }) => [tier, gpu]));
  const label = (offer: PlannedOffer): string =>
    clean(labels.get(offer.tier ?? '') ?? TIERS.find(({ slug }) => slug === offer.tier)?.gpu ?? offer.gpuModel);
  const selected = plan.offers.filter((offer) => offer.refusal !== 'not_selected');
  const shown = inOrder(lines.verbose ? plan.offers : selected, plan);
  const hasSeveralProviders = new Set(shown.map((offer) => offer.provider)).size > 1;
  const groups = lines.all ? shown.map((offer) => groupOf(offer)) : fold(shown, label, plan);
  const { as } = painter(style);
  const rows = groups.map((group) => [
    `${group.isTaken ? as('green', '✓') : as('red', '✗')} ${label(group.first)}`,
    ...(hasSeveralProviders ? [`· ${distinct(group.offers.map((offer) => offer.provider)).join(', ')}`] : []),
    `· ${whatOf(group, plan)}`,
    `· ${lines.all ? clean(group.first.reason) : whyOf(group, plan)}`,
  ]);
  const tried = distinct(inOrder(selected, plan).map(label));
  const isSold = (tier: string): boolean => selected.some((offer) => offer.tier === tier);
  const unsold = plan.tiers.filter(({ tier }) => !isSold(tier)).map(({ gpu }) => gpu);
  const hidden = plan.offers.length - shown.length;
  const models = plan.models.length === 0 ? 'no models' : plan.models.join(' and ');
  return [
    ...(tried.length === 0 ? [] : [`Ladder ${clean(plan.selector)}: ${tried.join(' → ')}`, '']),
    ...tableLines(rows),
    ...(rows.length === 0 ? [] : ['']),
    ...(unsold.length === 0 || tried.length === 0 ? [] : [`Not sold: ${unsold.join(', ')}.`]),
    // Nothing has to fit where no machine is chosen.
    ...(plan.neededVramGib === 0
      ? []
      : [
          `${models} with ${counted(plan.slots, 'parallel call')} need ${plan.neededVramGib.toFixed(1)} GiB of graphics memory.`,
        ]),
    ...(hidden === 0
      ? []
      : [`${counted(hidden, 'other offer')} ${hidden === 1 ? 'is' : 'are'} not selected (--verbose lists them).`]),
    ...unreadableLines(plan.unreadableRows),
    ...plan.unanswered.map(
      ({ provider, message }) =>
        `${clean(provider)} does not answer, so nothing is known of its offers: ${clean(message)}`,
    ),
    verdict(plan, hasSeveralProviders),
  ].join('\n');
}

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)];

/** Tier by tier where the selector names tiers, in which offers that are taken come first; else as the ladder tries them. */
function inOrder(offers: readonly PlannedOffer[], plan: PlanDocument): PlannedOffer[] {
  const tiers = plan.tiers.map(({ tier }) => tier);
  const place = (offer: PlannedOffer): number => {
    if (offer.refusal === 'not_selected') return tiers.length;
    const index = tiers.indexOf(offer.tier ?? '');
    return index === -1 ? 0 : index;
  };
  return offers.toSorted((a, b) => place(a) - place(b));
}

const groupOf = (first: PlannedOffer): Group => ({ offers: [first], first, isTaken: first.rank !== null });

/** Offers of one tier that are refused for one reason become one line; so do those of one type at one price that are tried one after the other. */
function fold(offers: readonly PlannedOffer[], label: (offer: PlannedOffer) => string, plan: PlanDocument): Group[] {
  const groups: Group[] = [];
  const refused = new Map<string, Group>();
  for (const offer of offers) {
    const last = groups.at(-1);
    const key = `${label(offer)}/${reasonInWords(offer, plan)}`;
    const group =
      offer.rank === null ? refused.get(key) : last?.isTaken === true && isAlike(last.first, offer) ? last : undefined;
    if (group !== undefined) {
      group.offers.push(offer);
      continue;
    }
    const added = groupOf(offer);
    groups.push(added);
    if (!added.isTaken) refused.set(key, added);
  }
  return groups;
}

const isAlike = (a: PlannedOffer, b: PlannedOffer): boolean =>
  a.provider === b.provider &&
  a.instanceType === b.instanceType &&
  a.market === b.market &&
  a.usdPerHour === b.usdPerHour &&
  a.available === b.available;

/** `1A100.40S.22V in FIN-02, FIN-03 (spot)`, or `6 offers` of several types. */
function whatOf({ offers, first, isTaken }: Group, plan: PlanDocument): string {
  if (!isTaken && offers.length > 1) return counted(offers.length, 'offer');
  const hasMarkets = new Set(plan.offers.map((offer) => offer.market)).size > 1;
  const market = hasMarkets || first.market === 'spot' ? ` (${marketWords(first)})` : '';
  return `${clean(first.instanceType)} in ${offers.map((offer) => clean(offer.location)).join(', ')}${market}`;
}

const marketWords = ({ market }: PlannedOffer): string => (market === 'spot' ? 'spot' : 'on demand');

/** The end of a line: prices of what is taken, the reason of what is not, in a few words. */
function whyOf({ offers, first, isTaken }: Group, plan: PlanDocument): string {
  if (isTaken) {
    const notes = [first.rank === 1 ? ', tried first' : '', first.available === null ? ', availability not known' : ''];
    return `${priceWords(first)}${notes.join('')}`;
  }
  const times = distinct(offers.flatMap((offer) => offer.nextTryAt ?? [])).toSorted();
  const [earliest] = times;
  const isHeld = first.refusal !== 'unavailable' && earliest !== undefined;
  const until = isHeld ? ` until ${earliest.slice(11, 19)} UTC${times.length > 1 ? ' or later' : ''}` : '';
  const lowest = perHour(Math.min(...offers.map((offer) => offer.usdPerHour)));
  const price = first.refusal === 'too_expensive' ? `: from ${lowest}/h` : '';
  return `${reasonInWords(first, plan)}${price}${until}`;
}

const priceWords = (offer: PlannedOffer): string =>
  `${perHour(offer.usdPerHour)}/h · ${offer.usdPerSlide === null ? 'cost of a slide not known' : `${perSlide(offer.usdPerSlide)}/slide`}`;

/** Why an offer is refused, in a few words; the sentence is in `reason`. */
function reasonInWords(offer: PlannedOffer, plan: PlanDocument): string {
  switch (offer.refusal) {
    case null:
      return '';
    case 'unavailable':
      return 'not available';
    case 'too_small':
      return offer.gpuCount === 0
        ? 'no GPU'
        : `too small: ${Number(offer.vramGib.toFixed(1))} of ${plan.neededVramGib.toFixed(1)} GiB`;
    case 'too_expensive':
      return 'above the price cap';
    case 'implausible_price':
      return 'price not believed';
    case 'location_not_allowed':
      return 'location not allowed';
    case 'budget_used_up':
      return 'not tried again';
    default:
      // `blocked`, `excluded`, `over_budget`, `not_selected`, and what a newer API may add.
      return clean(offer.refusal).replaceAll('_', ' ');
  }
}

/** What is selected, or why nothing is. */
function verdict(plan: PlanDocument, hasSeveralProviders: boolean): string {
  const best = plan.offers.find((offer) => offer.rank === 1);
  if (best !== undefined) {
    const from = hasSeveralProviders ? ` of ${clean(best.provider)}` : '';
    const slide = best.usdPerSlide === null ? '' : `, about ${perSlide(best.usdPerSlide)} a slide`;
    return `Selected: ${clean(best.instanceType)} in ${clean(best.location)}${from} (${marketWords(best)}) at ${perHour(best.usdPerHour)} an hour${slide}.`;
  }
  if (plan.whyNothing !== null) return `Selected: nothing. ${clean(plan.whyNothing)}`;
  return plan.nextTryAt === null
    ? 'Selected: nothing, and waiting will not change that.'
    : `Selected: nothing now. The next try is at ${plan.nextTryAt}.`;
}
