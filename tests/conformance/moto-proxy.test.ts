/** The fault proxy before moto, to AWS's own Python SDK: what it adds is in the form that the SDK reads. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startMotoProxy, type MotoProxy } from '../../testing/moto/proxy.ts';
import { startMoto, type MotoServer } from '../../testing/moto/server.ts';

/** Long enough that a machine is seen before it runs, also on a busy machine. */
const BOOT_MS = 4_000;

let moto: MotoServer;
let proxy: MotoProxy;

beforeAll(async () => {
  moto = await startMoto();
  proxy = await startMotoProxy(moto.url, BOOT_MS);
});

afterAll(async () => {
  await proxy.close();
  await moto.stop();
});

/** Runs one part of moto_proxy.py. @returns what it prints, as JSON */
async function sdk(part: string, ...more: readonly string[]): Promise<unknown> {
  const script = path.join(import.meta.dirname, 'moto_proxy.py');
  const { stdout } = await promisify(execFile)(moto.python, [script, proxy.url, part, ...more]);
  return JSON.parse(stdout);
}

it('gives one machine for one token and zone, and refuses it for other machines', async () => {
  expect(await sdk('tokens')).toEqual({
    same: true,
    in_other_zone: true,
    other_type: 'IdempotentParameterMismatch',
    ended: 'IdempotentInstanceTerminated',
    living: 1,
    without_token: 2,
  });
});

it('lets a machine take its time to run, and refuses what its state does not allow', async () => {
  expect(await sdk('states')).toEqual({
    first: 'pending',
    stop_while_pending: 'IncorrectInstanceState',
    later: 'running',
    type_while_running: 'IncorrectInstanceState',
    type: 'g5.2xlarge',
    after_start: 'pending',
    start_after_end: 'IncorrectInstanceState',
  });
});

it('has prices, spot prices and the ids of images that moto knows', async () => {
  expect(await sdk('facts')).toEqual({
    prices: { 'g5.xlarge': 1.123, 'g4dn.xlarge': 0.587 },
    one_each: true,
    spot: { 'eu-west-1a': 0.393_05, 'eu-west-1b': 0.393_05, 'eu-west-1c': 0.393_05 },
    image: ['available', 'x86_64'],
    unknown_parameter: 'ParameterNotFound',
  });
});

it.each([
  ['InsufficientInstanceCapacity', 500],
  ['VcpuLimitExceeded', 400],
  ['RequestLimitExceeded', 503],
  ['InternalError', 500],
])('refuses a create on demand: %s; nothing is made and its token stays free', async (code, status) => {
  proxy.refuse({ fits: (action) => action === 'RunInstances', code, message: 'words & <signs>' });
  try {
    expect(await sdk('create', code)).toEqual({ refused: [code, status, 'words & <signs>'], made: 0 });
  } finally {
    proxy.refuse(null);
  }
  expect(await sdk('create', code)).toEqual({ refused: null, made: 1 });
});

it('loses an answer after the call took effect', async () => {
  proxy.loseAnswerOf('RunInstances');
  expect(await sdk('create', 'lost')).toEqual({ refused: ['ConnectionClosedError', null, null], made: 1 });
});
