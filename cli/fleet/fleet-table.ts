/**
 * The fleet as a person reads it in a terminal: per pool what it wants and why, per instance what it is doing and what it has cost.
 */
import type {
  FleetDocument,
  FleetInstanceDocument,
  InstanceHistoryDocument,
  OfferBlockList,
} from '../../api/client.ts';
import { isAwake } from '../../domain/fleet/phases.ts';
import { counted, durationWords } from '../../domain/text/words.ts';
import { clean, cut } from '../terminal-text.ts';

type Pool = FleetDocument['pools'][number];
type Phase = FleetInstanceDocument['phase'];

const REASONS_SHOWN = 3;
const INDENT = '  ';

/** How the table is drawn. */
export interface TableStyle {
  readonly colours: boolean;
  /** Longer lines are cut. */
  readonly width: number;
}

type Paint = (text: string) => string;

const wrapWith =
  (open: number, close: number): Paint =>
  (text) =>
    `\u001B[${open}m${text}\u001B[${close}m`;

interface Paints {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly phase: (phase: Phase) => Paint;
}

/** Colours of a style. */
function paintsOf({ colours }: TableStyle): Paints {
  const plain: Paint = (text) => text;
  if (!colours) return { bold: plain, dim: plain, phase: () => plain };
  const [green, yellow, red, dim] = [wrapWith(32, 39), wrapWith(33, 39), wrapWith(31, 39), wrapWith(2, 22)];
  const byPhase: Readonly<Record<Phase, Paint>> = {
    planned: yellow,
    creating: yellow,
    booting: yellow,
    waking: yellow,
    ready: green,
    cordoned: yellow,
    suspending: dim,
    suspended: dim,
    destroying: red,
    gone: dim,
    failed: red,
  };
  return { bold: wrapWith(1, 22), dim, phase: (phase) => byPhase[phase] };
}

/** USD to the cent; small amounts with more places. */
export const usd = (amount: number): string => `$${amount.toFixed(amount !== 0 && amount < 1 ? 3 : 2)}`;

/** The whole fleet, without a trailing newline. */
export function renderFleet(fleet: FleetDocument, style: TableStyle): string {
  if (fleet.pools.length === 0) {
    return ['There are no pools. The fleet file names them.', ...blockLines(fleet), ...alertLines(fleet)].join('\n');
  }
  const nowMs = Date.parse(fleet.at);
  const pools = fleet.pools.map((pool) => renderPool(pool, nowMs, style));
  const cost = `Machines and disks so far ${usd(fleet.costUsd)}`;
  return [...pools, [cost, ...blockLines(fleet), ...alertLines(fleet)].join('\n')].join('\n\n');
}

/** `provider/location/type/market` is one offer; every other scope stands for more. */
const isOneOffer = (scope: string): boolean => scope.split('/').length === 4 && !scope.includes('*');

/** What is blocked: each scope that is wider than an offer, and how many offers. Nothing when nothing is. */
function blockLines({ blocks }: FleetDocument): string[] {
  if (blocks.length === 0) return [];
  const offers = blocks.filter(({ scope }) => isOneOffer(scope)).length;
  return [
    ...blocks
      .filter(({ scope }) => !isOneOffer(scope))
      .map(
        ({ scope, errorClass, message, blockedUntil }) =>
          `Blocked until ${blockedUntil.slice(11, 19)} UTC: ${scope} (${errorClass}: ${clean(message)})`,
      ),
    ...(offers === 0
      ? []
      : [`${offers} ${offers === 1 ? 'offer is' : 'offers are'} blocked: deckhand plan --pool NAME`]),
    'To lift it before: deckhand fleet unblock',
  ];
}

/** What `fleet unblock` did. */
export function liftedWords({ items }: OfferBlockList): string {
  if (items.length === 0) return 'Nothing is blocked.';
  return [
    ...items.map(({ scope, errorClass }) => `Lifted: ${scope} (${errorClass})`),
    'Instances that wait try again at the end of their pause, within 5 minutes by default (timing.ladderPauseMaxMs).',
  ].join('\n');
}

/** Says how many alerts are open; nothing when none is. */
function alertLines({ openAlerts }: FleetDocument): string[] {
  const { critical, warning, info } = openAlerts;
  const open = critical + warning + info;
  if (open === 0) return [];
  const worst = critical === 0 ? '' : ` (${critical} critical)`;
  return [`${counted(open, 'open alert')}${worst}: deckhand alerts`];
}

