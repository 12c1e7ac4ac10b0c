/**
 * Readers of price lists. Every row here is made up for these tests; the forms are those of gpuhunt's catalogue (MPL-2.0, columns of
 * `_internal/storage.py`), of skypilot-catalog's `vms.csv` (Apache-2.0) and of a file of observations.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { gpuhuntLists, skypilotList } from '../../../cli/maintenance/price-snapshot.ts';
import { readCsv } from '../../../cli/maintenance/price-snapshot/csv.ts';
import { readGpuhunt, readObservations, readSkypilot } from '../../../cli/maintenance/price-snapshot/readers.ts';
import { unzip } from '../../../cli/maintenance/price-snapshot/unzip.ts';
import { forAll } from '../../../testing/property.ts';

const GPUHUNT = `instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size,gpu_vendor,flags,cpu_arch,provider_data
1L40S.20V,FIN-01,1.5,20,60.0,1,L40S,48.0,False,,nvidia,,x86,{}
1L40S.20V,FIN-01,0.75,20,60.0,1,L40S,48.0,True,,nvidia,,x86,"{""a"": ""b, c""}"
CPU.4V.16G,FIN-01,0.03,4,16.0,0,,,False,,,,x86,{}
`;

const SKYPILOT = `InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,SpotPrice
gpu_2x_l4,L4,2.0,16.0,64.0,2.0,north-1,"{'Gpus': [{'Name': 'L4', 'Count': 2.0, 'MemoryInfo': {'SizeInMiB': 24576}}], 'TotalGpuMemoryInMiB': 24576}",0.9
gpu_2x_l4,L4,2.0,16.0,64.0,2.0,north-1,"{'Gpus': [{'Name': 'L4', 'Count': 2.0, 'MemoryInfo': {'SizeInMiB': 24576}}], 'TotalGpuMemoryInMiB': 24576}",0.8
gpu_1x_l4,L4,1.0,8.0,32.0,,north-1,"{""Gpus"": [{""Name"": ""L4"", ""MemoryInfo"": {""SizeInMiB"": 24}}]}",0.5
cpu_8x,,,8.0,32.0,0.2,north-1,,
,L4,1.0,,,0.7,north-2,,0.2
`;

const OBSERVATIONS = `date,provider,pricing,gpu_model,sku,region,gpu_count,usd_per_hour
2026-10-10,aws,on_demand,H100,p5.4xlarge,us-east-1,1,6.88
2026-10-10,aws,spot,H100,p5.4xlarge,us-east-1,1,3.5
2026-10-10,aws,on_demand,H100,p5.4xlarge,us-west-2,1,6.88
`;

let folder: string | undefined;
afterEach(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true });
  folder = undefined;
});
function newFolder(): string {
  folder = mkdtempSync(path.join(tmpdir(), 'prices-'));
  return folder;
}

/** A ZIP archive of one file, written by the format's description. */
function zipOf(name: string, text: string): Buffer {
  const content = Buffer.from(text);
  const packed = deflateRawSync(content);
  const fields = (...pairs: readonly (readonly [2 | 4, number])[]): Buffer =>
    Buffer.concat(
      pairs.map(([size, value]) => {
        const bytes = Buffer.alloc(size);
        bytes.writeUIntLE(value, 0, size);
        return bytes;
      }),
    );
  const common = [
    [2, 20],
    [2, 0],
    [2, 8],
    [4, 0],
    [4, crc32(content)],
    [4, packed.length],
    [4, content.length],
    [2, name.length],
    [2, 0],
  ] as const;
  const local = Buffer.concat([fields([4, 0x04_03_4b_50], ...common), Buffer.from(name), packed]);
  const entry = Buffer.concat([
    fields([4, 0x02_01_4b_50], [2, 20], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, 0]),
    Buffer.from(name),
  ]);
  const end = fields([4, 0x06_05_4b_50], [2, 0], [2, 0], [2, 1], [2, 1], [4, entry.length], [4, local.length], [2, 0]);
  return Buffer.concat([local, entry, end]);
}

