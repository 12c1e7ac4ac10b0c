/** `deckhand bench sleep`: the cost of each sleep policy, compared with a clairvoyant that knows the length of every idle gap. */
import { SLEEP_POLICIES, type SleepPolicyName } from '../../domain/fleet/pool/pool-config.ts';
import { automaticPolicy } from '../../domain/fleet/sleep/policy.ts';
import type { Arrival } from '../../domain/fleet/prewarm/forecast.ts';
import { hasPaid, replayWarming, type Replay } from '../../domain/fleet/prewarm/replay.ts';
import type { BillingCapability } from '../../domain/fleet/provider/billing.ts';
import { replayOf, uniformArrivals, weeklyRhythm } from '../../testing/fleet/made-up-arrivals.ts';
import type { Figures } from '../figures.ts';
import { breakEvenOf, replay, type Setting } from './replay.ts';
import { readTrace, standardTraces, type Trace } from './traces.ts';

/** A wake: boot and model load. */
const WAKE_SEC = 7 * 60;
/** Drain, shutdown and delete, before billing stops. */
const STOP_LEAD_SEC = 90;
/** Idle time of the policy `fixed`. */
const FIXED_IDLE_MS = 600_000;
const GAPS = 10_000;
const SEED = 20_261;
const PREWARM_SEEDS = 20;
const PREWARM_WEEKS = 8;
const UNIFORM_PER_WEEK = 60;

/** A kind of billing and the aim under it. */
interface BillingKind {
  readonly name: string;
  readonly billing: BillingCapability;
  readonly worstAim: string;
}

const BILLINGS: readonly BillingKind[] = [
  { name: 'per second', billing: { quantumSec: 1, refundsUnused: false }, worstAim: '<= 1.60' },
  { name: '10-minute blocks', billing: { quantumSec: 600, refundsUnused: false }, worstAim: '<= 1.35' },
  { name: '10-minute blocks with refund', billing: { quantumSec: 600, refundsUnused: true }, worstAim: '<= 1.60' },
];
const LEARNED_MEAN_AIM = '<= 1.20';

type Tell = (line: string) => void;

/** Runs the benchmark. @param traceFile further idle gaps, besides the standard ones */
export async function benchSleep(figures: Figures, tell: Tell, traceFile?: string): Promise<void> {
  const traces = standardTraces(GAPS, breakEvenOf({ wakeSec: WAKE_SEC }), SEED);
  const own = traceFile === undefined ? null : readTrace(traceFile);
  tell(`cost ÷ that of a clairvoyant; a wake costs ${WAKE_SEC / 60} min, ${GAPS} gaps per trace`);
  for (const kind of BILLINGS) {
    const setting: Setting = {
      billing: kind.billing,
      wakeSec: WAKE_SEC,
      stopLeadSec: STOP_LEAD_SEC,
      fixedIdleMs: FIXED_IDLE_MS,
      seed: SEED,
    };
    tell(`${kind.name}: auto chooses ${automaticPolicy(kind.billing)}`);
    for (const policy of SLEEP_POLICIES) judge(policy, kind, setting, traces, figures, tell);
    if (own !== null) judgeOwn(own, kind, setting, figures);
  }
  judgePrewarm(figures);
}

function judge(
  policy: SleepPolicyName,
  kind: BillingKind,
  setting: Setting,
  traces: readonly Trace[],
  figures: Figures,
  tell: Tell,
): void {
  const ratios = traces.map(({ name, gapsSec }) => ({ name, ratio: replay(policy, gapsSec, setting).ratio }));
  for (const { name, ratio } of ratios) tell(`  ${policy}, ${name}: ${ratio.toFixed(3)}`);
  const values = ratios.map((r) => r.ratio);
  const mean = values.reduce((sum, v) => sum + v, 0) / values.length;
  const title = `${kind.name}, ${policy}`;
  figures.add(`${title}: worst trace`, Math.max(...values), 'ratio', policy === 'auto' ? kind.worstAim : null);
  figures.add(`${title}: mean of traces`, mean, 'ratio', policy === 'learned' ? LEARNED_MEAN_AIM : null);
}

/** Warming ahead of decks, over eight weeks of a weekly rhythm and of arrivals at any time. */
function judgePrewarm(figures: Figures): void {
  const seeds = Array.from({ length: PREWARM_SEEDS }, (_, i) => SEED + i);
  const replays = (arrivals: (seed: number) => readonly Arrival[]): Replay[] =>
    seeds.map((seed) => replayWarming(replayOf(arrivals(seed), PREWARM_WEEKS)));
  const sum = (all: readonly Replay[], of: (one: Replay) => number): number => all.reduce((s, one) => s + of(one), 0);
  const rhythm = replays((seed) => weeklyRhythm(PREWARM_WEEKS, seed));
  const gained = sum(rhythm, (one) => one.netUsd) / sum(rhythm, (one) => one.clairvoyantUsd);
  figures.add('pre-warm, weekly rhythm: gained ÷ what a clairvoyant gains', gained, 'share', '>= 0.15');
  const uniform = replays((seed) => uniformArrivals(PREWARM_WEEKS, seed, UNIFORM_PER_WEEK));
  figures.add(
    'pre-warm, decks at any time: turned on',
    uniform.filter(hasPaid).length / seeds.length,
    'share',
    '<= 0.05',
  );
}

function judgeOwn({ name, gapsSec }: Trace, kind: BillingKind, setting: Setting, figures: Figures): void {
  for (const policy of SLEEP_POLICIES)
    figures.add(`${kind.name}, ${policy}: ${name}`, replay(policy, gapsSec, setting).ratio, 'ratio');
}