function renderPool(pool: Pool, nowMs: number, style: TableStyle): string {
  const { bold, dim } = paintsOf(style);
  const size = pool.min === pool.max ? `${pool.max}` : `${pool.min}–${pool.max}`;
  const selector = pool.provider === 'static' ? 'servers that run already' : `${pool.provider} ${pool.selector}`;
  const head = `${bold(pool.name)}  ${pool.target} of ${size}  ${dim(`${pool.classes.join(' + ')} · ${selector}`)}`;
  const facts = [workOf(pool), `cost so far ${usd(pool.costUsd)}`].join(' · ');
  const reasons = pool.reasons
    .slice(0, REASONS_SHOWN)
    .map((reason) => dim(cut(`${INDENT}${clean(reason)}`, style.width)));
  return [head, `${INDENT}${facts}`, ...reasons, ...renderInstances(pool.instances, nowMs, style)].join('\n');
}

function workOf({ demand }: Pool): string {
  if (demand.openCalls === 0) return 'no open calls';
  const age = demand.oldestAgeMs === null ? '' : `, oldest ${durationWords(demand.oldestAgeMs)}`;
  return `${counted(demand.openCalls, 'open call')}, ${durationWords(demand.openSeconds * 1000)} of work${age}`;
}

const COLUMNS = ['INSTANCE', 'STATE', 'FOR', 'MACHINE', 'PER HOUR', 'COST', 'CALLS'] as const;

function renderInstances(instances: readonly FleetInstanceDocument[], nowMs: number, style: TableStyle): string[] {
  if (instances.length === 0) return [];
  const { dim, phase } = paintsOf(style);
  const rows = instances.map((i) => [
    i.name,
    stateOf(i),
    durationWords(nowMs - Date.parse(i.since)),
    machineOf(i),
    i.provider === 'static' || i.priceUsdPerHour === null ? '–' : usd(i.priceUsdPerHour),
    i.provider === 'static' ? '–' : usd(i.costUsd),
    callsOf(i),
  ]);
  const widths = COLUMNS.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const padded = (cells: readonly string[]): string[] => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0));
  const lines = rows.flatMap((row, index) => {
    const instance = instances[index];
    if (instance === undefined) return [];
    const cells = padded(row).map((cell, column) => (column === 1 ? phase(instance.phase)(cell) : cell));
    const line = `${INDENT}${cells.join('  ').trimEnd()}`;
    const words = needsReason(instance) ? instance.reason : complaintOf(instance);
    return words === null ? [line] : [line, dim(cut(`${INDENT}${INDENT}${clean(words)}`, style.width))];
  });
  return ['', dim(`${INDENT}${padded(COLUMNS).join('  ').trimEnd()}`), ...lines];
}

/** Ready and asleep speak for themselves. */
const needsReason = ({ phase }: FleetInstanceDocument): boolean => phase !== 'ready' && phase !== 'suspended';

/** What is wrong with one that is at work all the same; null = nothing. */
const complaintOf = ({ phase, health }: FleetInstanceDocument): string | null =>
  phase !== 'ready' || health === null || health.level === 'healthy' ? null : `${health.level}: ${health.reason}`;

function stateOf({ phase, serving }: FleetInstanceDocument): string {
  if (phase !== 'booting' && phase !== 'waking') return phase;
  if (serving?.state === 'pulling') {
    const percent = serving.pullPercent === null ? '' : ` ${Math.floor(serving.pullPercent)} %`;
    return `pulling models${percent}`;
  }
  return serving?.state === 'proving' ? 'proving' : phase;
}

/** `1H100.80S.30V FIN-03`, with the market where it is not the ordinary one. */
function machineOf({ offer, provider }: FleetInstanceDocument): string {
  if (offer === null || provider === 'static') return '–';
  const [, location = '', type = '', market = ''] = offer.split('/');
  return `${type} ${location}${market === 'spot' ? ' spot' : ''}`;
}

function callsOf({ serving, phase }: FleetInstanceDocument): string {
  if (serving === null || !isAwake(phase)) return '–';
  return `${serving.inFlight ?? '?'} of ${serving.slots}`;
}

/** One instance with its history, without a trailing newline. */
export function renderInstance(instance: InstanceHistoryDocument, style: TableStyle): string {
  const { bold, dim, phase } = paintsOf(style);
  const facts = `${bold(instance.name)}  ${phase(instance.phase)(instance.phase)}  ${usd(instance.costUsd)} so far`;
  const lines = instance.transitions.map((t) => {
    const time = t.at.slice(0, 19).replace('T', ' ');
    return cut(`${INDENT}${dim(time)}  ${t.to.padEnd(10)}  ${clean(t.reason)}`, style.width);
  });
  return [facts, ...lines].join('\n');
}
