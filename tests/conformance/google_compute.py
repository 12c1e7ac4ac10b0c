"""Runs Google's own client library (google-cloud-compute) against a simulated Google.

usage: python google_compute.py PORT KEY_FILE

Prints one JSON document of what the library returned; the test that started it compares it with what was expected.
"""

import json
import sys
import time

from google.api_core.exceptions import GoogleAPICallError
from google.api_core.exceptions import NotFound, Unauthorized
from google.auth.exceptions import RefreshError
from google.auth.transport.requests import Request
from google.cloud import compute_v1
from google.oauth2 import service_account
from google.oauth2.credentials import Credentials

PROJECT = 'simulated-project'
ZONE = 'europe-west4-a'
LIMIT_SEC = 60
IMAGES = 'ubuntu-os-accelerator-images'
FAMILY = 'ubuntu-accelerator-2404-amd64-with-nvidia-580'


def wanted(name, machine_type='g2-standard-4', **scheduling):
    return compute_v1.Instance(
        name=name,
        machine_type=f'zones/{ZONE}/machineTypes/{machine_type}',
        disks=[
            compute_v1.AttachedDisk(
                boot=True,
                auto_delete=False,
                device_name='system',
                initialize_params=compute_v1.AttachedDiskInitializeParams(
                    disk_name=f'{name}-os',
                    disk_size_gb=100,
                    disk_type=f'zones/{ZONE}/diskTypes/pd-balanced',
                    source_image=f'projects/{IMAGES}/global/images/family/{FAMILY}',
                    labels={'made-by': 'conformance'},
                ),
            )
        ],
        network_interfaces=[
            compute_v1.NetworkInterface(
                network='global/networks/default',
                access_configs=[compute_v1.AccessConfig(name='External NAT', type_='ONE_TO_ONE_NAT')],
            )
        ],
        labels={'made-by': 'conformance'},
        metadata=compute_v1.Metadata(items=[compute_v1.Items(key='startup-script', value='#!/bin/sh\ntrue\n')]),
        scheduling=compute_v1.Scheduling(on_host_maintenance='TERMINATE', automatic_restart=False, **scheduling),
    )


