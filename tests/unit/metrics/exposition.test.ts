/** Metrics of several processes become one text, in which each metric and each series is there once. */
import { expect, it } from 'vitest';
import { gaugesText, mergedText } from '../../../api/metrics/exposition.ts';

const CONTROL = `# HELP calls_total Calls.
# TYPE calls_total counter
calls_total 3
# TYPE wait_seconds histogram
wait_seconds_bucket{le="1",path="a \\"b\\" {c}"} 2
wait_seconds_bucket{le="+Inf",path="a"} 2 1700000000000
`;
const GATEWAY = `stray 1
# HELP calls_total Other words.
# TYPE calls_total counter
calls_total{kind="x"} 4
# TYPE other gauge
other NaN
`;

it('gives every sample the name of its process, and puts samples of one metric together', () => {
  const merged = mergedText([
    { process: 'control', text: CONTROL },
    { process: 'gateway-2', text: GATEWAY },
  ]);
  expect(merged).toBe(`# HELP calls_total Calls.
# TYPE calls_total counter
calls_total{process="control"} 3
calls_total{process="gateway-2",kind="x"} 4

# TYPE wait_seconds histogram
wait_seconds_bucket{process="control",le="1",path="a \\"b\\" {c}"} 2
wait_seconds_bucket{process="control",le="+Inf",path="a"} 2 1700000000000

# TYPE other gauge
other{process="gateway-2"} NaN
`);
});

it('leaves out a gauge without labels and without a value, because 0 would be made up', async () => {
  const text = await gaugesText([{ metric: 'pool_target', labels: { pool: 'a "b"\n' }, value: 2 }]);
  expect(text).toContain('pool_target{pool="a \\"b\\"\\n"} 2');
  expect(text).not.toContain('deckhand_ledger_lag_seconds');
  expect(text).toContain('# TYPE gpu_instances gauge');
});
