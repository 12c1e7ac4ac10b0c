/** How what happened becomes counters and histograms: exact in any order, and never less than before. */
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { definitionOf, METRIC_NAMES } from '../../../domain/metrics/definitions.ts';
import { addUp, EVENT_KINDS, incrementsOf, labelsText, type MetricEvent } from '../../../domain/metrics/events.ts';
import { MODEL_TASK_NAMES } from '../../../domain/models/model-tasks.ts';
import { assertProperty } from '../../../testing/property.ts';

const words = fc.oneof(
  fc.constantFrom(...MODEL_TASK_NAMES, 'stored', 'failed', 'created', 'boot', 'h100', ''),
  fc.string({ maxLength: 8 }),
);
const labelNames = [
  'task',
  'model',
  'gpu',
  'outcome',
  'offer',
  'class',
  'kind',
  'step',
  'pool',
  'reason',
  'xid',
  'event',
];
const eventOf: fc.Arbitrary<MetricEvent> = fc.record({
  kind: fc.oneof(fc.constantFrom(...EVENT_KINDS), fc.string({ maxLength: 5 })),
  labels: fc.dictionary(
    fc.constantFrom(...labelNames, 'slide', 'swap', 'cached'),
    fc.oneof(words, fc.boolean(), fc.constant(null)),
    {
      maxKeys: 8,
    },
  ),
  value: fc.integer({ min: -1000, max: 5_000_000 }).map((n) => new Decimal(n).dividedBy(1000)),
});

const asText = (events: Iterable<MetricEvent>): string[] =>
  addUp(events).map(({ metric, labels, bucket, by }) => `${metric}${labelsText(labels)}${bucket}=${by.toFixed()}`);

describe('events', () => {
  it('add up to the same in any order and in any portions', () => {
    assertProperty(
      fc.property(fc.array(eventOf, { maxLength: 40 }), fc.integer({ min: 0, max: 40 }), (events, cut) => {
        expect(asText(events.toReversed())).toEqual(asText(events));
        const portions = [...addUp(events.slice(0, cut)), ...addUp(events.slice(cut))];
        const sums = new Map<string, Decimal>();
        for (const { metric, labels, bucket, by } of portions) {
          const key = `${metric}${labelsText(labels)}${bucket}`;
          sums.set(key, (sums.get(key) ?? new Decimal(0)).plus(by));
        }
        expect([...sums].map(([key, by]) => `${key}=${by.toFixed()}`).toSorted()).toEqual(asText(events).toSorted());
      }),
    );
  });

  it('never take from a total, and name exactly the labels their metric has', () => {
    assertProperty(
      fc.property(eventOf, (event) => {
        for (const { metric, labels, bucket, by } of incrementsOf(event)) {
          const definition = definitionOf(metric);
          expect(by.isNegative()).toBe(false);
          expect(Object.keys(labels).toSorted()).toEqual(definition.labels.toSorted());
          expect(Object.values(labels).every((value) => value !== '')).toBe(true);
          if (definition.type !== 'histogram') expect(bucket).toBe('');
          else if (bucket !== 'sum') expect([...definition.bounds.map(String), '+Inf']).toContain(bucket);
        }
      }),
    );
  });

  it('reach every counter and histogram there is', () => {
    const labels = { task: 'describe_slide', outcome: 'stored', slide: true, swap: true };
    const reached = EVENT_KINDS.flatMap((kind) =>
      [1, -1].flatMap((value) => incrementsOf({ kind, labels, value: new Decimal(value) })),
    );
    const counted = METRIC_NAMES.filter((name) => definitionOf(name).type !== 'gauge');
    expect(new Set(reached.map(({ metric }) => metric))).toEqual(new Set(counted));
  });

  it('put each value of a histogram into one bucket, bounds included', () => {
    const bucketOf = (value: number): string | undefined =>
      incrementsOf({ kind: 'provision', labels: { outcome: 'ready' }, value: new Decimal(value) })[0]?.bucket;
    expect([0, 5, 5.001, 1800, 1801].map(bucketOf)).toEqual(['5', '5', '15', '1800', '+Inf']);
  });

  it('of costs give the ledger to the cent, corrections that give money back included', () => {
    const amount = fc.integer({ min: -5000, max: 5000 }).map((n) => new Decimal(n).dividedBy(100));
    assertProperty(
      fc.property(fc.array(amount, { maxLength: 30 }), (amounts) => {
        const grown = addUp(amounts.map((value) => ({ kind: 'cost', labels: { kind: 'failed' }, value })));
        const sum = (name: string): Decimal =>
          grown.filter(({ metric }) => metric === name).reduce((all, { by }) => all.plus(by), new Decimal(0));
        const ledger = amounts.reduce((all, value) => all.plus(value), new Decimal(0));
        expect(sum('cost_usd_total').minus(sum('cost_refunds_usd_total')).toFixed(2)).toBe(ledger.toFixed(2));
      }),
    );
  });

  it('of another version are left alone', () => {
    expect(incrementsOf({ kind: 'of_the_future', labels: {}, value: new Decimal(1) })).toEqual([]);
  });

  it('tell what a call was for by task and by task type', () => {
    const [cost] = incrementsOf({
      kind: 'cost',
      labels: { kind: 'busy', task: 'score_answer' },
      value: new Decimal('0.25'),
    });
    expect(cost?.labels).toEqual({ kind: 'busy', task: 'score_answer', task_type: 'template_analysis' });
    const [idle] = incrementsOf({ kind: 'cost', labels: { kind: 'idle' }, value: new Decimal('0.25') });
    expect(idle?.labels).toEqual({ kind: 'idle', task: 'none', task_type: 'none' });
  });
});
