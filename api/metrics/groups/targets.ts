/** The targets over the last 30 days. They move slowly and are the dearest to read, so they are read once a minute. */
import type { Sample } from '../../../domain/metrics/definitions.ts';
import { judgeTargets } from '../../../domain/targets/targets.ts';
import { loadFleet } from '../../../platform/fleet-config.ts';
import { readTargetFacts } from '../../targets/facts.ts';
import { sample, sampleIf, type GroupDeps, type MetricGroup } from './group.ts';

const PERIOD_MS = 30 * 86_400_000;
const FRESH_MS = 60_000;

export class TargetGroup implements MetricGroup {
  readonly name = 'targets';
  #last: { readonly atMs: number; readonly samples: readonly Sample[] } | undefined;

  async read(deps: GroupDeps): Promise<readonly Sample[]> {
    const nowMs = performance.now();
    if (this.#last === undefined || nowMs - this.#last.atMs >= FRESH_MS) {
      this.#last = { atMs: nowMs, samples: await readTargets(deps) };
    }
    return this.#last.samples;
  }
}

async function readTargets({ db, config, now }: GroupDeps): Promise<readonly Sample[]> {
  const span = { fromMs: now.getTime() - PERIOD_MS, untilMs: now.getTime() };
  const { slaMs } = config;
  const facts = await readTargetFacts(db, { from: new Date(span.fromMs), until: now }, slaMs, now);
  const verdicts = judgeTargets(facts, { ...loadFleet(config).targets, slaMs }, span);
  return verdicts.flatMap(({ target, unit, value, limit, state }) => [
    ...sampleIf('deckhand_target_value', { target, unit }, value),
    ...sampleIf('deckhand_target_limit', { target, unit }, limit?.value ?? null),
    ...(state === 'met' || state === 'not_met'
      ? [sample('deckhand_target_met', { target }, state === 'met' ? 1 : 0)]
      : []),
  ]);
}
