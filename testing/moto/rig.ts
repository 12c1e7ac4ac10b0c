/** The rig of the provider contract for AWS: its client over moto behind the fault proxy, on the real clock. */
import { setTimeout as delay } from 'node:timers/promises';
import { XMLParser } from 'fast-xml-parser';
import { z } from 'zod';
import { AWS } from '../../clouds/aws/provider.ts';
import type { ContractRig, RefusalReason, RefusedCall } from '../provider-contract/rig.ts';
import { makeForeign, REGION, UNKNOWN_AWS_IDS } from '../provider-contract/rigs/aws.ts';
import { UNLIMITED } from '../provider-contract/rigs/simulated.ts';
import type { MotoProxy } from './proxy.ts';

const PASS_MS = 30;
const CREDENTIALS = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI-K7MDENG-bPxRfiCYEXAMPLEKEY',
};

/** What EC2 says. */
const REFUSALS: Readonly<Record<RefusalReason, readonly [code: string, message: string]>> = {
  capacity: [
    'InsufficientInstanceCapacity',
    'We currently do not have sufficient g4dn.xlarge capacity in the Availability Zone you requested (eu-west-1a). Our system will be working on provisioning additional capacity. You can currently get g4dn.xlarge capacity by not specifying an Availability Zone in your request or choosing eu-west-1b, eu-west-1c.',
  ],
  quota: [
    'VcpuLimitExceeded',
    'You have requested more vCPU capacity than your current vCPU limit of 0 allows for the instance bucket that the specified instance type belongs to. Please visit http://aws.amazon.com/contact-us/ec2-request to request an adjustment to this limit.',
  ],
  billing: ['', ''],
  auth: ['AuthFailure', 'AWS was not able to validate the provided access credentials'],
  throttled: ['RequestLimitExceeded', 'Request limit exceeded.'],
  transient: ['InternalError', 'An internal error has occurred'],
};

const FITS: Readonly<Record<RefusedCall, (action: string) => boolean>> = {
  create: (action) => action === 'RunInstances',
  start: (action) => action === 'StartInstances',
  read: (action) => action.startsWith('Describe'),
};

/** Opens one. The machines of earlier ones stay in moto as terminated. @param motoUrl moto itself, which says what there really is */
export function openMotoRig(proxy: MotoProxy, motoUrl: string): ContractRig {
  const provider = AWS.open({
    settings: { regions: [REGION], profile: null, subnetIds: {}, baseUrl: proxy.url },
    credentials: CREDENTIALS,
    installationId: 'contract',
    // Pauses between repetitions are left out.
    pause: () => Promise.resolve(),
    rateLimit: UNLIMITED,
  });
  const rig: ContractRig = {
    provider,
    missing: new Set(['create billing', 'failAfterCreate', 'bill']),
    unknownIds: UNKNOWN_AWS_IDS,
    faults: {
      refuse: (call, reason) => {
        const [code, message] = REFUSALS[reason];
        proxy.refuse({ fits: FITS[call], code, message });
      },
      refuseInWords: (message) => proxy.refuse({ fits: FITS.create, code: 'InvalidParameterValue', message }),
      loseCreateAnswer: () => proxy.loseAnswerOf('RunInstances'),
      failAfterCreate: () => undefined,
      mend: () => {
        proxy.refuse(null);
        proxy.loseAnswerOf(null);
      },
    },
    makeForeignInstance: (name) => makeForeign(rig, name, { baseUrl: proxy.url, credentials: CREDENTIALS, fetch }),
    livingHostnames: () => livingHostnames(motoUrl),
    pass: () => delay(PASS_MS),
    close: () => Promise.resolve(),
  };
  return rig;
}

const instancesSchema = z.object({
  DescribeInstancesResponse: z.object({
    reservationSet: z
      .object({
        item: z.array(
          z.object({
            instancesSet: z.object({
              item: z.array(
                z.object({
                  clientToken: z.string().catch(''),
                  instanceId: z.string(),
                  instanceState: z.object({ name: z.string() }),
                }),
              ),
            }),
          }),
        ),
      })
      .catch({ item: [] }),
  }),
});

/** Tokens (or ids, where there is none) of what exists, asked of moto itself. */
async function livingHostnames(motoUrl: string): Promise<readonly string[]> {
  const answer = await fetch(motoUrl, {
    method: 'POST',
    headers: { authorization: `AWS4-HMAC-SHA256 Credential=test/20260101/${REGION}/ec2/aws4_request, Signature=none` },
    body: new URLSearchParams({ Action: 'DescribeInstances', Version: '2016-11-15' }),
  });
  const parser = new XMLParser({ parseTagValue: false, isArray: (name) => name === 'item' });
  const { DescribeInstancesResponse: found } = instancesSchema.parse(parser.parse(await answer.text()));
  return found.reservationSet.item
    .flatMap(({ instancesSet }) => instancesSet.item)
    .filter(({ instanceState }) => instanceState.name !== 'terminated')
    .map(({ clientToken, instanceId }) => (clientToken === '' ? instanceId : clientToken));
}
