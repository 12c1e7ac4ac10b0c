/** Images of the simulated AWS, and the public SSM parameters that name them. Their ids differ by region, as the real ones do. */
import { createHash } from 'node:crypto';
import { REGIONS } from './catalogue.ts';

export interface AwsImage {
  readonly id: string;
  readonly region: string;
  readonly name: string;
  readonly description: string;
  readonly owner: string;
  readonly ownerId: string;
  readonly rootGib: number;
  /** Name of the public SSM parameter that holds its id. */
  readonly parameter: string;
  readonly createdAt: string;
}

/** A hexadecimal digest of 17 digits, for ids that never change. */
export const fixedHex = (of: string): string => createHash('sha256').update(of).digest('hex').slice(0, 17);

const DLAMI = '/aws/service/deeplearning/ami/x86_64';

const DEEP_LEARNING = [
  { os: 'Ubuntu 22.04', parameter: `${DLAMI}/base-oss-nvidia-driver-gpu-ubuntu-22.04/latest/ami-id` },
  { os: 'Ubuntu 24.04', parameter: `${DLAMI}/base-oss-nvidia-driver-gpu-ubuntu-24.04/latest/ami-id` },
  { os: 'Amazon Linux 2023', parameter: `${DLAMI}/base-oss-nvidia-driver-gpu-amazon-linux-2023/latest/ami-id` },
] as const;

const imagesOf = (region: string): AwsImage[] => [
  ...DEEP_LEARNING.map(({ os, parameter }) => ({
    id: `ami-${fixedHex(`${region} ${os}`)}`,
    region,
    name: `Deep Learning Base OSS Nvidia Driver GPU AMI (${os}) 20261006`,
    description: `Base image with the open NVIDIA driver, CUDA and Docker on ${os}`,
    owner: 'amazon',
    ownerId: '898082745236',
    rootGib: 45,
    parameter,
    createdAt: '2026-10-06T09:00:00.000Z',
  })),
  {
    id: `ami-${fixedHex(`${region} plain`)}`,
    region,
    name: 'ubuntu/images/hvm-ssd-gp3/ubuntu-noble-24.04-amd64-server-20260928',
    description: 'Canonical, Ubuntu, 24.04, amd64 noble image',
    owner: 'amazon',
    ownerId: '099720109477',
    rootGib: 8,
    parameter: '/aws/service/canonical/ubuntu/server/24.04/stable/current/amd64/hvm/ebs-gp3/ami-id',
    createdAt: '2026-09-28T06:00:00.000Z',
  },
];

export const IMAGES: readonly AwsImage[] = REGIONS.flatMap((r) => imagesOf(r.name));

/** The image in a region; undefined if there is none with this id. */
export const imageIn = (region: string, id: string): AwsImage | undefined =>
  IMAGES.find((i) => i.region === region && i.id === id);
