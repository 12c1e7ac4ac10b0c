"""Runs the GCE driver of Apache Libcloud against a simulated Google.

usage: python google_libcloud.py PORT

Prints one JSON document of what the driver returned; the test that started it compares it with what was expected.
"""

import json
import os
import sys
import tempfile
import urllib.parse
import urllib.request

from libcloud.common.google import GoogleBaseConnection, GoogleBaseError, ResourceExistsError, ResourceNotFoundError
from libcloud.compute.drivers.gce import GCEConnection, GCENodeDriver

ZONE = 'europe-west4-a'
IMAGE = 'projects/ubuntu-os-accelerator-images/global/images/family/ubuntu-accelerator-2404-amd64-with-nvidia-580'


def refusal(call):
    try:
        call()
    except (ResourceExistsError, ResourceNotFoundError, GoogleBaseError) as error:
        return [type(error).__name__, getattr(error, 'code', None)]
    return None


def token_file(port):
    """A token as the driver keeps it: its own ways of asking know no other address than Google's."""
    login = {'grant_type': 'refresh_token', 'client_id': 'demo', 'client_secret': 'demo', 'refresh_token': 'demo'}
    form = urllib.parse.urlencode(login).encode()
    token = json.load(urllib.request.urlopen(f'http://127.0.0.1:{port}/token', form))
    handle, name = tempfile.mkstemp()
    with os.fdopen(handle, 'w') as file:
        json.dump({**token, 'expire_time': '2099-01-01T00:00:00Z'}, file)
    return name


def driver_at(port):
    """The driver, at another address than Google's, which it knows only as a constant."""

    class Connection(GCEConnection):
        def __init__(self, *args, **kwargs):
            super().__init__(*args, **kwargs, host='127.0.0.1', port=port)

    class Driver(GCENodeDriver):
        connectionCls = Connection

    return Driver


def main(port):
    credential_file = token_file(port)
    GoogleBaseConnection.poll_interval = 0.2
    try:
        driver = driver_at(port)(
            'demo.apps.googleusercontent.com',
            'demo',
            datacenter=ZONE,
            project='simulated-project',
            auth_type='IA',
            credential_file=credential_file,
            secure=False,
        )
    finally:
        os.unlink(credential_file)
    sizes = {size.name: size for size in driver.list_sizes()}
    report = {
        'zones': len(driver.ex_list_zones()),
        'regions': sorted(region.name for region in driver.ex_list_regions()),
        'size': [sizes['g2-standard-4'].ram, sizes['g2-standard-4'].extra['guestCpus']],
        'all_sizes': len(driver.list_sizes(location='all')),
        'networks': [network.name for network in driver.ex_list_networks()],
    }
    disks = [
        {
            'boot': True,
            'autoDelete': False,
            'deviceName': 'system',
            'initializeParams': {'diskName': 'node-os', 'diskSizeGb': '80', 'sourceImage': IMAGE},
        }
    ]

    def create(name, size='g2-standard-4', **more):
        return driver.create_node(
            name,
            sizes[size],
            None,
            location=driver.ex_get_zone(ZONE),
            ex_disks_gce_struct=[{**disks[0], 'initializeParams': {**disks[0]['initializeParams'], 'diskName': f'{name}-os'}}],
            ex_on_host_maintenance='TERMINATE',
            ex_automatic_restart=False,
            ex_labels={'made-by': 'libcloud'},
            **more,
        )

    node = create('node')
    report['node'] = [node.state, len(node.public_ips), node.extra['labels'], node.size]
    report['listed'] = [one.name for one in driver.list_nodes(ex_zone='all')]
    report['name_taken'] = refusal(lambda: create('node'))
    report['no_capacity'] = refusal(lambda: create('other', 'a2-highgpu-1g'))
    volume = driver.ex_get_volume('node-os', zone=ZONE)
    report['volume'] = [volume.size, volume.extra['status'], refusal(lambda: driver.destroy_volume(volume))]
    driver.ex_stop_node(node)
    stopped = driver.ex_get_node('node', ZONE)
    driver.ex_set_machine_type(stopped, 'g2-standard-8')
    driver.ex_start_node(stopped)
    woken = driver.ex_get_node('node', ZONE)
    report['woken'] = [stopped.extra['status'], woken.extra['status'], woken.size, driver.reboot_node(woken)]
    driver.destroy_node(woken)
    report['gone'] = refusal(lambda: driver.ex_get_node('node', ZONE))
    kept = driver.ex_get_volume('node-os', zone=ZONE)
    again = driver.create_node(
        'again',
        sizes['g2-standard-4'],
        None,
        location=driver.ex_get_zone(ZONE),
        ex_boot_disk=kept,
        ex_on_host_maintenance='TERMINATE',
        ex_automatic_restart=False,
    )
    report['again'] = [again.state, [disk['source'].split('/')[-1] for disk in again.extra['disks']]]
    driver.destroy_node(again)
    data = driver.create_volume(20, 'data', location=driver.ex_get_zone(ZONE))
    report['data'] = [data.size, driver.destroy_volume(data)]
    rule = driver.ex_create_firewall('libcloud', [{'IPProtocol': 'tcp', 'ports': ['22']}], source_ranges=['10.0.0.0/8'])
    report['firewall'] = [rule.name, rule.allowed, driver.ex_destroy_firewall(rule)]
    report['left'] = [len(driver.list_nodes(ex_zone='all')), [one.name for one in driver.list_volumes(ex_zone='all')]]
    print(json.dumps(report))


if __name__ == '__main__':
    main(int(sys.argv[1]))
