"""Runs AWS's own Python SDK against a simulated AWS.

usage: python aws_boto3.py ENDPOINT

Prints one JSON document of what the SDK returned; the test that started it compares it with what was expected. Anything that the SDK
cannot parse ends this program with its traceback.
"""

import json
import sys
import warnings

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

REGION = 'eu-west-1'
PARAMETER = '/aws/service/deeplearning/ami/x86_64/base-oss-nvidia-driver-gpu-ubuntu-22.04/latest/ami-id'
POLL_SEC = 0.5


def refusal(call):
    """Code and status of the error that a call ends with."""
    try:
        call()
    except ClientError as error:
        return [error.response['Error']['Code'], error.response['ResponseMetadata']['HTTPStatusCode']]
    return None


def wait(ec2, name, **ids):
    waiter = ec2.get_waiter(name)
    waiter.config.delay = POLL_SEC
    waiter.wait(**ids)


def catalogue(clients):
    ec2 = clients('ec2')
    gpu_types = ec2.describe_instance_types(InstanceTypes=['g5.xlarge'])['InstanceTypes']
    pages = ec2.get_paginator('describe_instance_types').paginate(PaginationConfig={'PageSize': 5})
    filters = {'instanceType': 'g5.xlarge', 'regionCode': REGION, 'operatingSystem': 'Linux', 'tenancy': 'Shared'}
    products = clients('pricing', 'us-east-1').get_products(
        ServiceCode='AmazonEC2',
        Filters=[{'Type': 'TERM_MATCH', 'Field': k, 'Value': v} for k, v in (filters | {'capacitystatus': 'Used'}).items()],
    )['PriceList']
    [term] = json.loads(products[0])['terms']['OnDemand'].values()
    [rate] = term['priceDimensions'].values()
    history = ec2.get_paginator('describe_spot_price_history').paginate(
        InstanceTypes=['g5.xlarge'], ProductDescriptions=['Linux/UNIX']
    )
    offerings = ec2.get_paginator('describe_instance_type_offerings').paginate(
        LocationType='availability-zone', Filters=[{'Name': 'instance-type', 'Values': ['p4d.*']}]
    )
    return {
        'identity': clients('sts').get_caller_identity()['Account'],
        'regions': [r['RegionName'] for r in ec2.describe_regions()['Regions']],
        'zones': [z['ZoneName'] for z in ec2.describe_availability_zones()['AvailabilityZones']],
        'gpu': [gpu_types[0]['GpuInfo']['Gpus'][0]['Name'], gpu_types[0]['GpuInfo']['TotalGpuMemoryInMiB']],
        'vcpus': gpu_types[0]['VCpuInfo']['DefaultVCpus'],
        'types': sum(len(page['InstanceTypes']) for page in pages),
        'offered': [o['Location'] for page in offerings for o in page['InstanceTypeOfferings']],
        'price': [len(products), rate['pricePerUnit']['USD']],
        'spot_prices': sum(len(page['SpotPriceHistory']) for page in history),
    }


def network(ec2):
    vpc = ec2.describe_vpcs(Filters=[{'Name': 'is-default', 'Values': ['true']}])['Vpcs'][0]['VpcId']
    subnets = ec2.describe_subnets(Filters=[{'Name': 'vpc-id', 'Values': [vpc]}])['Subnets']
    group = ec2.create_security_group(GroupName='conformance', Description='conformance', VpcId=vpc)['GroupId']
    rule = {'IpProtocol': 'tcp', 'FromPort': 22, 'ToPort': 22, 'IpRanges': [{'CidrIp': '10.0.0.0/8', 'Description': 'ssh'}]}
    ec2.authorize_security_group_ingress(GroupId=group, IpPermissions=[rule])
    again = refusal(lambda: ec2.authorize_security_group_ingress(GroupId=group, IpPermissions=[rule]))
    [shown] = ec2.describe_security_groups(GroupIds=[group])['SecurityGroups'][0]['IpPermissions']
    ec2.import_key_pair(KeyName='conformance', PublicKeyMaterial=b'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 conformance')
    return (
        {subnet['AvailabilityZone']: subnet['SubnetId'] for subnet in subnets},
        group,
        {
            'subnets': len(subnets),
            'rule': [shown['FromPort'], shown['IpRanges'][0]['CidrIp']],
            'rule_twice': again,
            'key_twice': refusal(lambda: ec2.import_key_pair(KeyName='conformance', PublicKeyMaterial=b'ssh-rsa AAAA x')),
            'keys': [k['KeyName'] for k in ec2.describe_key_pairs()['KeyPairs']],
        },
    )


