/**
 * moto, a double of AWS that others wrote, as a process of its own with its checks of requests switched on.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import getPort from 'get-port';
import { loadConfig } from '../../platform/config.ts';
import { pythonWith } from '../python-packages.ts';

const HOST = '127.0.0.1';
const MOST_LOOKS = 1_200;
const LOOK_EVERY_MS = 50;

export interface MotoServer {
  /** All services and regions answer here; what a request is for stands in its signature. */
  readonly url: string;
  /** A Python with boto3, the SDK of AWS itself. */
  readonly python: string;
  stop(): Promise<void>;
}

/** Starts it and waits until it answers. @throws Error with what it wrote when it does not */
export async function startMoto(): Promise<MotoServer> {
  const python = await pythonWith('moto[ec2,ssm]==5.2.5', 'flask==3.1.3', 'flask-cors==6.0.5', 'boto3==1.44.8');
  const port = await getPort({ host: HOST });
  const checks = {
    MOTO_EC2_ENABLE_INSTANCE_TYPE_VALIDATION: 'true',
    MOTO_ENABLE_AMI_VALIDATION: 'true',
    MOTO_ENABLE_KEYPAIR_VALIDATION: 'true',
  };
  const child = spawn(python, ['-m', 'moto.server', '-H', HOST, '-p', String(port)], {
    env: { ...loadConfig().environment, ...checks },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  let words = '';
  child.stderr.on('data', (chunk: Buffer) => (words = `${words}${chunk.toString('utf8')}`.slice(-4_000)));
  const url = `http://${HOST}:${port}`;
  for (let looks = 0; !(await answers(url)); looks += 1) {
    if (child.exitCode !== null || looks > MOST_LOOKS) throw new Error(`moto does not answer: ${words}`);
    await delay(LOOK_EVERY_MS);
  }
  return {
    url,
    python,
    stop: async () => {
      child.kill();
      await ended;
    },
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/moto-api/`)).ok;
  } catch {
    // It does not listen yet.
    return false;
  }
}
