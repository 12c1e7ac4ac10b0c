/**
 * What one chaos run does, drawn from its seed: which decks are reviewed, what is asked of their reviews, and what goes wrong when. Pure: the same seed is the same plan.
 * Real processes keep no exact time, so a seed repeats the plan and not every interleaving.
 */
import { DEFAULT_PRIORITY, PRIORITIES } from '../../domain/decks/priority.ts';
import { randomFrom, type Random } from '../../samples/generator/random.ts';

/** Processes that are killed with -9; the supervisor starts them again. */
export const KILLED_SERVICES = ['control', 'convert', 'gateway', 'api', 'temporal', 'postgres'] as const;
export type KilledService = (typeof KILLED_SERVICES)[number];

/** What goes wrong. A kill is a moment; everything else lasts for a while. */
export const FAULT_KINDS = [
  'kill control',
  'kill temporal',
  'model wedged',
  'kill gateway',
  'storage full',
  'kill postgres',
  'provider down',
  'kill convert',
  'model gone',
  'kill api',
  'no capacity',
  'kill watcher',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** One fault, or two at the same moment. */
export interface PlannedFault {
  /** From the start of the run. */
  readonly atMs: number;
  /** How long what is no kill lasts. */
  readonly lastsMs: number;
  readonly kinds: readonly FaultKind[];
}

/** A review that is held for a while. */
export interface PlannedPause {
  /** From the start of the run; later where its review could not be started before. */
  readonly atMs: number;
  /** From when the pause was heard until its end is asked for. */
  readonly lastsMs: number;
}

/** Another priority for a review. */
export interface PlannedPriority {
  /** From the start of the run; later where its review could not be started before. */
  readonly atMs: number;
  /** 1 (critical) … 5 (batch), and not the one it has. */
  readonly priority: number;
}

/** What is asked of a review while it goes on; null = nothing. */
export interface PlannedSteering {
  readonly pause: PlannedPause | null;
  readonly priority: PlannedPriority | null;
}

/** One deck and how its review is run. */
export interface PlannedDeck {
  readonly slides: number;
  /** How it comes in. */
  readonly through: 'api' | 'drop folder';
  /** History length at which its run continues as new; null = as usual, which so small a deck never reaches. */
  readonly continueAsNewAt: number | null;
  /** Null for what comes through the drop folder: its analysis is not known before it has ended. */
  readonly steering: PlannedSteering | null;
}

/** A deck that is deleted with everything of it while it is reviewed. */
export interface PlannedDeletion {
  readonly slides: number;
  /** From the start of the run; later where its review could not be started before. */
  readonly atMs: number;
}

export interface ChaosPlan {
  readonly seed: number;
  readonly decks: readonly PlannedDeck[];
  readonly deletion: PlannedDeletion | null;
  /** Index of the deck whose review is replayed as soon as it has ended. */
  readonly replayed: number;
  /** In order of time. */
  readonly faults: readonly PlannedFault[];
}

const MOST_FAULTS = 4;
/** Machines boot, decks are read and machines fall asleep within this time. */
const LATEST_FAULT_MS = 5000;
const SHORTEST_MS = 300;
const LONGEST_MS = 2500;
const LONGEST_PAUSE_MS = 1500;

export const serviceOf = (kind: FaultKind): KilledService | null =>
  KILLED_SERVICES.find((service) => kind === `kill ${service}`) ?? null;

/** The plan of a seed. */
export function planOf(seed: number): ChaosPlan {
  const random = randomFrom(`a chaos run ${seed}`);
  // Neighbouring seeds begin with different kinds, so that a few runs see all of them.
  const first = FAULT_KINDS[(seed - 1) % FAULT_KINDS.length] ?? 'kill control';
  const count = random.int(1, MOST_FAULTS);
  const faults = Array.from({ length: count }, (_, index) => planFault(random, index === 0 ? first : null));
  const decks = Array.from({ length: random.chance(0.3) ? 2 : 1 }, () => ({
    slides: random.int(4, 6),
    ...random.pick([
      { through: 'api', continueAsNewAt: null },
      { through: 'api', continueAsNewAt: random.int(12, 30) },
      { through: 'drop folder', continueAsNewAt: null },
    ] as const),
  }));
  const deletion = random.chance(0.25) ? { slides: random.int(4, 6), atMs: random.int(500, LATEST_FAULT_MS) } : null;
  // Drawn last: a seed keeps the decks and faults it had before there was any of this.
  const steered = decks.map((deck) => ({ ...deck, steering: deck.through === 'api' ? planSteering(random) : null }));
  const replayed = random.int(0, decks.length - 1);
  return { seed, decks: steered, deletion, replayed, faults: faults.toSorted((a, b) => a.atMs - b.atMs) };
}

function planSteering(random: Random): PlannedSteering {
  const others = PRIORITIES.filter((priority) => priority !== DEFAULT_PRIORITY);
  return {
    pause: random.chance(0.5)
      ? { atMs: random.int(0, LATEST_FAULT_MS), lastsMs: random.int(SHORTEST_MS, LONGEST_PAUSE_MS) }
      : null,
    priority: random.chance(0.5) ? { atMs: random.int(0, LATEST_FAULT_MS), priority: random.pick(others) } : null,
  };
}

function planFault(random: Random, kind: FaultKind | null): PlannedFault {
  const one = kind ?? random.pick(FAULT_KINDS);
  const other = random.chance(0.25) ? random.pick(FAULT_KINDS.filter((k) => k !== one)) : null;
  return {
    atMs: random.int(0, LATEST_FAULT_MS),
    lastsMs: random.int(SHORTEST_MS, LONGEST_MS),
    kinds: other === null ? [one] : [one, other],
  };
}

/** The plan in words, for the message of a failure. */
export function describePlan({ seed, decks, deletion, replayed, faults }: ChaosPlan): string {
  const read = decks.map(({ slides, through, continueAsNewAt, steering }, index) =>
    [
      `${slides} slides`,
      `through the ${through}`,
      ...(continueAsNewAt === null ? [] : [`new at ${continueAsNewAt}`]),
      ...(steering === null ? [] : describeSteering(steering)),
      ...(index === replayed ? ['replayed'] : []),
    ].join(', '),
  );
  if (deletion !== null) read.push(`${deletion.slides} slides, deleted at ${deletion.atMs} ms`);
  const wrong = faults.map(({ atMs, lastsMs, kinds }) => {
    const forTime = kinds.every((kind) => kind.startsWith('kill ')) ? '' : ` for ${lastsMs} ms`;
    return `  ${atMs} ms: ${kinds.join(' and ')}${forTime}`;
  });
  return [`seed ${seed}; decks: ${read.join('; ')}`, ...wrong].join('\n');
}

const describeSteering = ({ pause, priority }: PlannedSteering): string[] => [
  ...(pause === null ? [] : [`paused at ${pause.atMs} ms for ${pause.lastsMs} ms`]),
  ...(priority === null ? [] : [`priority ${priority.priority} at ${priority.atMs} ms`]),
];