def launch_of(image, subnet, group):
    return {
        'ImageId': image,
        'InstanceType': 'g5.xlarge',
        'MinCount': 1,
        'MaxCount': 1,
        'KeyName': 'conformance',
        'ClientToken': 'conformance-1',
        'UserData': '#!/bin/sh\ntrue\n',
        'NetworkInterfaces': [
            {'DeviceIndex': 0, 'SubnetId': subnet, 'Groups': [group], 'AssociatePublicIpAddress': True}
        ],
        'BlockDeviceMappings': [
            {'DeviceName': '/dev/sda1', 'Ebs': {'VolumeSize': 100, 'VolumeType': 'gp3', 'DeleteOnTermination': False}}
        ],
        'InstanceInitiatedShutdownBehavior': 'terminate',
        'MetadataOptions': {'HttpTokens': 'required'},
        'TagSpecifications': [
            {'ResourceType': kind, 'Tags': [{'Key': 'Name', 'Value': 'conformance'}]} for kind in ('instance', 'volume')
        ],
    }


def instance_life(ec2, launch):
    created = ec2.run_instances(**launch)['Instances'][0]
    ids = {'InstanceIds': [created['InstanceId']]}
    facts = {
        'dry_run': refusal(lambda: ec2.run_instances(**launch, DryRun=True)),
        'first_state': created['State']['Name'],
        'same': ec2.run_instances(**launch)['Instances'][0]['InstanceId'] == created['InstanceId'],
        'mismatch': refusal(lambda: ec2.run_instances(**launch | {'InstanceType': 'g5.2xlarge'})),
    }
    wait(ec2, 'instance_running', **ids)
    wait(ec2, 'instance_exists', **ids)
    found = ec2.describe_instances(Filters=[{'Name': 'tag:Name', 'Values': ['conf*']}])['Reservations']
    running = found[0]['Instances'][0]
    volume = running['BlockDeviceMappings'][0]['Ebs']['VolumeId']
    ec2.create_tags(Resources=[created['InstanceId'], volume], Tags=[{'Key': 'deckhand', 'Value': 'yes'}])
    facts |= {
        'has_ip': 'PublicIpAddress' in running,
        'groups': [g['GroupName'] for g in running['SecurityGroups']],
        'zone': running['Placement']['AvailabilityZone'],
        'volume': [(v['Size'], v['State'], v['Attachments'][0]['Device']) for v in ec2.describe_volumes()['Volumes']],
        'tagged': sorted(t['ResourceType'] for t in ec2.describe_tags(Filters=[{'Name': 'key', 'Values': ['deckhand']}])['Tags']),
        'in_use': refusal(lambda: ec2.delete_volume(VolumeId=volume)),
        'type_while_running': refusal(
            lambda: ec2.modify_instance_attribute(InstanceId=created['InstanceId'], InstanceType={'Value': 'g5.2xlarge'})
        ),
    }
    ec2.reboot_instances(**ids)
    stopping = ec2.stop_instances(**ids)['StoppingInstances'][0]
    wait(ec2, 'instance_stopped', **ids)
    ec2.modify_instance_attribute(InstanceId=created['InstanceId'], InstanceType={'Value': 'g5.2xlarge'})
    ec2.start_instances(**ids)
    wait(ec2, 'instance_running', **ids)
    woken = ec2.describe_instances(**ids)['Reservations'][0]['Instances'][0]
    terminating = ec2.terminate_instances(**ids)['TerminatingInstances'][0]
    wait(ec2, 'instance_terminated', **ids)
    ended = ec2.describe_instances(**ids)['Reservations'][0]['Instances'][0]
    wait(ec2, 'volume_available', VolumeIds=[volume])
    ec2.delete_volume(VolumeId=volume)
    return facts | {
        'stopping': [stopping['PreviousState']['Name'], stopping['CurrentState']['Name']],
        'woken': [woken['InstanceType'], woken['BlockDeviceMappings'][0]['Ebs']['VolumeId'] == volume],
        'terminating': terminating['CurrentState']['Name'],
        'reason': ended['StateReason']['Code'],
        'again': ec2.terminate_instances(**ids)['TerminatingInstances'][0]['CurrentState']['Name'],
        'token_spent': refusal(lambda: ec2.run_instances(**launch)),
        'unknown': refusal(lambda: ec2.describe_instances(InstanceIds=['i-0123456789abcdef0'])),
        'volumes_left': len(ec2.describe_volumes()['Volumes']),
    }


