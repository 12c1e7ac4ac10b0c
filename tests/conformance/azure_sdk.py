"""Runs Azure's own Python SDK (azure-mgmt-compute, azure-mgmt-network) against a simulated Azure.

usage: python azure_sdk.py ORIGIN

Prints one JSON document of what the SDK returned; the test that started it compares it with what was expected.
"""

import json
import sys
import urllib.error
import urllib.parse
import urllib.request

from azure.core import MatchConditions
from azure.core.exceptions import HttpResponseError
from azure.core.pipeline.policies import SansIOHTTPPolicy
from azure.mgmt.compute import ComputeManagementClient
from azure.mgmt.network import NetworkManagementClient

TENANT = '00000000-0000-4000-8000-00000000da01'
SUBSCRIPTION = '00000000-0000-4000-8000-00000000da02'
GROUP = 'conformance'
LOCATION = 'northeurope'
SIZE = 'Standard_NC4as_T4_v3'


class Token(SansIOHTTPPolicy):
    """Puts the token on every request. The SDK's own policy refuses to do that without TLS, which a simulator on loopback has not."""

    def __init__(self, token):
        self.token = token

    def on_request(self, request):
        request.http_request.headers['Authorization'] = f'Bearer {self.token}'


class NoCredential:
    def get_token(self, *_scopes, **_options):
        raise AssertionError('the policy above has the token')


