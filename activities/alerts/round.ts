/**
 * One round over the alert rules: every metric is read once, then each rule is judged and stored alone, so that one that cannot be read
 * does not stop the others. Alerts of a rule that cannot be read stay as they are.
 */
import type { Reading } from '../../domain/alerts/evaluate.ts';
import { asDeckhandError } from '../../domain/errors.ts';
import { subjectOf, type Sample } from '../../domain/metrics/catalogue.ts';
import type { AlertRule } from '../../generated/prisma/client.ts';
import type { Logger } from '../../platform/log.ts';
import type { MetricDeps, MetricSource } from '../metrics/source.ts';
import { SOURCES, sourceOf } from '../metrics/sources.ts';
import { clearTold } from './operator-told.ts';
import { storeRound, type StoredRound } from './store.ts';

/** Dependencies of a round. */
export interface RoundDeps extends MetricDeps {
  readonly log: Logger;
  /** Other sources than the usual ones, for tests. */
  readonly sources?: readonly MetricSource[];
}

/** Result of a round. */
export interface RoundOutcome {
  readonly rules: number;
  readonly raised: readonly { readonly rule: string; readonly subject: string; readonly message: string }[];
  readonly cleared: readonly { readonly rule: string; readonly subject: string }[];
  /** Rules whose metric could not be read. */
  readonly unread: readonly { readonly rule: string; readonly message: string }[];
}

const LONGEST_MESSAGE = 300;

export async function judgeRules(deps: RoundDeps, now: Date): Promise<RoundOutcome> {
  const rules = await deps.db.alertRule.findMany({ orderBy: { id: 'asc' } });
  const round = new Round(deps, now);
  // Last, because it is about the others.
  const inOrder = rules.toSorted((a, b) => Number(a.metric === 'unread_rule') - Number(b.metric === 'unread_rule'));
  for (const rule of inOrder) await round.judge(rule);
  return round.outcome(rules.length);
}

class Round {
  readonly #deps: RoundDeps;
  readonly #now: Date;
  /** Readings by source and window: several metrics come from one source, and several rules may use one metric. */
  readonly #read = new Map<string, Promise<readonly Sample[]>>();
  readonly #raised: RoundOutcome['raised'][number][] = [];
  readonly #cleared: RoundOutcome['cleared'][number][] = [];
  readonly #unread: RoundOutcome['unread'][number][] = [];

  constructor(deps: RoundDeps, now: Date) {
    this.#deps = deps;
    this.#now = now;
  }

  outcome(rules: number): RoundOutcome {
    return { rules, raised: this.#raised, cleared: this.#cleared, unread: this.#unread };
  }

  async judge(rule: AlertRule): Promise<void> {
    try {
      const { raised, cleared } = await this.#store(rule);
      this.#raised.push(...raised.map((alert) => ({ rule: rule.id, ...alert })));
      this.#cleared.push(...cleared.map((alert) => ({ rule: rule.id, ...alert })));
    } catch (error) {
      const { userMessage } = asDeckhandError(error);
      this.#deps.log.warn({ err: error, rule: rule.id, metric: rule.metric }, 'an alert rule could not be judged');
      this.#unread.push({ rule: rule.id, message: userMessage.slice(0, LONGEST_MESSAGE) });
    }
  }

  async #store(rule: AlertRule): Promise<StoredRound> {
    const { db } = this.#deps;
    if (rule.metric === 'operator_told') return clearTold(db, rule.id, this.#now);
    const readings = rule.enabled ? await this.#readingsOf(rule) : [];
    return storeRound(db, rule.id, readings, this.#now);
  }

  async #readingsOf({ metric, windowSec }: AlertRule): Promise<readonly Reading[]> {
    if (metric === 'unread_rule') return this.#unread.map(unreadReading);
    const source = sourceOf(metric, this.#deps.sources ?? SOURCES);
    if (source === undefined) throw new RangeError(`metric ${metric} is not known to this version`);
    const key = `${source.name}/${windowSec}`;
    const reading = this.#read.get(key) ?? source.read({ ...this.#deps, now: this.#now, windowSec });
    this.#read.set(key, reading);
    const samples = (await reading).filter((each) => each.metric === metric);
    return samples.map((each) => ({ subject: subjectOf(each), value: each.value, message: each.message ?? metric }));
  }
}

const unreadReading = ({ rule, message }: RoundOutcome['unread'][number]): Reading => ({
  subject: rule,
  value: 1,
  message: `Rule ${rule} cannot be judged: ${message}`,
});
