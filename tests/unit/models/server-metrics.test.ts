/** Figures of a server are read from its page for Prometheus, whatever else stands there. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { metricsOf } from '../../../activities/models/client/openai/metrics.ts';
import { assertProperty } from '../../../testing/property.ts';

const NOTHING = { runningCalls: null, waitingCalls: null, cacheUsed: null, promptTokens: null, outputTokens: null };
const FIGURES = {
  num_requests_running: 'runningCalls',
  num_requests_waiting: 'waitingCalls',
  prompt_tokens_total: 'promptTokens',
  generation_tokens_total: 'outputTokens',
} as const;

/** A value of a label as the format has it: quotes, backslashes and ends of lines are behind a backslash. */
const label = fc
  .string({ unit: fc.constantFrom('a', '{', '}', '"', '\\', ',', '=', ' ', '\n', '#', '1', 'ü'), maxLength: 12 })
  .map((text) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n'));
const labels = fc.option(fc.array(label, { maxLength: 3 })).map((values) => {
  return values === null ? '' : `{${values.map((value, at) => `l${at}="${value}"`).join(',')}}`;
});
const value = fc.constantFrom('0', '1', '2.5', '1e+06', '1.5e3', '17', 'NaN', '+Inf', '-Inf');
const sample = fc.record({
  name: fc.constantFrom(...(Object.keys(FIGURES) as (keyof typeof FIGURES)[])),
  labels,
  value,
});
/** Lines that are no figure, although they look like one. */
const noise = fc
  .tuple(
    fc.constantFrom(
      '# HELP vllm:num_requests_running Number of requests',
      '# TYPE vllm:prompt_tokens_total counter',
      '',
      'num_requests_running 7',
      'python:prompt_tokens_total 7',
      'vllm:prompt_tokens_total_created{engine="0"} 1.7e9',
      'vllm:prompt_tokens_created 1.7e9',
      'vllm:prompt_tokens_total_by_source{source="x"} 7',
      'vllm:num_requests_waiting_by_reason{reason="capacity"} 7',
      'vllm:num_requests_running',
      'vllm:num_requests_running{engine="0"',
      'vllm:request_prompt_tokens_bucket{le="+Inf"} 7',
    ),
    labels,
  )
  .map(([line]) => line);

it('the figures of all engines are added, and nothing else is', () => {
  const property = fc.property(
    fc.array(sample, { maxLength: 8 }),
    fc.array(noise, { maxLength: 8 }),
    fc.nat(),
    (samples, others, at) => {
      const lines = samples.map((each) => `vllm:${each.name}${each.labels} ${each.value}`);
      const mixed = [...lines, ...others].toSorted((a, b) => ((a.length * 31 + at) % 7) - ((b.length * 31 + at) % 7));
      const expected: Record<string, number | null> = { ...NOTHING };
      for (const { name, value: said } of samples) {
        const figure = Number(said);
        if (Number.isFinite(figure)) expected[FIGURES[name]] = (expected[FIGURES[name]] ?? 0) + figure;
      }
      expect(metricsOf(mixed.join('\n'))).toEqual(expected);
    },
  );
  assertProperty(property, { runs: 1000 });
});

it('shares of the cache are averaged, and the names of each kind of server are known', () => {
  expect(
    metricsOf('vllm:kv_cache_usage_perc{engine="0"} 0.5\nvllm:kv_cache_usage_perc{engine="1"} 0.25').cacheUsed,
  ).toBe(0.375);
  expect(
    metricsOf('llamacpp:requests_processing 2\nllamacpp:requests_deferred 1\nllamacpp:tokens_predicted_total 9'),
  ).toEqual({
    ...NOTHING,
    runningCalls: 2,
    waitingCalls: 1,
    outputTokens: 9,
  });
  expect(metricsOf('sglang:num_running_reqs{a="}"} 3\nsglang:token_usage 0.5 1700000000000')).toEqual({
    ...NOTHING,
    runningCalls: 3,
    cacheUsed: 0.5,
  });
});

it('a page of any text has figures or none', () => {
  const text = fc.string({
    unit: fc.constantFrom('vllm:', 'num_requests_running', '{', '}', '"', '\\', ' ', '\n', '1', 'a='),
  });
  assertProperty(
    fc.property(text, (page) => {
      for (const figure of Object.values(metricsOf(page)))
        expect(figure === null || Number.isFinite(figure)).toBe(true);
    }),
    { runs: 1000 },
  );
});