def send(url, method, body, headers):
    request = urllib.request.Request(url, data=body, method=method, headers=headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def token_of(origin, secret):
    form = {
        'grant_type': 'client_credentials',
        'client_id': 'demo',
        'client_secret': secret,
        'scope': 'https://management.azure.com/.default',
    }
    return send(f'{origin}/{TENANT}/oauth2/v2.0/token', 'POST', urllib.parse.urlencode(form).encode(), {})['access_token']


def wrong_secret(origin):
    try:
        token_of(origin, 'wrong')
    except urllib.error.HTTPError as error:
        return [error.code, json.load(error)['error']]
    return None


def refusal(call):
    try:
        call()
    except HttpResponseError as error:
        return [error.error.code if error.error else None, error.status_code]
    return None


def power(view):
    return [status.code for status in view.instance_view.statuses if status.code.startswith('PowerState/')]


def machine(nic, disk):
    return {
        'location': LOCATION,
        'tags': {'made-by': 'sdk'},
        'properties': {
            'hardwareProfile': {'vmSize': SIZE},
            'storageProfile': disk,
            'networkProfile': {'networkInterfaces': [{'id': nic, 'properties': {'deleteOption': 'Delete'}}]},
        },
    }


def main(origin):
    report = {'wrong_secret': wrong_secret(origin)}
    token = token_of(origin, 'demo')
    options = {
        'base_url': origin,
        'authentication_policy': Token(token),
        'polling_interval': 0.2,
        'retry_total': 0,
    }
    compute = ComputeManagementClient(NoCredential(), SUBSCRIPTION, **options)
    network = NetworkManagementClient(NoCredential(), SUBSCRIPTION, **options)
    other = ComputeManagementClient(NoCredential(), SUBSCRIPTION, **{**options, 'authentication_policy': Token('no')})
    report['wrong_token'] = refusal(lambda: list(other.virtual_machines.list_all()))

    skus = [
        sku
        for sku in compute.resource_skus.list(filter=f"location eq '{LOCATION}'")
        if sku.resource_type == 'virtualMachines'
    ]
    t4 = next(sku for sku in skus if sku.name == SIZE)
    report['sku'] = {c.name: c.value for c in t4.capabilities if c.name in ('GPUs', 'vCPUs', 'MemoryGB')}
    report['skus'] = len(skus)

    report['no_group'] = refusal(lambda: list(compute.virtual_machines.list(GROUP)))
    headers = {'Authorization': f'Bearer {token}', 'Content-Type': 'application/json'}
    group_url = f'{origin}/subscriptions/{SUBSCRIPTION}/resourcegroups/{GROUP}?api-version=2022-12-01'
    send(group_url, 'PUT', json.dumps({'location': LOCATION}).encode(), headers)

    subnets = [{'name': 'default', 'properties': {'addressPrefix': '10.0.0.0/24'}}]
    vnet = network.virtual_networks.begin_create_or_update(
        GROUP,
        'net',
        {'location': LOCATION, 'properties': {'addressSpace': {'addressPrefixes': ['10.0.0.0/16']}, 'subnets': subnets}},
    ).result()
    ip = network.public_ip_addresses.begin_create_or_update(
        GROUP,
        'sdk-ip',
        {'location': LOCATION, 'sku': {'name': 'Standard'}, 'properties': {'publicIPAllocationMethod': 'Static'}},
    ).result()
    configuration = {
        'name': 'primary',
        'properties': {
            'subnet': {'id': vnet.subnets[0].id},
            'publicIPAddress': {'id': ip.id, 'properties': {'deleteOption': 'Delete'}},
        },
    }
    interface = {'location': LOCATION, 'properties': {'ipConfigurations': [configuration]}}
    nic = network.network_interfaces.begin_create_or_update(GROUP, 'sdk-nic', interface).result()
    report['network'] = [vnet.provisioning_state, bool(ip.ip_address), nic.ip_configurations[0].private_ip_address]
    report['ip_in_use'] = refusal(lambda: network.public_ip_addresses.begin_delete(GROUP, 'sdk-ip'))

    image = {'publisher': 'microsoft-dsvm', 'offer': 'ubuntu-hpc', 'sku': '2204', 'version': 'latest'}
    first = machine(
        nic.id,
        {
            'imageReference': image,
            'osDisk': {'name': 'sdk-os', 'createOption': 'FromImage', 'diskSizeGB': 64, 'deleteOption': 'Detach'},
        },
    )
    key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKLKmweyRh8EQsUBcpNzFXtTSv33EV+K0g1k2nXENtLq sdk'
    path = '/home/ubuntu/.ssh/authorized_keys'
    first['properties']['osProfile'] = {
        'computerName': 'sdk',
        'adminUsername': 'ubuntu',
        'linuxConfiguration': {
            'disablePasswordAuthentication': True,
            'ssh': {'publicKeys': [{'path': path, 'keyData': key}]},
        },
    }
    made = compute.virtual_machines.begin_create_or_update(GROUP, 'sdk', first).result()
    view = compute.virtual_machines.get(GROUP, 'sdk', expand='instanceView')
    report['made'] = [made.provisioning_state, made.hardware_profile.vm_size, power(view), made.tags]
    only_new = {'etag': '*', 'match_condition': MatchConditions.IfMissing}
    report['again'] = refusal(lambda: compute.virtual_machines.begin_create_or_update(GROUP, 'sdk', first, **only_new))
    report['listed'] = [
        [vm.name for vm in compute.virtual_machines.list_all()],
        [power(vm) for vm in compute.virtual_machines.list_all(status_only='true')],
    ]
    disk = compute.disks.get(GROUP, 'sdk-os')
    report['disk'] = [disk.disk_size_gb, disk.disk_state, disk.os_type, disk.managed_by == made.id]
    report['disk_in_use'] = refusal(lambda: compute.disks.begin_delete(GROUP, 'sdk-os'))
    larger = {'properties': {'hardwareProfile': {'vmSize': 'Standard_NC8as_T4_v3'}}}
    report['resize_running'] = refusal(lambda: compute.virtual_machines.begin_update(GROUP, 'sdk', larger))

    compute.virtual_machines.begin_deallocate(GROUP, 'sdk').result()
    asleep = compute.virtual_machines.get(GROUP, 'sdk', expand='instanceView')
    report['asleep'] = [power(asleep), compute.disks.get(GROUP, 'sdk-os').disk_state]
    compute.virtual_machines.begin_update(GROUP, 'sdk', larger).result()
    compute.virtual_machines.begin_start(GROUP, 'sdk').result()
    awake = compute.virtual_machines.get(GROUP, 'sdk', expand='instanceView')
    report['awake'] = [power(awake), awake.hardware_profile.vm_size]

    compute.virtual_machines.begin_delete(GROUP, 'sdk').result()
    report['gone'] = refusal(lambda: compute.virtual_machines.get(GROUP, 'sdk'))
    report['kept'] = [[disk.name, disk.disk_state] for disk in compute.disks.list()]

    second_nic = {'location': LOCATION, 'properties': {'ipConfigurations': [{**configuration, 'properties': {'subnet': {'id': vnet.subnets[0].id}}}]}}
    nic = network.network_interfaces.begin_create_or_update(GROUP, 'sdk2-nic', second_nic).result()
    kept = machine(
        nic.id,
        {
            'osDisk': {
                'createOption': 'Attach',
                'osType': 'Linux',
                'managedDisk': {'id': compute.disks.get(GROUP, 'sdk-os').id},
                'deleteOption': 'Delete',
            }
        },
    )
    woken = compute.virtual_machines.begin_create_or_update(GROUP, 'sdk2', kept).result()
    report['woken'] = [woken.provisioning_state, woken.storage_profile.os_disk.name, woken.os_profile is None]
    compute.virtual_machines.begin_delete(GROUP, 'sdk2').result()
    report['left'] = [
        [disk.name for disk in compute.disks.list()],
        [vm.name for vm in compute.virtual_machines.list_all()],
    ]

    send(f'{origin}/_control/stock', 'POST', json.dumps([{'types': '*', 'count': 0}]).encode(), headers)
    nic = network.network_interfaces.begin_create_or_update(GROUP, 'sdk3-nic', second_nic).result()
    first['properties']['networkProfile']['networkInterfaces'][0]['id'] = nic.id
    report['no_capacity'] = refusal(lambda: compute.virtual_machines.begin_create_or_update(GROUP, 'sdk3', first))
    network.network_interfaces.begin_delete(GROUP, 'sdk3-nic').result()
    report['interfaces'] = [nic.name for nic in network.network_interfaces.list_all()]
    print(json.dumps(report))


if __name__ == '__main__':
    main(sys.argv[1])
