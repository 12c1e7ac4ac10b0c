/** The rest of a simulated AWS account, beside instances and volumes: keys, groups, tokens, spot requests, call counts. Plain JSON. */
import { z } from 'zod';
import type { CallEffects, Simulation as SimulationOf } from '../core/call.ts';
import type { CallWindows } from '../core/rate-limits.ts';
import type { Tag } from '../core/state.ts';
import { REGIONS } from './catalogue.ts';
import { fixedHex } from './images.ts';
import type { Parameters } from './parameters.ts';

export const ACCOUNT_ID = '123456789012';

const vcpus = z.int().min(0).nullable().optional();

/** vCPUs of running instances per region, by market and families; null or absent = no limit. */
export const quotaSchema = z.strictObject({
  ondemandP: vcpus,
  /** Also of VT. */
  ondemandG: vcpus,
  spotP: vcpus,
  spotG: vcpus,
});
export type VcpuQuotas = z.infer<typeof quotaSchema>;

export const dialectSchema = z.strictObject({
  vcpuQuotas: quotaSchema.default({}),
  /** How long a terminated instance is still shown, seconds. */
  terminatedVisibleSec: z.number().min(0).default(3600),
});
export type Dialect = z.infer<typeof dialectSchema>;

export interface StateReason {
  readonly code: string;
  readonly message: string;
}

/** What EC2 knows about an instance beside what the core does. */
export interface Ec2Record {
  readonly reservationId: string;
  readonly launchIndex: number;
  readonly clientToken: string;
  readonly keyName: string | null;
  readonly groupIds: readonly string[];
  readonly subnetId: string;
  readonly privateIp: string;
  /** As sent, in Base64; empty = none. */
  readonly userData: string;
  readonly spotRequestId: string | null;
  readonly maxPriceUsd: number | null;
  /** Device of each disk that is made with it, in the order of its volumes. */
  readonly devices: readonly string[];
  shutdownBehavior: 'stop' | 'terminate';
  /** Time of the launch or of the last start. */
  launchedAtMs: number;
  stateReason: StateReason | null;
  /** Words on the last change of state that a user asked for. */
  transition: string;
  /** The start that goes on fails for lack of capacity. */
  startFails: boolean;
}

export interface AccountKey {
  readonly id: string;
  readonly name: string;
  readonly region: string;
  readonly publicKey: string;
  readonly fingerprint: string;
  readonly createdAtMs: number;
  readonly tags: Tag[];
}

export interface GroupRule {
  readonly id: string;
  readonly protocol: string;
  readonly fromPort: number;
  readonly toPort: number;
  readonly cidr: string;
  readonly description: string;
}

export interface SecurityGroup {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly region: string;
  readonly rules: GroupRule[];
  readonly tags: Tag[];
}

/** What a client token was first used for. */
export interface TokenUse {
  /** All parameters of that call, as text. */
  readonly request: string;
  readonly instanceIds: readonly string[];
}

export interface Attachment {
  readonly device: string;
  readonly atMs: number;
}

export interface AccountState {
  /** By instance. */
  readonly records: Record<string, Ec2Record>;
  /** By volume. */
  readonly attachments: Record<string, Attachment>;
  /** By id. */
  readonly keys: Record<string, AccountKey>;
  /** By id. */
  readonly groups: Record<string, SecurityGroup>;
  /** By `region/zone/token`; the zone is empty where the call named none. */
  readonly tokens: Record<string, TokenUse>;
  /** By `region/token`: volumes that were created with one. */
  readonly volumeTokens: Record<string, { readonly request: string; readonly volumeId: string }>;
  /** Calls in the running minute. */
  readonly windows: CallWindows;
  quotas: VcpuQuotas;
}

export const vpcOf = (region: string): string => `vpc-${fixedHex(`vpc ${region}`)}`;
export const subnetOf = (zone: string): string => `subnet-${fixedHex(`subnet ${zone}`)}`;
export const defaultGroupOf = (region: string): string => `sg-${fixedHex(`group ${region}`)}`;

export const freshAccount = (dialect: Dialect): AccountState => ({
  records: {},
  attachments: {},
  keys: {},
  groups: Object.fromEntries(
    REGIONS.map(({ name }) => [
      defaultGroupOf(name),
      {
        id: defaultGroupOf(name),
        name: 'default',
        description: 'default VPC security group',
        region: name,
        rules: [],
        tags: [],
      },
    ]),
  ),
  tokens: {},
  volumeTokens: {},
  windows: {},
  quotas: { ...dialect.vcpuQuotas },
});

/** A simulated AWS as its operations see it. */
export interface Simulation extends SimulationOf<AccountState, Dialect> {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** One call of an operation. */
export interface Call extends CallEffects {
  readonly sim: Simulation;
  readonly region: string;
  readonly parameters: Parameters;
}

/** What EC2 knows about an instance. @throws Error when it was not made by RunInstances: a defect */
export function recordOf({ account }: Simulation, instanceId: string): Ec2Record {
  const record = account.records[instanceId];
  if (record === undefined) throw new Error(`no record of ${instanceId}`);
  return record;
}
