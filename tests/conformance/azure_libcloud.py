"""Runs the Azure driver of Apache Libcloud against a simulated Azure.

usage: python azure_libcloud.py PORT

Prints one JSON document of what the driver returned; the test that started it compares it with what was expected.
"""

import json
import sys
import time

from libcloud.common.azure_arm import AzureResourceManagementConnection
from libcloud.common.exceptions import BaseHTTPError
from libcloud.compute.base import NodeAuthSSHKey
from libcloud.compute.drivers.azure_arm import AzureImage
from libcloud.compute.providers import get_driver
from libcloud.compute.types import NodeState, Provider
from libcloud.http import LibcloudConnection

LIMIT_SEC = 60
TENANT = '00000000-0000-4000-8000-00000000da01'
SUBSCRIPTION = '00000000-0000-4000-8000-00000000da02'
GROUP = 'conformance'
KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKLKmweyRh8EQsUBcpNzFXtTSv33EV+K0g1k2nXENtLq libcloud'


def until(driver, name, state):
    """Looks until the node has the state; the limit only keeps a broken run from hanging."""
    deadline = time.monotonic() + LIMIT_SEC
    while True:
        [now] = [node for node in driver.list_nodes() if node.name == name]
        if now.state == state:
            return now
        if time.monotonic() > deadline:
            raise TimeoutError(f'never {state}; last: {now.state}')
        time.sleep(0.3)


def refusal(call):
    try:
        call()
    except BaseHTTPError as error:
        return [error.code, error.message.split(']')[0].lstrip('[')]
    return None


def main(port):
    class Plain(LibcloudConnection):
        """The driver speaks TLS to fixed hosts only; a simulator on loopback has none."""

        def __init__(self, *_place, **options):
            super().__init__('127.0.0.1', port, secure=False, timeout=options.get('timeout'))

    AzureResourceManagementConnection.conn_class = Plain
    driver = get_driver(Provider.AZURE_ARM)(
        tenant_id=TENANT, subscription_id=SUBSCRIPTION, key='demo', secret='demo', region='northeurope'
    )
    locations = {location.id: location for location in driver.list_locations()}
    north = locations['northeurope']
    sizes = {size.id: size for size in driver.list_sizes(north)}
    driver.connection.request(
        f'/subscriptions/{SUBSCRIPTION}/resourcegroups/{GROUP}',
        params={'api-version': '2022-12-01'},
        data={'location': north.id},
        method='PUT',
    )
    driver.connection.request(
        f'/subscriptions/{SUBSCRIPTION}/resourceGroups/{GROUP}/providers/Microsoft.Network/virtualNetworks/net',
        params={'api-version': '2018-06-01'},
        data={
            'location': north.id,
            'properties': {
                'addressSpace': {'addressPrefixes': ['10.0.0.0/16']},
                'subnets': [{'name': 'default', 'properties': {'addressPrefix': '10.0.0.0/24'}}],
            },
        },
        method='PUT',
    )
    time.sleep(0.3)
    [network] = driver.ex_list_networks()
    [subnet] = driver.ex_list_subnets(network)
    address = driver.ex_create_public_ip('libcloud-ip', GROUP, north)
    time.sleep(0.3)
    nic = driver.ex_create_network_interface('libcloud-nic', subnet, GROUP, north, public_ip=address)
    time.sleep(0.3)
    wanted = {
        'name': 'libcloud',
        'image': AzureImage('latest', '2204', 'ubuntu-hpc', 'microsoft-dsvm', north.id, driver),
        'auth': NodeAuthSSHKey(KEY),
        'ex_resource_group': GROUP,
        'location': north,
        'ex_nic': nic,
        'ex_tags': {'made-by': 'libcloud'},
        'ex_use_managed_disks': True,
        'ex_disk_size': 64,
    }
    report = {
        'locations': sorted(locations),
        'size': [sizes['Standard_NC4as_T4_v3'].ram, sizes['Standard_NC4as_T4_v3'].extra['numberOfCores']],
        'root': refusal(
            lambda: driver.create_node(size=sizes['Standard_NC4as_T4_v3'], **wanted, ex_user_name='root')
        ),
        'no_capacity': refusal(lambda: driver.create_node(size=sizes['Standard_NC24ads_A100_v4'], **wanted)),
    }
    first = driver.create_node(size=sizes['Standard_NC4as_T4_v3'], **wanted)
    report['first_state'] = first.extra['properties']['provisioningState']
    node = until(driver, 'libcloud', NodeState.RUNNING)
    report['running'] = [
        len(node.public_ips),
        len(node.private_ips),
        node.extra['tags'],
        node.extra['properties']['hardwareProfile']['vmSize'],
    ]
    report['volumes'] = [[volume.name, volume.size, str(volume.state)] for volume in driver.list_volumes()]
    report['in_use'] = refusal(lambda: driver.ex_destroy_nic(nic))
    driver.ex_stop_node(node)
    asleep = until(driver, 'libcloud', NodeState.STOPPED)
    driver.ex_start_node(asleep)
    awake = until(driver, 'libcloud', NodeState.RUNNING)
    report['ended'] = driver.destroy_node(awake, ex_poll_wait=1)
    time.sleep(0.3)
    report['left'] = [
        [node.name for node in driver.list_nodes()],
        [volume.name for volume in driver.list_volumes()],
        [nic.name for nic in driver.ex_list_nics(GROUP)],
        [ip.name for ip in driver.ex_list_public_ips(GROUP)],
    ]
    print(json.dumps(report))


if __name__ == '__main__':
    main(int(sys.argv[1]))
