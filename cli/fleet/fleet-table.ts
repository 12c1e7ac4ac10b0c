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
import { counted, durationWords, usdText } from '../../domain/text/words.ts';
import { clean, cut, paint, painter, type TerminalStyle, type TextFormat } from '../terminal/style.ts';
import { tableLines } from '../terminal/table.ts';
import { priceNow } from './price-now.ts';

type Pool = FleetDocument['pools'][number];
type Phase = FleetInstanceDocument['phase'];

const REASONS_SHOWN = 3;
const INDENT = '  ';
const PHASE_WIDTH = 10;
/** Where the reasons of an instance's history begin: after the time and the phase. */
const REASON_COLUMN = 35;

const COLOURS: Readonly<Record<Phase, TextFormat>> = {
  planned: 'yellow',
  creating: 'yellow',
  booting: 'yellow',
  waking: 'yellow',
  ready: 'green',
  cordoned: 'yellow',
  suspending: 'dim',
  suspended: 'dim',
  destroying: 'red',
  gone: 'dim',
  failed: 'red',
};

/** The whole fleet, without a trailing newline. */
export function renderFleet(fleet: FleetDocument, style: TerminalStyle): string {
  if (fleet.pools.length === 0) {
    return ['There are no pools. The fleet file names them.', ...blockLines(fleet), ...alertLines(fleet)].join('\n');
  }
  const nowMs = Date.parse(fleet.at);
  const pools = fleet.pools.map((pool) => renderPool(pool, nowMs, style));
  const cost = `Machines and disks so far ${usdText(fleet.costUsd)}`;
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
    'To lift it now: deckhand fleet unblock',
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

function renderPool(pool: Pool, nowMs: number, style: TerminalStyle): string {
  const { bold, dim } = painter(style);
  const size = pool.min === pool.max ? `${pool.max}` : `${pool.min}–${pool.max}`;
  const selector =
    pool.provider === 'static'
      ? 'servers that run already'
      : `${pool.providers.map((name) => clean(name)).join(', ')} ${pool.selector}`;
  const head = `${bold(pool.name)}  ${pool.target} of ${size}  ${dim(`${pool.classes.join(' + ')} · ${selector}`)}`;
  const facts = [workOf(pool), `cost so far ${usdText(pool.costUsd)}`].join(' · ');
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

function renderInstances(instances: readonly FleetInstanceDocument[], nowMs: number, style: TerminalStyle): string[] {
  if (instances.length === 0) return [];
  const { dim } = painter(style);
  const rows = instances.map((i) => [
    i.name,
    paint(stateOf(i), COLOURS[i.phase], style),
    durationWords(nowMs - Date.parse(i.since)),
    machineOf(i),
    priceOf(i),
    i.provider === 'static' ? '–' : usdText(i.costUsd),
    callsOf(i),
  ]);
  const [head = '', ...lines] = tableLines(rows, { head: COLUMNS, indent: INDENT, style });
  return [
    '',
    head,
    ...instances.flatMap((instance, index) => {
      const words = needsReason(instance) ? instance.reason : complaintOf(instance);
      const line = lines[index] ?? '';
      return words === null ? [line] : [line, dim(cut(`${INDENT}${INDENT}${clean(words)}`, style.width))];
    }),
  ];
}

/** The phases ready and suspended need no reason. */
const needsReason = ({ phase }: FleetInstanceDocument): boolean => phase !== 'ready' && phase !== 'suspended';

/** What is wrong with a working instance; null = nothing. */
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

function priceOf(instance: FleetInstanceDocument): string {
  const price = priceNow(instance);
  if (price === null) return '–';
  return 'usdPerHour' in price ? usdText(price.usdPerHour) : price.keptOnly;
}

function callsOf({ serving, phase }: FleetInstanceDocument): string {
  if (serving === null || !isAwake(phase)) return '–';
  return `${serving.inFlight ?? '?'} of ${serving.slots}`;
}

/** One instance with its history, without a trailing newline. */
export function renderInstance(instance: InstanceHistoryDocument, style: TerminalStyle): string {
  const { bold, dim } = painter(style);
  const facts = `${bold(instance.name)}  ${paint(instance.phase, COLOURS[instance.phase], style)}  ${usdText(instance.costUsd)} so far`;
  const rows = instance.transitions.map(({ at, to, reason }) => [
    dim(at.slice(0, 19).replace('T', ' ')),
    to,
    cut(clean(reason), style.width - REASON_COLUMN),
  ]);
  const lines = tableLines(rows, { indent: INDENT, least: [0, PHASE_WIDTH] });
  const setup = instance.setupVersion === null ? [] : [dim(`${INDENT}set-up ${clean(instance.setupVersion)}`)];
  return [facts, ...setup, ...lines].join('\n');
}