def spot_life(ec2, launch):
    spot = {'MarketType': 'spot', 'SpotOptions': {'SpotInstanceType': 'one-time', 'InstanceInterruptionBehavior': 'terminate'}}
    created = ec2.run_instances(**launch | {'ClientToken': 'spot', 'InstanceMarketOptions': spot})['Instances'][0]
    ids = {'InstanceIds': [created['InstanceId']]}
    wait(ec2, 'instance_running', **ids)
    [request] = ec2.describe_spot_instance_requests(
        Filters=[{'Name': 'instance-id', 'Values': ids['InstanceIds']}]
    )['SpotInstanceRequests']
    stopped = refusal(lambda: ec2.stop_instances(**ids))
    ec2.terminate_instances(**ids)
    wait(ec2, 'instance_terminated', **ids)
    return {
        'lifecycle': created['InstanceLifecycle'],
        'request': [request['State'], request['Status']['Code'], request['SpotInstanceRequestId'] == created['SpotInstanceRequestId']],
        'stop': stopped,
    }


def main(endpoint):
    warnings.simplefilter('error')

    def clients(service, region=REGION, secret='demo'):
        return boto3.client(
            service,
            region_name=region,
            endpoint_url=endpoint,
            aws_access_key_id='demo',
            aws_secret_access_key=secret,
            config=Config(retries={'max_attempts': 0}),
        )

    ec2 = clients('ec2')
    report = {
        'wrong_secret': [
            refusal(clients('ec2', secret='wrong').describe_regions),
            refusal(clients('sts', secret='wrong').get_caller_identity),
            refusal(lambda: clients('ssm', secret='wrong').get_parameter(Name=PARAMETER)),
        ],
        'catalogue': catalogue(clients),
    }
    image = clients('ssm').get_parameter(Name=PARAMETER)['Parameter']['Value']
    report['image'] = ec2.describe_images(ImageIds=[image])['Images'][0]['RootDeviceName']
    report['no_parameter'] = refusal(lambda: clients('ssm').get_parameter(Name='/nothing'))
    subnets, group, report['network'] = network(ec2)
    launch = launch_of(image, subnets['eu-west-1b'], group)
    elsewhere = launch | {'ClientToken': 'elsewhere', 'NetworkInterfaces': [{'DeviceIndex': 0, 'SubnetId': subnets['eu-west-1a']}]}
    report['no_capacity'] = refusal(lambda: ec2.run_instances(**elsewhere))
    report['instance'] = instance_life(ec2, launch)
    report['spot'] = spot_life(ec2, launch)
    ec2.delete_key_pair(KeyName='conformance')
    ec2.delete_security_group(GroupId=group)
    report['left'] = [len(ec2.describe_key_pairs()['KeyPairs']), len(ec2.describe_security_groups()['SecurityGroups'])]
    report['invalid'] = refusal(ec2.describe_fleets)
    print(json.dumps(report))


if __name__ == '__main__':
    main(sys.argv[1])
