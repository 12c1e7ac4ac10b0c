/** The operations of EC2 by their names. */
import type { Call } from '../account.ts';
import type { XmlTree } from '../xml.ts';
import {
  createTags,
  modifyInstanceAttribute,
  rebootInstances,
  startInstances,
  stopInstances,
  terminateInstances,
} from './change-instances.ts';
import {
  describeAvailabilityZones,
  describeImages,
  describeInstanceTypeOfferings,
  describeInstanceTypes,
  describeRegions,
} from './describe-catalogue.ts';
import {
  describeAccountAttributes,
  describeInstances,
  describeInstanceStatus,
  describeTags,
} from './describe-instances.ts';
import { authorizeIngress, createSecurityGroup, deleteSecurityGroup, describeSecurityGroups } from './groups.ts';
import { deleteKeyPair, describeKeyPairs, importKeyPair } from './keys.ts';
import { describeAddresses, describeSubnets, describeVpcs } from './network.ts';
import { runInstances } from './run.ts';
import { describeSpotInstanceRequests, describeSpotPriceHistory } from './spot.ts';
import { attach, createVolume, deleteVolume, describeVolumes, detach } from './volumes.ts';

/** Carries out a call. @throws AwsError, CloudRefusal */
export type Operation = (call: Call) => XmlTree;

export const OPERATIONS: Readonly<Record<string, Operation>> = {
  AttachVolume: attach,
  AuthorizeSecurityGroupIngress: authorizeIngress,
  CreateSecurityGroup: createSecurityGroup,
  CreateTags: createTags,
  CreateVolume: createVolume,
  DeleteKeyPair: deleteKeyPair,
  DeleteSecurityGroup: deleteSecurityGroup,
  DeleteVolume: deleteVolume,
  DescribeAccountAttributes: describeAccountAttributes,
  DescribeAddresses: describeAddresses,
  DescribeAvailabilityZones: describeAvailabilityZones,
  DescribeImages: describeImages,
  DescribeInstanceStatus: describeInstanceStatus,
  DescribeInstanceTypeOfferings: describeInstanceTypeOfferings,
  DescribeInstanceTypes: describeInstanceTypes,
  DescribeInstances: describeInstances,
  DescribeKeyPairs: describeKeyPairs,
  DescribeRegions: describeRegions,
  DescribeSecurityGroups: describeSecurityGroups,
  DescribeSpotInstanceRequests: describeSpotInstanceRequests,
  DescribeSpotPriceHistory: describeSpotPriceHistory,
  DescribeSubnets: describeSubnets,
  DescribeTags: describeTags,
  DescribeVolumes: describeVolumes,
  DescribeVpcs: describeVpcs,
  DetachVolume: detach,
  ImportKeyPair: importKeyPair,
  ModifyInstanceAttribute: modifyInstanceAttribute,
  RebootInstances: rebootInstances,
  RunInstances: runInstances,
  StartInstances: startInstances,
  StopInstances: stopInstances,
  TerminateInstances: terminateInstances,
};
