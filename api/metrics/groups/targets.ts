/** The targets over the last 30 days: they move slowly and are the dearest to read. */
import type { Sample } from '../../../domain/metrics/definitions.ts';
import { judgeTargets } from '../../../domain/targets/targets.ts';
import { loadFleet } from '../../../platform/fleet-config.ts';
import { readTargetFacts } from '../../targets/facts.ts';
import { sample, sampleIf, type GroupDeps } from './group.ts';

const PERIOD_MS = 30 * 86_400_000;

/** All of them. */
export async function readTargets({ db, config, now }: GroupDeps): Promise<readonly Sample[]> {
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
