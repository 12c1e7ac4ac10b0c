/** A bare client of the simulated AWS for tests: signs calls, and reads answers as they come. */
import { createHash, createHmac } from 'node:crypto';
import { XMLParser } from 'fast-xml-parser';
import { VirtualClock } from '../simulators/clouds/core/clock.ts';
import type { ScenarioInput } from '../simulators/clouds/core/scenario.ts';
import { createSimulatedAws, type SimulatedAws } from '../simulators/clouds/aws/app.ts';

/** A part of an answer. In XML, elements named `item` are lists. */
export type Part = string | number | boolean | null | readonly Part[] | { readonly [name: string]: Part };

/** The part at a path such as `instancesSet.item.0.imageId`; undefined if there is none. */
export function at(part: Part | undefined, path: string): Part | undefined {
  let here = part;
  for (const name of path.split('.')) {
    if (typeof here !== 'object' || here === null) return undefined;
    here = (here as { readonly [name: string]: Part })[name];
  }
  return here;
}

/** The text at a path. @throws Error if there is none */
export function textAt(part: Part | undefined, path: string): string {
  const text = at(part, path);
  if (typeof text !== 'string') throw new Error(`no text at ${path} of ${JSON.stringify(part)}`);
  return text;
}

/** The items of a set; none if it is empty. */
export const itemsAt = (part: Part | undefined, path: string): readonly Part[] => {
  const items = at(part, `${path}.item`);
  return Array.isArray(items) ? items : [];
};

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** What is below the root element of an answer of EC2. */
  readonly body: Part;
  /** Code and message of a refusal; null if the call succeeded. */
  readonly refusal: readonly [code: string, message: string] | null;
}

export interface Rig {
  readonly clock: VirtualClock;
  readonly aws: SimulatedAws;
  /** Calls an operation of EC2. */
  ec2(action: string, parameters?: Readonly<Record<string, string>>, region?: string): Promise<Answer>;
  /** Runs an instance with sensible parameters; `parameters` are added or replace them. */
  run(parameters?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Id of an instance that was made with {@link Rig.run} and runs. */
  running(parameters?: Readonly<Record<string, string>>): Promise<string>;
  /** The instance as DescribeInstances shows it. */
  look(id: string): Promise<Part>;
  state(id: string): Promise<string>;
  control(path: string, body: unknown): Promise<Response>;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

export interface Signed {
  readonly service: string;
  readonly region: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly accessKeyId?: string;
  readonly secret?: string;
}

/** A signed POST. */
export function signedRequest(call: Signed): Request {
  const { service, region, body, accessKeyId = 'demo', secret = 'demo' } = call;
  // Far from any clock: a virtual clock is no reason to refuse.
  const date = '20260101';
  const time = `${date}T000000Z`;
  const all: Record<string, string> = { ...call.headers, host: 'aws.simulated', 'x-amz-date': time };
  const names = Object.keys(all).toSorted();
  const canonical = ['POST', '/', '', ...names.map((n) => `${n}:${all[n]}`), '', names.join(';'), sha256(body)];
  const scope = `${date}/${region}/${service}/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical.join('\n'))].join('\n');
  const key = hmac(hmac(hmac(hmac(`AWS4${secret}`, date), region), service), 'aws4_request');
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${hmac(key, toSign).toString('hex')}`;
  return new Request('http://aws.simulated', { method: 'POST', headers: { ...all, authorization }, body });
}

const parser = new XMLParser({ parseTagValue: false, isArray: (name) => name === 'item' });

/** An answer of EC2, read. */
export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const document = parser.parse(text) as Record<string, Part>;
  const root: Part = Object.entries(document).find(([name]) => !name.startsWith('?'))?.[1] ?? {};
  const error = at(root, 'Errors.Error') ?? at(root, 'Error');
  return {
    status: response.status,
    text,
    body: root,
    refusal: error === undefined ? null : [textAt(error, 'Code'), textAt(error, 'Message')],
  };
}

export const FORM = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' } as const;
const IMAGE = 'base-oss-nvidia-driver-gpu-ubuntu-22.04';

/** Calls the JSON protocol of SSM or Pricing. */
export async function callJson(
  aws: SimulatedAws,
  service: string,
  target: string,
  body: unknown,
  region = 'eu-west-1',
): Promise<{ readonly status: number; readonly body: Part }> {
  const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target };
  const response = await aws.fetch(signedRequest({ service, region, headers, body: JSON.stringify(body) }));
  return { status: response.status, body: (await response.json()) as Part };
}

/** A simulator on virtual time with everything quick and certain, one key pair in eu-west-1, and the image of the region. */
export async function startRig(scenario: ScenarioInput = {}): Promise<Rig> {
  const clock = new VirtualClock();
  const aws = createSimulatedAws({
    clock,
    scenario: {
      boot: { orderedSec: 10, provisioningSec: 50, startSec: 20 },
      end: { stopSec: 30, deleteSec: 30 },
      visibility: { listLagSec: 0, getLagSec: 0 },
      ...scenario,
    },
  });
  const ec2: Rig['ec2'] = async (action, parameters = {}, region = 'eu-west-1') => {
    const body = new URLSearchParams({ Action: action, Version: '2016-11-15', ...parameters }).toString();
    return answerOf(await aws.fetch(signedRequest({ service: 'ec2', region, headers: FORM, body })));
  };
  await ec2('ImportKeyPair', {
    KeyName: 'test',
    PublicKeyMaterial: Buffer.from('ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 test').toString('base64'),
  });
  const found = await callJson(aws, 'ssm', 'AmazonSSM.GetParameter', {
    Name: `/aws/service/deeplearning/ami/x86_64/${IMAGE}/latest/ami-id`,
  });
  const image = textAt(found.body, 'Parameter.Value');
  const run: Rig['run'] = (parameters = {}) =>
    ec2('RunInstances', {
      ImageId: image,
      InstanceType: 'g5.xlarge',
      MinCount: '1',
      MaxCount: '1',
      KeyName: 'test',
      ...parameters,
    });
  const look: Rig['look'] = async (id) => {
    const { body, refusal } = await ec2('DescribeInstances', { 'InstanceId.1': id });
    if (refusal !== null) throw new Error(refusal.join(': '));
    return at(body, 'reservationSet.item.0.instancesSet.item.0') ?? {};
  };
  return {
    clock,
    aws,
    ec2,
    run,
    look,
    running: async (parameters = {}) => {
      const id = idOf(await run(parameters));
      clock.advance(60_000);
      return id;
    },
    state: async (id) => textAt(await look(id), 'instanceState.name'),
    control: (path, body) =>
      aws.fetch(`http://aws.simulated/_control/${path}`, { method: 'POST', body: JSON.stringify(body) }),
  };
}

/** Id of the one instance that a RunInstances made. @throws Error with the refusal */
export function idOf({ body, refusal }: Answer): string {
  if (refusal !== null) throw new Error(refusal.join(': '));
  return textAt(body, 'instancesSet.item.0.instanceId');
}

/** Ids of all instances in an answer of DescribeInstances. */
export const idsOf = ({ body }: Answer): string[] =>
  itemsAt(body, 'reservationSet').flatMap((r) => itemsAt(r, 'instancesSet').map((i) => textAt(i, 'instanceId')));