def main(port, key_file):
    endpoint = {'api_endpoint': f'http://127.0.0.1:{port}'}
    key = json.load(open(key_file))
    scopes = ['https://www.googleapis.com/auth/cloud-platform']

    def account(email):
        return service_account.Credentials.from_service_account_info({**key, 'client_email': email}, scopes=scopes)

    def client(kind, credentials):
        return kind(credentials=credentials, client_options=endpoint)

    def zones(credentials):
        return sorted(zone.name for zone in client(compute_v1.ZonesClient, credentials).list(project=PROJECT))

    # The library signs each call itself; a token is asked for where it is told to.
    report = {'zones': zones(account(key['client_email']))}
    try:
        zones(account('stranger@example.com'))
    except Unauthorized as error:
        report['stranger'] = [error.code, error.errors[0]['reason']]
    try:
        account('stranger@example.com').refresh(Request())
    except RefreshError as error:
        report['stranger_token'] = error.args[0].split(':')[0]
    known = account(key['client_email'])
    known.refresh(Request())
    credentials = Credentials(known.token)
    report['same_zones'] = zones(credentials) == report['zones']
    zonal = client(compute_v1.ZoneOperationsClient, credentials)
    everywhere = client(compute_v1.GlobalOperationsClient, credentials)

    def ended(operation):
        """Waits until an operation has ended. The library's own waiting knows no other address than Google's."""
        deadline = time.monotonic() + LIMIT_SEC
        while operation.status != compute_v1.Operation.Status.DONE:
            if time.monotonic() > deadline:
                raise TimeoutError(operation.name)
            time.sleep(0.2)
            operation = (
                zonal.get(project=PROJECT, zone=ZONE, operation=operation.name)
                if operation.zone
                else everywhere.get(project=PROJECT, operation=operation.name)
            )
        return operation

    def refusal(call):
        """Status and reason of a call that is refused, or status and code of the operation that fails."""
        try:
            operation = ended(call())
        except GoogleAPICallError as error:
            return [error.code, error.errors[0]['reason']]
        return [operation.http_error_status_code, *[one.code for one in operation.error.errors]]

    instances = client(compute_v1.InstancesClient, credentials)
    disks = client(compute_v1.DisksClient, credentials)
    firewalls = client(compute_v1.FirewallsClient, credentials)
    machine_types = client(compute_v1.MachineTypesClient, credentials)
    types = [
        (scope.split('/')[-1], one)
        for scope, there in machine_types.aggregated_list(project=PROJECT)
        for one in there.machine_types
    ]
    l4 = next(one for zone, one in types if zone == ZONE and one.name == 'g2-standard-4')
    gpus = [
        one.name
        for scope, there in client(compute_v1.AcceleratorTypesClient, credentials).aggregated_list(project=PROJECT)
        for one in there.accelerator_types
        if scope == f'zones/{ZONE}'
    ]
    small_pages = compute_v1.AggregatedListMachineTypesRequest(project=PROJECT, max_results=3)
    report['catalogue'] = {
        'l4': [l4.guest_cpus, l4.memory_mb, l4.accelerators[0].guest_accelerator_type, l4.accelerators[0].guest_accelerator_count],
        'gpus': sorted(gpus),
        'types': len(types),
        'types_by_threes': sum(
            len(there.machine_types)
            for _, there in machine_types.aggregated_list(request=small_pages)
        ),
    }
    image = client(compute_v1.ImagesClient, credentials).get_from_family(project=IMAGES, family=FAMILY)
    report['image'] = [image.family, image.disk_size_gb]
    network = client(compute_v1.NetworksClient, credentials).get(project=PROJECT, network='default')
    rule = compute_v1.Firewall(
        name='conformance',
        network='global/networks/default',
        direction='INGRESS',
        source_ranges=['10.0.0.0/8'],
        allowed=[compute_v1.Allowed(I_p_protocol='tcp', ports=['22'])],
    )
    ended(firewalls.insert_unary(project=PROJECT, firewall_resource=rule))
    found = firewalls.get(project=PROJECT, firewall='conformance')
    report['network'] = [
        network.name,
        found.allowed[0].ports[0],
        refusal(lambda: firewalls.insert_unary(project=PROJECT, firewall_resource=rule)),
    ]

    def insert(name, machine_type='g2-standard-4', request_id=None, **scheduling):
        request = compute_v1.InsertInstanceRequest(
            project=PROJECT, zone=ZONE, instance_resource=wanted(name, machine_type, **scheduling)
        )
        if request_id is not None:
            request.request_id = request_id
        return instances.insert_unary(request=request)

    def get(name):
        return instances.get(project=PROJECT, zone=ZONE, instance=name)

    once = '11111111-2222-4333-8444-555555555555'
    first = insert('machine', request_id=once)
    again = insert('machine', request_id=once)
    report['same_operation'] = first.name == again.name
    ended(first)
    machine = get('machine')
    disk = disks.get(project=PROJECT, zone=ZONE, disk='machine-os')
    listed = [
        one.name
        for _, there in instances.aggregated_list(project=PROJECT)
        for one in there.instances
    ]
    filtered = compute_v1.ListInstancesRequest(project=PROJECT, zone=ZONE, filter='name = "machine"')
    report['machine'] = {
        'status': machine.status,
        'labels': dict(machine.labels),
        'has_address': machine.network_interfaces[0].access_configs[0].nat_i_p != '',
        'disk': [disk.size_gb, disk.status, len(disk.users), machine.disks[0].auto_delete],
        'listed': listed,
        'filtered': [one.name for one in instances.list(request=filtered)],
        'name_taken': refusal(lambda: insert('machine')),
        'in_use': refusal(lambda: disks.delete_unary(project=PROJECT, zone=ZONE, disk='machine-os')),
        'no_type': refusal(lambda: insert('other', 'g2-standard-5')),
        'no_capacity': refusal(lambda: insert('other', 'a2-highgpu-1g')),
        'live_migration': refusal(
            lambda: instances.insert_unary(
                project=PROJECT,
                zone=ZONE,
                instance_resource=compute_v1.Instance(
                    name='other',
                    machine_type=f'zones/{ZONE}/machineTypes/g2-standard-4',
                    disks=wanted('other').disks,
                ),
            )
        ),
    }
    attached = wanted('t4', 'n1-standard-4')
    attached.guest_accelerators = [
        compute_v1.AcceleratorConfig(
            accelerator_type=f'zones/{ZONE}/acceleratorTypes/nvidia-tesla-t4', accelerator_count=1
        )
    ]
    ended(instances.insert_unary(project=PROJECT, zone=ZONE, instance_resource=attached))
    shown = get('t4')
    report['attached'] = [
        shown.machine_type.split('/')[-1],
        *[(gpu.accelerator_type.split('/')[-1], gpu.accelerator_count) for gpu in shown.guest_accelerators],
    ]
    ended(instances.delete_unary(project=PROJECT, zone=ZONE, instance='t4'))
    ended(disks.delete_unary(project=PROJECT, zone=ZONE, disk='t4-os'))
    ended(instances.stop_unary(project=PROJECT, zone=ZONE, instance='machine'))
    stopped = get('machine').status
    ended(instances.set_machine_type_unary(
        project=PROJECT,
        zone=ZONE,
        instance='machine',
        instances_set_machine_type_request_resource=compute_v1.InstancesSetMachineTypeRequest(
            machine_type=f'zones/{ZONE}/machineTypes/g2-standard-8'
        ),
    ))
    ended(instances.start_unary(project=PROJECT, zone=ZONE, instance='machine'))
    woken = get('machine')
    report['sleep'] = [stopped, woken.status, woken.machine_type.split('/')[-1]]
    report['type_while_running'] = refusal(
        lambda: instances.set_machine_type_unary(
            project=PROJECT,
            zone=ZONE,
            instance='machine',
            instances_set_machine_type_request_resource=compute_v1.InstancesSetMachineTypeRequest(
                machine_type=f'zones/{ZONE}/machineTypes/g2-standard-4'
            ),
        )
    )
    ended(instances.delete_unary(project=PROJECT, zone=ZONE, instance='machine'))
    try:
        get('machine')
    except NotFound:
        report['gone'] = True
    kept = disks.get(project=PROJECT, zone=ZONE, disk='machine-os')
    report['kept'] = [kept.status, len(kept.users)]

    spot = wanted('spot', provisioning_model='SPOT', instance_termination_action='DELETE')
    spot.disks = [compute_v1.AttachedDisk(boot=True, auto_delete=False, source=f'zones/{ZONE}/disks/machine-os')]
    ended(instances.insert_unary(project=PROJECT, zone=ZONE, instance_resource=spot))
    ended(instances.set_disk_auto_delete_unary(
        project=PROJECT, zone=ZONE, instance='spot', auto_delete=True, device_name='machine-os'
    ))
    awake = get('spot')
    report['spot'] = [awake.status, awake.scheduling.provisioning_model, awake.disks[0].auto_delete]
    ended(instances.delete_unary(project=PROJECT, zone=ZONE, instance='spot'))
    report['left'] = [
        sum(len(there.instances) for _, there in instances.aggregated_list(project=PROJECT)),
        sum(len(there.disks) for _, there in disks.aggregated_list(project=PROJECT)),
    ]
    print(json.dumps(report))


if __name__ == '__main__':
    main(int(sys.argv[1]), sys.argv[2])
