/**
 * The network's other end for tests of the AWS provider: one address for all services over real sockets, which answers from a script by
 * action.
 */
import type { IncomingMessage } from 'node:http';
import { createAwsTransport, type AwsTransport } from '../../../../clouds/aws/http/transport.ts';
import { AWS, type AwsProviderOptions } from '../../../../clouds/aws/provider.ts';
import { awsSettingsSchema } from '../../../../clouds/aws/settings.ts';
import type { CloudProvider, ImageRequest } from '../../../../clouds/provider.ts';
import { makeImageRequest } from '../../../../testing/image-request.ts';
import { clockOptions, scriptedServer, virtualClock, type ScriptedAnswer, type VirtualClock } from '../scripted-api.ts';

/** A request as the server got it. */
export interface SeenCall {
  readonly service: string;
  readonly region: string;
  readonly action: string;
  /** Fields of the form; empty for a JSON service. */
  readonly form: Readonly<Record<string, string>>;
  readonly json: unknown;
  readonly headers: IncomingMessage['headers'];
}

/** What it answers: XML or JSON of a 200, or all of it. */
export type AwsAnswer = string | ScriptedAnswer;

/** Answers by action; `nth` counts the calls of that action, from 1. */
export type AwsScript = Readonly<Record<string, (call: SeenCall, nth: number) => AwsAnswer>>;

export interface ScriptedAws {
  readonly baseUrl: string;
  readonly seen: readonly SeenCall[];
  /** Calls of an action. */
  readonly of: (action: string) => readonly SeenCall[];
}

export const SECRET = 'a-very-secret-access-key';
export const TOKEN = 'a-very-secret-session-token';
const CREDENTIALS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: SECRET, sessionToken: TOKEN };

/** A refusal as EC2 writes it. */
export const refusal = (code: string, message = 'no', status = 400): ScriptedAnswer => ({
  status,
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<Response><Errors><Error><Code>${code}</Code><Message>${message}</Message></Error></Errors><RequestID>r-1</RequestID></Response>`,
});

/** An answer of EC2. */
export const answerOf = (action: string, content: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${action}Response xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><requestId>r-1</requestId>${content}</${action}Response>`;

/** Starts a server that ends with the test. An action without a script is answered by 501. */
export async function scriptedAws(script: AwsScript): Promise<ScriptedAws> {
  const seen: SeenCall[] = [];
  const origin = await scriptedServer(({ headers }, body) => {
    const call = readCall(headers, body);
    seen.push(call);
    const nth = seen.filter(({ action }) => action === call.action).length;
    const given = script[call.action]?.(call, nth) ?? { status: 501, body: `no script for ${call.action}` };
    return typeof given === 'string' ? { body: given } : given;
  });
  return {
    baseUrl: `${origin}/`,
    seen,
    of: (action) => seen.filter((call) => call.action === action),
  };
}

function readCall(headers: IncomingMessage['headers'], body: string): SeenCall {
  const [, , region = '', service = ''] =
    /Credential=([^,]+)/u.exec(headers.authorization ?? '')?.[1]?.split('/') ?? [];
  const target = headers['x-amz-target'];
  if (typeof target === 'string')
    return { service, region, action: target.split('.')[1] ?? '', form: {}, json: JSON.parse(body), headers };
  const form = Object.fromEntries(new URLSearchParams(body));
  return { service, region, action: form['Action'] ?? '', form, json: undefined, headers };
}

/** The transport of a scripted server on a virtual clock, with pauses that do not vary. */
export const transportOf = (
  { baseUrl }: { readonly baseUrl: string | null },
  clock: VirtualClock = virtualClock(),
  options: Partial<Parameters<typeof createAwsTransport>[0]> = {},
): AwsTransport => createAwsTransport({ baseUrl, credentials: CREDENTIALS, ...clockOptions(clock), ...options });

/** A provider of a scripted server with two regions. */
export function providerOf(
  api: Pick<ScriptedAws, 'baseUrl'>,
  {
    settings = {},
    clock = virtualClock(),
    ...options
  }: Partial<Omit<AwsProviderOptions, 'settings'>> & { settings?: object; clock?: VirtualClock } = {},
): CloudProvider {
  return AWS.open({
    settings: awsSettingsSchema.parse({ regions: ['eu-west-1', 'us-east-1'], baseUrl: api.baseUrl, ...settings }),
    credentials: CREDENTIALS,
    installationId: 'abc1',
    ...clockOptions(clock),
    ...options,
  });
}

export const HOSTNAME = 'dh-abc1-visual-3-9f2c-1';
export const PUBLIC_KEY = `ssh-ed25519 ${'A'.repeat(68)} dh`;

/** A first boot of a machine. */
export const requestOf = (changes: Partial<ImageRequest> = {}): ImageRequest =>
  makeImageRequest({
    hostname: HOSTNAME,
    instanceType: 'g6e.xlarge',
    location: 'eu-west-1a',
    boot: {
      image: 'base-oss-nvidia-driver-gpu-ubuntu-24.04',
      osVolumeGib: 50,
      sshKey: { id: 'dh-abc1-ssh-key', text: PUBLIC_KEY },
      startupScript: { id: null, text: '#!/bin/bash\necho ready\n' },
    },
    tags: { pool: 'visual', intent: 'visual-3-9f2c/1' },
    ...changes,
  });

/** What a preparation found. */
export const PREPARATION = {
  imageId: 'ami-0abc',
  rootDeviceName: '/dev/sda1',
  osVolumeGib: '65',
  subnetId: 'subnet-0abc',
  securityGroupId: 'sg-0abc',
};

/** An instance as DescribeInstances shows it, inside its reservation. */
export const instanceXml = ({
  id = 'i-0abc',
  state = 'running',
  reason = '',
  token = HOSTNAME,
  name = HOSTNAME,
  zone = 'eu-west-1a',
  disks = [{ id: 'vol-0abc', device: '/dev/sda1', deleted: false }],
  extra = '',
}: {
  id?: string;
  state?: string;
  reason?: string;
  token?: string;
  name?: string;
  zone?: string;
  disks?: readonly { id: string; device: string; deleted: boolean }[];
  extra?: string;
} = {}): string => `<item><reservationId>r-1</reservationId><groupSet/><instancesSet><item>
  <instanceId>${id}</instanceId><instanceState><code>16</code><name>${state}</name></instanceState>
  <instanceType>g6e.xlarge</instanceType><launchTime>2026-10-01T00:10:00.000Z</launchTime>
  <placement><availabilityZone>${zone}</availabilityZone><tenancy>default</tenancy></placement>
  <privateIpAddress>10.0.0.7</privateIpAddress><rootDeviceName>/dev/sda1</rootDeviceName>
  ${reason === '' ? '' : `<stateReason><code>${reason}</code><message>${reason}: because</message></stateReason>`}
  <blockDeviceMapping>${disks
    .map(
      (disk) =>
        `<item><deviceName>${disk.device}</deviceName><ebs><volumeId>${disk.id}</volumeId><status>attached</status><deleteOnTermination>${disk.deleted}</deleteOnTermination></ebs></item>`,
    )
    .join('')}</blockDeviceMapping>
  <clientToken>${token}</clientToken>
  <tagSet><item><key>Name</key><value>${name}</value></item><item><key>deckhand:pool</key><value>visual</value></item><item><key>team</key><value>others</value></item></tagSet>
  ${extra}</item></instancesSet></item>`;

/** A whole answer of DescribeInstances. */
export const instancesXml = (...items: readonly string[]): string =>
  answerOf('DescribeInstances', `<reservationSet>${items.join('')}</reservationSet>`);