describe('gpuhunt', () => {
  it('makes one row of the two markets of a type, under the name that the fleet file uses', () => {
    const [gpu, cpu, ...others] = readGpuhunt('verda', GPUHUNT);
    expect(gpu).toEqual({
      provider: 'datacrunch',
      instanceType: '1L40S.20V',
      gpuModel: 'L40S',
      gpuCount: 1,
      statedVramGib: 48,
      vcpu: 20,
      memoryGib: 60,
      location: 'FIN-01',
      onDemandUsdPerHour: 1.5,
      spotUsdPerHour: 0.75,
    });
    expect(cpu).toMatchObject({ instanceType: 'CPU.4V.16G', gpuCount: 0, spotUsdPerHour: null });
    expect(others).toEqual([]);
  });

  it('names Google as it is named here, and its machines with attached GPUs by both', () => {
    const n1 = 'n1-standard-8,us-central1-a,0.73,8,30.0,1,T4,16.0,False,,nvidia,,x86,{}';
    const [, , , listed] = readGpuhunt(
      'gcp',
      `${GPUHUNT}${n1}\n${n1.replace('0.73', '1.08').replace(',1,T4', ',2,T4')}\n`,
    );
    expect(listed).toMatchObject({ provider: 'google', instanceType: 'n1-standard-8+nvidia-tesla-t4x2' });
  });

  it('reads published archives from a folder, and takes the day from the version', async () => {
    const place = newFolder();
    mkdirSync(path.join(place, 'verda/20261120-77'), { recursive: true });
    writeFileSync(path.join(place, 'verda/version'), '20261120-77\n');
    writeFileSync(path.join(place, 'verda/20261120-77/catalog.zip'), zipOf('verda.csv', GPUHUNT));
    const [list] = await gpuhuntLists(place, ['verda']);
    expect(list?.source).toEqual({ name: 'gpuhunt', version: 'verda 20261120-77', takenOn: '2026-11-20' });
    expect(list?.listed).toHaveLength(2);
  });

  it('refuses a version without a day, an archive without the file, and a file without the columns', async () => {
    const place = newFolder();
    mkdirSync(path.join(place, 'aws/20261120-1'), { recursive: true });
    writeFileSync(path.join(place, 'aws/version'), 'latest');
    await expect(gpuhuntLists(place, ['aws'])).rejects.toThrow('has no day');
    await expect(gpuhuntLists(place, ['gcp'])).rejects.toMatchObject({ code: 'not_found' });
    writeFileSync(path.join(place, 'aws/version'), '20261120-1');
    writeFileSync(path.join(place, 'aws/20261120-1/catalog.zip'), zipOf('gcp.csv', GPUHUNT));
    await expect(gpuhuntLists(place, ['aws'])).rejects.toThrow('no aws.csv');
    expect(() => readGpuhunt('aws', 'a,b\n1,2\n')).toThrow();
  });
});

describe('SkyPilot', () => {
  it('takes the lowest spot price of the zones, leaves out CPUs and GPUs priced apart, and keeps what checks have to judge', () =>
    expect(readSkypilot('lambda', SKYPILOT)).toEqual([
      {
        provider: 'lambda',
        instanceType: 'gpu_2x_l4',
        gpuModel: 'L4',
        gpuCount: 2,
        statedVramGib: 24,
        vcpu: 16,
        memoryGib: 64,
        location: 'north-1',
        onDemandUsdPerHour: 2,
        spotUsdPerHour: 0.8,
      },
      expect.objectContaining({ instanceType: 'gpu_1x_l4', statedVramGib: 24 / 1024, onDemandUsdPerHour: null }),
    ]));

  it('reads a file without spot prices and memory', () => {
    const [only] = readSkypilot(
      'x',
      'InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region\na,L4,1,8,32,0.5,r\n',
    );
    expect(only).toMatchObject({ statedVramGib: null, onDemandUsdPerHour: 0.5, spotUsdPerHour: null });
  });

  it('reads every provider of a folder', () => {
    const place = newFolder();
    for (const provider of ['lambda', 'verda']) {
      mkdirSync(path.join(place, provider));
      writeFileSync(path.join(place, provider, 'vms.csv'), SKYPILOT);
    }
    const { source, listed } = skypilotList(place, 'abc', '2026-10-01');
    expect(source).toEqual({ name: 'skypilot-catalog', version: 'abc', takenOn: '2026-10-01' });
    expect([...new Set(listed.map((row) => row.provider))].toSorted()).toEqual(['datacrunch', 'lambda']);
  });
});

describe('observations', () => {
  it('are one row per type and location, of one day', () => {
    const { takenOn, listed } = readObservations(OBSERVATIONS);
    expect(takenOn).toBe('2026-10-10');
    expect(listed.map((row) => [row.location, row.onDemandUsdPerHour, row.spotUsdPerHour])).toEqual([
      ['us-east-1', 6.88, 3.5],
      ['us-west-2', 6.88, null],
    ]);
  });

  it('are refused for several days, for none, and for what is no price', () => {
    expect(() => readObservations(OBSERVATIONS.replace('2026-10-10,aws,spot', '2026-10-11,aws,spot'))).toThrow(
      'one day',
    );
    expect(() => readObservations(OBSERVATIONS.split('\n')[0] ?? '')).toThrow('one day');
    expect(() => readObservations(OBSERVATIONS.replace('3.5', 'three'))).toThrow('not a number');
  });
});

describe('CSV', () => {
  it('reads back what is written with quotes', async () => {
    const field = fc.string({ unit: fc.constantFrom('a', '1', ',', '"', '\n', ' ', 'ü') });
    const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
    await forAll([fc.array(fc.tuple(field, field), { minLength: 1, maxLength: 5 })], (rows) => {
      const text = ['a,b', ...rows.map((row) => row.map(quoted).join(','))].join('\r\n');
      expect(readCsv(text)).toEqual(rows.map(([a, b]) => ({ a, b })));
      expect(readCsv(`${text}\r\n`)).toEqual(readCsv(text));
    });
  });

  it('refuses rows of another length and quotes that are not closed', () => {
    expect(() => readCsv('a,b\n1\n')).toThrow('row 2 has 1 fields');
    expect(() => readCsv('a,b\n1,"2\n')).toThrow('not closed');
  });
});

it('ZIP archives are read whole, and other bytes are refused', () => {
  expect(unzip(zipOf('a.csv', GPUHUNT)).get('a.csv')?.toString()).toBe(GPUHUNT);
  expect(() => unzip(Buffer.from('no archive'))).toThrow('not a ZIP archive');
});
