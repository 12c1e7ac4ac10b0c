/**
 * Faults of a simulated machine, as data: the symptoms of each fault, its effect on the model server, and the remedy that ends it.
 *
 * The remedies work as on real machines: a restarted model server starts a new runner, a reboot resets the GPU and the driver, and permanent
 * damage ends only with the machine. `healedBy` overrides this, to test a remedy that does not help.
 */
import { z } from 'zod';

/** From the weakest to the strongest: each also ends what the weaker ones end. */
export const REMEDIES = ['restart', 'reboot', 'replacement'] as const;
export type Remedy = (typeof REMEDIES)[number];

const seconds = z.number().min(0);
const gpu = z.int().min(0).default(0);

const when = {
  /** Start of the fault after the machine first ran, or after it was set on a running machine. */
  afterSec: seconds.default(0),
  /** Length of the fault; it then ends without a remedy. */
  forSec: seconds.optional(),
  /** The remedy that ends it, instead of the usual one. */
  healedBy: z.enum(REMEDIES).optional(),
};

const kind = <Kind extends string, Shape extends z.core.$ZodShape>(name: Kind, shape: Shape) =>
  z.strictObject({ kind: z.literal(name), ...when, ...shape });

export const machineFaultSchema = z.discriminatedUnion('kind', [
  /** The model server answers, but its generations never end. */
  kind('wedged', {}),
  /** Models run on the CPU: nothing of them is in the GPU's memory. */
  kind('cpu_only', {}),
  /** Generations have this speed. */
  kind('slow', { tokensPerSecond: z.number().positive().default(2) }),
  /** An error in the kernel log, with the effects of that error. */
  kind('xid', { xid: z.int().min(1).max(999), gpu }),
  kind('overheating', { gpu, marginC: z.number().default(0) }),
  /** The driver knows the GPU and cannot reach it. */
  kind('gpu_lost', { gpu }),
  /** The driver shows no GPU. */
  kind('no_gpu', {}),
  kind('row_remap', { gpu, state: z.enum(['pending', 'failed']).default('pending') }),
  kind('ecc', { gpu, uncorrected: z.int().min(1).default(1) }),
  kind('disk_full', {}),
  /** Commands on the machine get no answer; its model server keeps running. */
  kind('no_answer', {}),
]);

export type MachineFault = z.infer<typeof machineFaultSchema>;
export type MachineFaultInput = z.input<typeof machineFaultSchema>;

/** Effect of a fault on the model server. */
export type ModelEffect = 'none' | 'wedged' | 'cpu_only';

interface FaultRule {
  readonly healedBy: Remedy;
  readonly effect: ModelEffect;
}

const RULES: Readonly<Record<Exclude<MachineFault['kind'], 'xid'>, FaultRule>> = {
  wedged: { healedBy: 'restart', effect: 'wedged' },
  cpu_only: { healedBy: 'restart', effect: 'cpu_only' },
  slow: { healedBy: 'reboot', effect: 'none' },
  overheating: { healedBy: 'replacement', effect: 'none' },
  gpu_lost: { healedBy: 'reboot', effect: 'wedged' },
  no_gpu: { healedBy: 'reboot', effect: 'cpu_only' },
  row_remap: { healedBy: 'reboot', effect: 'none' },
  ecc: { healedBy: 'reboot', effect: 'none' },
  disk_full: { healedBy: 'replacement', effect: 'none' },
  no_answer: { healedBy: 'replacement', effect: 'none' },
};

/** Errors by their remedy; other numbers are only logged. With 79 the GPU is lost, and a reboot of the guest does not bring it back. */
const XIDS: Readonly<Record<Remedy, readonly number[]>> = {
  restart: [13, 31, 94],
  reboot: [48, 62, 64, 74, 95, 109, 119, 120, 140],
  replacement: [79],
};
const NOTED_ONLY: FaultRule = { healedBy: 'restart', effect: 'none' };

const ruleOf = (fault: MachineFault): FaultRule => {
  if (fault.kind === 'xid') {
    const healedBy = REMEDIES.find((remedy) => XIDS[remedy].includes(fault.xid));
    return healedBy === undefined ? NOTED_ONLY : { healedBy, effect: 'wedged' };
  }
  // A row that could not be remapped stays broken.
  if (fault.kind === 'row_remap' && fault.state === 'failed') return { ...RULES.row_remap, healedBy: 'replacement' };
  return RULES[fault.kind];
};

export const effectOf = (fault: MachineFault): ModelEffect => ruleOf(fault).effect;

/** True when the remedy ends the fault. */
export const isHealedBy = (fault: MachineFault, remedy: Remedy): boolean =>
  REMEDIES.indexOf(remedy) >= REMEDIES.indexOf(fault.healedBy ?? ruleOf(fault).healedBy);
