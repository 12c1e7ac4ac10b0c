/** The default network of a region: DescribeVpcs, DescribeSubnets and DescribeAddresses. */
import { ACCOUNT_ID, subnetOf, vpcOf, type Call } from '../account.ts';
import { REGIONS } from '../catalogue.ts';
import { AwsError } from '../errors.ts';
import { filters, listOf, pageOf, paging, passes, read, text } from '../parameters.ts';
import { setOf, type XmlTree } from '../xml.ts';

export function describeVpcs(call: Call): XmlTree {
  const p = read(call.parameters, { VpcId: listOf(text), Filter: filters, ...paging });
  const own = vpcOf(call.region);
  for (const id of p.VpcId)
    if (id !== own) throw new AwsError('InvalidVpcID.NotFound', `The vpc ID '${id}' does not exist`);
  const found = [own].filter((id) =>
    passes(p.Filter, { 'vpc-id': id, 'is-default': 'true', isDefault: 'true', state: 'available' }, []),
  );
  return {
    vpcSet: setOf(found, (vpcId) => ({
      vpcId,
      ownerId: ACCOUNT_ID,
      state: 'available',
      cidrBlock: '172.31.0.0/16',
      dhcpOptionsId: 'dopt-00000000',
      instanceTenancy: 'default',
      isDefault: true,
      tagSet: '',
    })),
  };
}

export function describeSubnets(call: Call): XmlTree {
  const p = read(call.parameters, { SubnetId: listOf(text), Filter: filters, ...paging });
  const zones = REGIONS.find((r) => r.name === call.region)?.zones ?? [];
  const subnets = zones.map((zone, index) => ({ zone, id: subnetOf(zone.name), cidr: `172.31.${index * 16}.0/20` }));
  for (const id of p.SubnetId)
    if (!subnets.some((s) => s.id === id))
      throw new AwsError('InvalidSubnetID.NotFound', `The subnet ID '${id}' does not exist`);
  const found = subnets
    .filter((s) => p.SubnetId.length === 0 || p.SubnetId.includes(s.id))
    .filter((s) =>
      passes(
        p.Filter,
        {
          'subnet-id': s.id,
          'vpc-id': vpcOf(call.region),
          'availability-zone': s.zone.name,
          availabilityZone: s.zone.name,
          'default-for-az': 'true',
          defaultForAz: 'true',
          state: 'available',
          'map-public-ip-on-launch': 'true',
        },
        [],
      ),
    );
  const { items, nextToken } = pageOf(found, p);
  return {
    subnetSet: setOf(items, ({ id, zone, cidr }) => ({
      subnetId: id,
      subnetArn: `arn:aws:ec2:${call.region}:${ACCOUNT_ID}:subnet/${id}`,
      state: 'available',
      ownerId: ACCOUNT_ID,
      vpcId: vpcOf(call.region),
      cidrBlock: cidr,
      availableIpAddressCount: 4091,
      availabilityZone: zone.name,
      availabilityZoneId: zone.id,
      defaultForAz: true,
      mapPublicIpOnLaunch: true,
      assignIpv6AddressOnCreation: false,
      tagSet: '',
    })),
    nextToken,
  };
}

/** Elastic addresses: none. Clients ask for them with every list of instances. */
export function describeAddresses(call: Call): XmlTree {
  const {
    PublicIp: [missing],
  } = read(call.parameters, { PublicIp: listOf(text), AllocationId: listOf(text), Filter: filters });
  if (missing !== undefined) throw new AwsError('InvalidAddress.NotFound', `Address '${missing}' not found.`);
  return { addressesSet: '' };
}
