"""Runs AWS's own Python SDK against the fault proxy before moto.

usage: python moto_proxy.py URL PART [TOKEN]

Prints one JSON document of what the SDK returned; the test that started it compares it with what was expected. Every part leaves nothing
behind.
"""

import json
import sys
import time

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError, ConnectionClosedError

REGION = 'eu-west-1'
LIMIT_SEC = 60


def client(service, url):
    return boto3.client(
        service,
        endpoint_url=url,
        region_name=REGION,
        aws_access_key_id='AKIAIOSFODNN7EXAMPLE',
        aws_secret_access_key='example',
        config=Config(retries={'total_max_attempts': 1}),
    )


def refusal(call):
    """Code of the error that a call ends with."""
    try:
        call()
    except ClientError as error:
        return error.response['Error']['Code']
    return None


def image(url):
    name = '/aws/service/deeplearning/ami/x86_64/base-oss-nvidia-driver-gpu-ubuntu-24.04/latest/ami-id'
    return client('ssm', url).get_parameter(Name=name)['Parameter']['Value']


def instances(ec2):
    """Those that exist."""
    states = [{'Name': 'instance-state-name', 'Values': ['pending', 'running', 'stopping', 'stopped']}]
    return [i for r in ec2.describe_instances(Filters=states)['Reservations'] for i in r['Instances']]


def run(ec2, url, zone='a', kind='g5.xlarge', **more):
    answer = ec2.run_instances(
        ImageId=image(url),
        InstanceType=kind,
        MinCount=1,
        MaxCount=1,
        Placement={'AvailabilityZone': f'{REGION}{zone}'},
        **more,
    )
    return answer['Instances'][0]['InstanceId']


def state(ec2, instance):
    return ec2.describe_instances(InstanceIds=[instance])['Reservations'][0]['Instances'][0]['State']['Name']


def until(ec2, instance, right):
    """Looks until the state is right; the limit only keeps a broken run from hanging."""
    deadline = time.monotonic() + LIMIT_SEC
    while (seen := state(ec2, instance)) != right:
        if time.monotonic() > deadline:
            raise TimeoutError(f'never {right}; last {seen}')
        time.sleep(0.05)
    return seen


def end_all(ec2):
    for instance in instances(ec2):
        ec2.terminate_instances(InstanceIds=[instance['InstanceId']])


def tokens(ec2, url):
    first = run(ec2, url, ClientToken='token-1')
    facts = {
        'same': run(ec2, url, ClientToken='token-1') == first,
        'in_other_zone': run(ec2, url, zone='b', ClientToken='token-1') != first,
        'other_type': refusal(lambda: run(ec2, url, kind='g5.2xlarge', ClientToken='token-1')),
    }
    ec2.terminate_instances(InstanceIds=[first])
    facts['ended'] = refusal(lambda: run(ec2, url, ClientToken='token-1'))
    facts['living'] = len(instances(ec2))
    end_all(ec2)
    facts['without_token'] = len({run(ec2, url), run(ec2, url)})
    return facts


def states(ec2, url):
    instance = run(ec2, url)
    facts = {
        'first': state(ec2, instance),
        'stop_while_pending': refusal(lambda: ec2.stop_instances(InstanceIds=[instance])),
        'later': until(ec2, instance, 'running'),
    }

    def change():
        ec2.modify_instance_attribute(InstanceId=instance, InstanceType={'Value': 'g5.2xlarge'})

    facts['type_while_running'] = refusal(change)
    ec2.stop_instances(InstanceIds=[instance])
    until(ec2, instance, 'stopped')
    change()
    ec2.start_instances(InstanceIds=[instance])
    facts['after_start'] = state(ec2, instance)
    found = ec2.describe_instances(InstanceIds=[instance])['Reservations'][0]['Instances'][0]
    facts['type'] = found['InstanceType']
    ec2.terminate_instances(InstanceIds=[instance])
    facts['start_after_end'] = refusal(lambda: ec2.start_instances(InstanceIds=[instance]))
    return facts


def facts(ec2, url):
    wanted = {'regionCode': REGION, 'operatingSystem': 'Linux', 'tenancy': 'Shared', 'capacitystatus': 'Used'}
    filters = [{'Type': 'TERM_MATCH', 'Field': field, 'Value': value} for field, value in wanted.items()]
    listed = client('pricing', url).get_products(ServiceCode='AmazonEC2', Filters=filters)['PriceList']
    prices = {}
    for product in map(json.loads, listed):
        (term,) = product['terms']['OnDemand'].values()
        (dimension,) = term['priceDimensions'].values()
        prices[product['product']['attributes']['instanceType']] = float(dimension['pricePerUnit']['USD'])
    spot = ec2.describe_spot_price_history(InstanceTypes=['g5.xlarge'], ProductDescriptions=['Linux/UNIX'])
    found = ec2.describe_images(ImageIds=[image(url)])['Images'][0]
    return {
        'prices': {kind: prices[kind] for kind in ['g5.xlarge', 'g4dn.xlarge']},
        'one_each': len(prices) == len(listed),
        'spot': {row['AvailabilityZone']: float(row['SpotPrice']) for row in spot['SpotPriceHistory']},
        'image': [found['State'], found['Architecture']],
        'unknown_parameter': refusal(lambda: client('ssm', url).get_parameter(Name='/nothing')),
    }


def create(ec2, url, token):
    refused = None
    try:
        run(ec2, url, ClientToken=token)
    except ClientError as error:
        answer = error.response
        refused = [answer['Error']['Code'], answer['ResponseMetadata']['HTTPStatusCode'], answer['Error']['Message']]
    except ConnectionClosedError as error:
        refused = [type(error).__name__, None, None]
    return {'refused': refused, 'made': len(instances(ec2))}


PARTS = {part.__name__: part for part in [tokens, states, facts, create]}

if __name__ == '__main__':
    _, base, part, *rest = sys.argv
    ec2 = client('ec2', base)
    try:
        print(json.dumps(PARTS[part](ec2, base, *rest)))
    finally:
        end_all(ec2)
