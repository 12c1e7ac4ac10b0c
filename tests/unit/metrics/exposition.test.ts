/** What other processes show is put beside ours: every sample once, each with its process, metrics of one name together. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quoteLabel, readFamilies, showFamilies } from '../../../domain/metrics/exposition.ts';
import { forAll } from '../../../testing/property.ts';

const WORKER = `# HELP temporal_request Requests
# TYPE temporal_request counter
temporal_request{namespace="default",operation="Poll"} 12
# HELP temporal_latency Latency
# TYPE temporal_latency histogram
temporal_latency_bucket{le="0.05"} 1
temporal_latency_bucket{le="+Inf"} 2
temporal_latency_sum 0.4
temporal_latency_count 2
# TYPE temporal_slots gauge
temporal_slots 3
`;

const family = (name: string, text: string) =>
  readFamilies(text, { name: 'process', value: 'control' }).find((f) => f.name === name);

describe('what a worker shows', () => {
  it('gets the name of its process on every sample', () => {
    expect(family('temporal_request', WORKER)).toEqual({
      name: 'temporal_request',
      help: 'Requests',
      type: 'counter',
      samples: ['temporal_request{namespace="default",operation="Poll",process="control"} 12'],
    });
    expect(family('temporal_latency', WORKER)?.samples).toEqual([
      'temporal_latency_bucket{le="0.05",process="control"} 1',
      'temporal_latency_bucket{le="+Inf",process="control"} 2',
      'temporal_latency_sum{process="control"} 0.4',
      'temporal_latency_count{process="control"} 2',
    ]);
    const expected = { help: null, samples: ['temporal_slots{process="control"} 3'] };
    expect(family('temporal_slots', WORKER)).toMatchObject(expected);
  });

  it('stands once in the text, with what all processes say of it', () => {
    const of = (process: string) => readFamilies(WORKER, { name: 'process', value: process });
    const text = showFamilies([...of('control'), ...of('gateway')]);
    expect(text.match(/# TYPE temporal_request counter/gu)).toHaveLength(1);
    expect(text).toContain(
      'process="control"} 12\ntemporal_request{namespace="default",operation="Poll",process="gateway"} 12',
    );
  });

  it('cannot pass for another process, nor for a metric it has not named', () => {
    const lying = '# TYPE a gauge\na{process="other",x="1"} 1\nb 2\n# nothing\nnot a sample\n';
    expect(readFamilies(lying, { name: 'process', value: 'own' })).toEqual([
      { name: 'a', help: null, type: 'gauge', samples: ['a{x="1",process="own"} 1'] },
    ]);
  });

  it('keeps its labels, whatever they hold', () =>
    forAll([fc.string(), fc.string(), fc.integer()], (label, process, value) => {
      fc.pre(!/[\r\u2028\u2029]/u.test(label + process));
      const line = `a{x=${quoteLabel(label)}} ${value}`;
      const [read] = readFamilies(`# TYPE a gauge\n${line}\n`, { name: 'process', value: process });
      expect(read?.samples).toEqual([`a{x=${quoteLabel(label)},process=${quoteLabel(process)}} ${value}`]);
    }));
});
