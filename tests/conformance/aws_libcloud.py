"""Runs the EC2 driver of Apache Libcloud against a simulated AWS.

usage: python aws_libcloud.py PORT

Prints one JSON document of what the driver returned; the test that started it compares it with what was expected.
"""

import json
import sys
import time

from libcloud.common.exceptions import BaseHTTPError
from libcloud.compute.drivers.ec2 import IdempotentParamError
from libcloud.compute.providers import get_driver
from libcloud.compute.types import NodeState, Provider

LIMIT_SEC = 60


def until(driver, node, state):
    """Reads the node until it has the state; the limit only keeps a broken run from hanging."""
    deadline = time.monotonic() + LIMIT_SEC
    while True:
        [now] = driver.list_nodes(ex_node_ids=[node.id])
        if now.state == state:
            return now
        if time.monotonic() > deadline:
            raise TimeoutError(f'never {state}; last: {now.state}')
        time.sleep(0.5)


def refusal(call):
    try:
        call()
    except (BaseHTTPError, IdempotentParamError) as error:
        return str(error).strip("'").split(':')[0]
    return None


def main(port):
    driver = get_driver(Provider.EC2)(
        'demo', 'demo', region='eu-west-1', host='127.0.0.1', port=port, secure=False, signature_version='4'
    )
    locations = driver.list_locations()
    sizes = {size.id: size for size in driver.list_sizes()}
    image = next(i for i in driver.list_images(ex_owner='amazon') if 'Ubuntu 22.04' in i.name)
    driver.import_key_pair_from_string('libcloud', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 libcloud')
    mapping = {'DeviceName': '/dev/sda1', 'Ebs.VolumeSize': 80, 'Ebs.DeleteOnTermination': 'false'}
    wanted = {
        'name': 'libcloud',
        'image': image,
        'ex_keyname': 'libcloud',
        'ex_clienttoken': 'libcloud-1',
        'ex_userdata': '#!/bin/sh\ntrue\n',
        'ex_blockdevicemappings': [mapping],
    }
    node = driver.create_node(size=sizes['g5.xlarge'], **wanted)
    report = {
        'locations': [location.name for location in locations],
        'keys': [key.name for key in driver.list_key_pairs()],
        'first_state': node.state,
        'same': driver.create_node(size=sizes['g5.xlarge'], **wanted).id == node.id,
        'mismatch': refusal(lambda: driver.create_node(size=sizes['g5.2xlarge'], **wanted)),
        'no_capacity': refusal(lambda: driver.create_node(name='x', image=image, size=sizes['p4d.24xlarge'])),
        'not_offered': refusal(
            lambda: driver.create_node(name='x', image=image, size=sizes['p4d.24xlarge'], location=locations[0])
        ),
    }
    running = until(driver, node, NodeState.RUNNING)
    report['running'] = [running.name, len(running.public_ips), running.extra['instance_type']]
    zone = next(location for location in locations if location.name == running.extra['availability'])
    volume = driver.create_volume(10, 'data', location=zone)
    time.sleep(1)
    report['volume'] = [
        driver.attach_volume(running, volume, '/dev/sdf'),
        refusal(lambda: driver.destroy_volume(volume)),
        driver.detach_volume(volume),
        driver.destroy_volume(volume),
    ]
    driver.ex_stop_node(running)
    stopped = until(driver, node, NodeState.STOPPED)
    driver.ex_change_node_size(stopped, sizes['g5.2xlarge'])
    driver.ex_start_node(stopped)
    woken = until(driver, node, NodeState.RUNNING)
    report['woken'] = [woken.extra['instance_type'], driver.reboot_node(woken)]
    driver.destroy_node(woken)
    until(driver, node, NodeState.TERMINATED)
    report['kept'] = [[v.size, v.name] for v in driver.list_volumes()]
    print(json.dumps(report))


if __name__ == '__main__':
    main(int(sys.argv[1]))
