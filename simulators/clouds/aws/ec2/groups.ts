/** Security groups: create, describe, authorize, delete. */
import { z } from 'zod';
import { ACCOUNT_ID, defaultGroupOf, vpcOf, type Call, type GroupRule, type SecurityGroup } from '../account.ts';
import { awsId } from '../catalogue.ts';
import { AwsError } from '../errors.ts';
import {
  coreTags,
  filters,
  listOf,
  pageOf,
  paging,
  passes,
  read,
  tagSpecifications,
  text,
  whole,
} from '../parameters.ts';
import { setOf, type XmlTree } from '../xml.ts';
import { groupIn, groupNamed } from './find.ts';
import { tagSet } from './instance-item.ts';

const ruleTree = (rule: GroupRule): XmlTree => ({
  ipProtocol: rule.protocol,
  ...(rule.protocol === '-1' ? {} : { fromPort: rule.fromPort, toPort: rule.toPort }),
  groups: '',
  ipRanges: setOf([rule], ({ cidr, description }) => ({
    cidrIp: cidr,
    description: description === '' ? undefined : description,
  })),
  ipv6Ranges: '',
  prefixListIds: '',
});

const EVERYTHING: GroupRule = {
  id: '',
  protocol: '-1',
  fromPort: -1,
  toPort: -1,
  cidr: '0.0.0.0/0',
  description: '',
};

export function describeSecurityGroups(call: Call): XmlTree {
  const p = read(call.parameters, { GroupId: listOf(text), GroupName: listOf(text), Filter: filters, ...paging });
  const named = [...p.GroupId.map((id) => groupIn(call, id)), ...p.GroupName.map((name) => groupNamed(call, name))];
  const all = named.length > 0 ? named : Object.values(call.sim.account.groups).filter((g) => g.region === call.region);
  const found = all.filter((group) =>
    passes(
      p.Filter,
      { 'group-id': group.id, 'group-name': group.name, description: group.description, 'vpc-id': vpcOf(call.region) },
      group.tags,
    ),
  );
  const { items, nextToken } = pageOf(found, p);
  return {
    securityGroupInfo: setOf(items, (group) => ({
      ownerId: ACCOUNT_ID,
      groupId: group.id,
      groupName: group.name,
      groupDescription: group.description,
      vpcId: vpcOf(call.region),
      ipPermissions: setOf(group.rules, ruleTree),
      ipPermissionsEgress: setOf([EVERYTHING], ruleTree),
      tagSet: tagSet(group.tags),
    })),
    nextToken,
  };
}

export function createSecurityGroup(call: Call): XmlTree {
  const p = read(call.parameters, {
    GroupName: text,
    GroupDescription: text,
    VpcId: text.optional(),
    TagSpecification: tagSpecifications,
  });
  const { cloud, account } = call.sim;
  if (p.VpcId !== undefined && p.VpcId !== vpcOf(call.region))
    throw new AwsError('InvalidVpcID.NotFound', `The vpc ID '${p.VpcId}' does not exist`);
  if (Object.values(account.groups).some((g) => g.region === call.region && g.name === p.GroupName))
    throw new AwsError(
      'InvalidGroup.Duplicate',
      `The security group '${p.GroupName}' already exists for VPC '${vpcOf(call.region)}'`,
    );
  const group: SecurityGroup = {
    id: awsId('sg', cloud.state.random),
    name: p.GroupName,
    description: p.GroupDescription,
    region: call.region,
    rules: [],
    tags: coreTags(p.TagSpecification),
  };
  account.groups[group.id] = group;
  return { return: true, groupId: group.id, tagSet: tagSet(group.tags) };
}

const permission = z.strictObject({
  IpProtocol: text,
  FromPort: whole.default(-1),
  ToPort: whole.default(-1),
  IpRanges: listOf(z.strictObject({ CidrIp: text, Description: text.default('') })),
});

/** The group that a call names by its id or its name. @throws AwsError */
function groupOf(
  call: Call,
  { GroupId, GroupName }: { readonly GroupId?: string | undefined; readonly GroupName?: string | undefined },
): SecurityGroup {
  if (GroupId !== undefined) return groupIn(call, GroupId);
  if (GroupName !== undefined) return groupNamed(call, GroupName);
  throw new AwsError('MissingParameter', 'The request must contain the parameter groupName or groupId');
}

export function authorizeIngress(call: Call): XmlTree {
  const p = read(call.parameters, {
    GroupId: text.optional(),
    GroupName: text.optional(),
    IpPermissions: listOf(permission),
    IpProtocol: text.optional(),
    FromPort: whole.default(-1),
    ToPort: whole.default(-1),
    CidrIp: text.optional(),
  });
  const group = groupOf(call, p);
  const permissions = [
    ...p.IpPermissions,
    ...(p.IpProtocol === undefined || p.CidrIp === undefined
      ? []
      : [
          {
            IpProtocol: p.IpProtocol,
            FromPort: p.FromPort,
            ToPort: p.ToPort,
            IpRanges: [{ CidrIp: p.CidrIp, Description: '' }],
          },
        ]),
  ];
  const rules = permissions.flatMap(({ IpProtocol, FromPort, ToPort, IpRanges }) =>
    IpRanges.map(({ CidrIp, Description }): GroupRule => ({
      id: awsId('sgr', call.sim.cloud.state.random),
      protocol: IpProtocol,
      fromPort: FromPort,
      toPort: ToPort,
      cidr: CidrIp,
      description: Description,
    })),
  );
  const keyOf = (r: GroupRule): string => `${r.protocol} ${r.fromPort} ${r.toPort} ${r.cidr}`;
  const twice = rules.find((r) => group.rules.some((known) => keyOf(known) === keyOf(r)));
  if (twice !== undefined)
    throw new AwsError(
      'InvalidPermission.Duplicate',
      `the specified rule "peer: ${twice.cidr}, ${twice.protocol}, from port: ${twice.fromPort}, to port: ${twice.toPort}, ALLOW" already exists`,
    );
  group.rules.push(...rules);
  return {
    return: true,
    securityGroupRuleSet: setOf(rules, (rule) => ({
      securityGroupRuleId: rule.id,
      groupId: group.id,
      groupOwnerId: ACCOUNT_ID,
      isEgress: false,
      ipProtocol: rule.protocol,
      fromPort: rule.fromPort,
      toPort: rule.toPort,
      cidrIpv4: rule.cidr,
    })),
  };
}

export function deleteSecurityGroup(call: Call): XmlTree {
  const p = read(call.parameters, { GroupId: text.optional(), GroupName: text.optional() });
  const group = groupOf(call, p);
  if (group.id === defaultGroupOf(call.region))
    throw new AwsError(
      'CannotDelete',
      `the specified group: "${group.id}" name: "default" cannot be deleted by a user`,
    );
  const { cloud, account } = call.sim;
  const isUsed = Object.values(cloud.state.instances).some(
    (i) => i.phase !== 'gone' && account.records[i.id]?.groupIds.includes(group.id) === true,
  );
  if (isUsed) throw new AwsError('DependencyViolation', `resource ${group.id} has a dependent object`);
  delete account.groups[group.id];
  return { return: true, groupId: group.id };
}
