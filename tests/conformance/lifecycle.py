"""Runs the provider's own Python SDK against a simulated DataCrunch.

usage: python lifecycle.py BASE_URL

Prints one JSON document of what the SDK returned; the test that started it compares it with what was expected. Anything that the SDK
cannot parse ends this program with its traceback.
"""

import json
import sys
import time
import warnings

from verda import VerdaClient
from verda.constants import Actions
from verda.containers import (
    ComputeResource,
    Container,
    ContainerRegistrySettings,
    Deployment,
    QueueLoadScalingTrigger,
    ScalingOptions,
    ScalingPolicy,
    ScalingTriggers,
    UtilizationScalingTrigger,
)
from verda.exceptions import APIException
from verda.instances import OSVolume

GPU_TYPE = '1A100.40S.22V'
IMAGE = 'ubuntu-24.04-cuda-12.8-open-docker'
# Of that image, as clients have it in their code.
IMAGE_ID = '77777777-4f48-4249-82b3-f199fb9b701b'
CLUSTER_TYPE = '16H200'
LOCATION = 'FIN-02'
LIMIT_SEC = 60


def until(ask, right):
    """Asks until the answer is right; the limit only keeps a broken run from hanging."""
    deadline = time.monotonic() + LIMIT_SEC
    while True:
        answer = ask()
        if right(answer):
            return answer
        if time.monotonic() > deadline:
            raise TimeoutError(f'never came true; last answer: {answer}')
        time.sleep(0.5)


def refusal(call):
    """Code and message of the error that a call ends with."""
    try:
        call()
    except APIException as error:
        return [error.code, error.message]
    return None


def catalogue(client):
    types = client.instance_types.get()
    gpu = next(t for t in types if t.instance_type == GPU_TYPE)
    images = client.images.get(GPU_TYPE)
    return {
        'balance': [client.balance.get().amount, client.balance.get().currency],
        'types': len(types),
        'price': gpu.price_per_hour,
        'spot_price': gpu.spot_price_per_hour,
        'vram': gpu.gpu_memory['size_in_gigabytes'],
        'image': any(i.image_type == IMAGE for i in images),
        'locations': [l['code'] for l in client.locations.get()],
        'volume_types': [v.type for v in client.volume_types.get()],
        'container_types': len(client.container_types.get()) > 0,
        'eur': next(t for t in client.instance_types.get(currency='eur') if t.instance_type == GPU_TYPE).price_per_hour,
        'long_term': len(client.long_term.get_instance_periods()) + len(client.long_term.get_cluster_periods()),
        'jobs': len(client.job_deployments.get()),
        'cluster_types': any(t.cluster_type == CLUSTER_TYPE for t in client.cluster_types.get()),
        'cluster_images': client.clusters.get_cluster_images(CLUSTER_TYPE),
        'cluster_available': client.clusters.is_available(CLUSTER_TYPE, LOCATION),
        'available': client.instances.is_available(GPU_TYPE, location_code=LOCATION),
        'available_elsewhere': client.instances.is_available(GPU_TYPE, location_code='FIN-01'),
        'available_spot': client.instances.is_available(GPU_TYPE, is_spot=True, location_code=LOCATION),
        'available_unknown': client.instances.is_available('CPU.4V'),
        'rows': len(client.instances.get_availabilities()),
        'rows_of_one': len(client.instances.get_availabilities(location_code=LOCATION)),
    }


def keys_and_scripts(client):
    key = client.ssh_keys.create('conformance', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 conformance')
    script = client.startup_scripts.create('conformance', '#!/bin/sh\ntrue\n')
    facts = {
        'key': client.ssh_keys.get_by_id(key.id).name,
        'keys': [k.name for k in client.ssh_keys.get()],
        'script': client.startup_scripts.get_by_id(script.id).script,
        'scripts': [s.name for s in client.startup_scripts.get()],
    }
    return key, script, facts


def instance_life(client, key, script):
    created = client.instances.create(
        instance_type=GPU_TYPE,
        image=IMAGE_ID,
        hostname='conformance',
        description='made by the SDK',
        ssh_key_ids=[key.id],
        startup_script_id=script.id,
        location=LOCATION,
        os_volume=OSVolume(name='conformance-os', size=80),
    )

    def status():
        return client.instances.get_by_id(created.id).status

    facts = {
        'first_status': created.status,
        'image': created.image,
        'bad_hostname': refusal(
            lambda: client.instances.create(
                GPU_TYPE, IMAGE, hostname='no name', description='', ssh_key_ids=[key.id], location=LOCATION
            )
        ),
        'cuda_on_cpu': refusal(
            lambda: client.instances.create(
                'CPU.4V.16G', IMAGE, hostname='cpu', description='', ssh_key_ids=[key.id], location=LOCATION
            )
        ),
        'refused_while_provisioning': refusal(lambda: client.instances.action(created.id, Actions.DELETE)),
    }
    until(status, lambda s: s == 'running')
    running = client.instances.get_by_id(created.id)
    volume = client.volumes.get_by_id(running.os_volume_id)
    facts |= {
        'listed': [i.id for i in client.instances.get()] == [created.id],
        'has_ip': running.ip is not None,
        'price': running.price_per_hour,
        'os_volume': [volume.name, volume.size, volume.status, volume.is_os_volume],
    }
    client.instances.action(created.id, Actions.SHUTDOWN)
    until(status, lambda s: s == 'offline')
    client.instances.action(created.id, Actions.START)
    until(status, lambda s: s == 'running')
    client.instances.action(created.id, Actions.DELETE, volume_ids=[])
    until(status, lambda s: s == 'discontinued')
    facts |= {
        'listed_after': len(client.instances.get()),
        'discontinued': [i.id for i in client.instances.get(status='discontinued')] == [created.id],
        'refused_twice': refusal(lambda: client.instances.action(created.id, Actions.DELETE)),
        'unknown': refusal(lambda: client.instances.get_by_id('7777abcd-0000-4000-8000-000000000000')),
        'restore': refusal(lambda: client.instances.action(created.id, Actions.RESTORE)),
    }
    until(lambda: client.volumes.get_by_id(volume.id).status, lambda s: s == 'detached')
    return volume.id, facts


def volume_boot(client, volume_id):
    created = client.instances.create(
        instance_type=GPU_TYPE, image=volume_id, hostname='woken', description='', location=LOCATION
    )
    until(lambda: client.instances.get_by_id(created.id).status, lambda s: s == 'running')
    woken = client.instances.get_by_id(created.id)
    client.instances.action(created.id, Actions.DELETE, volume_ids=[volume_id], delete_permanently=True)
    until(lambda: client.volumes.get_by_id(volume_id).status, lambda s: s == 'deleted')
    return {
        'same_disk': woken.os_volume_id == volume_id,
        'keys': woken.ssh_key_ids,
        'script': woken.startup_script_id,
        'in_trash': [v.id for v in client.volumes.get_in_trash()],
    }


def volume_life(client):
    volume = client.volumes.create(type='NVMe', name='data', size=50, location=LOCATION)
    until(lambda: client.volumes.get_by_id(volume.id).status, lambda s: s == 'detached')
    client.volumes.rename(volume.id, 'renamed')
    client.volumes.increase_size(volume.id, 60)
    grown = client.volumes.get_by_id(volume.id)
    copy = client.volumes.clone(volume.id, name='copy')
    until(lambda: client.volumes.get_by_id(copy.id).status, lambda s: s == 'detached')
    client.volumes.delete(volume.id)
    trash = [v.name for v in client.volumes.get_in_trash()]
    client.volumes.delete_by_id(copy.id, is_permanent=True)
    client.volumes.delete(volume.id, is_permanent=True)
    return {
        'grown': [grown.name, grown.size],
        'copy': copy.name,
        'trash': trash,
        'left': len(client.volumes.get()) + len(client.volumes.get_in_trash()),
        'purged': client.volumes.get_by_id(copy.id).status,
    }


def cluster_life(client, key):
    created = client.clusters.create(
        CLUSTER_TYPE,
        'ubuntu-22.04-cuda-12.9-cluster',
        'cluster',
        ssh_key_ids=[key.id],
        location=LOCATION,
        shared_volume_name='shared',
        shared_volume_size=100,
    )
    running = until(lambda: client.clusters.get_by_id(created.id), lambda c: c.status == 'running')
    client.clusters.delete(created.id)
    until(lambda: client.clusters.get_by_id(created.id).status, lambda s: s == 'discontinued')
    shared = running.shared_volumes[0].id
    kept = until(lambda: client.volumes.get_by_id(shared), lambda v: v.status == 'detached')
    client.volumes.delete_by_id(kept.id, is_permanent=True)
    return {
        'first_status': created.status,
        'nodes': [n.hostname for n in running.worker_nodes],
        'shared': [[v.name, v.size_in_gigabytes] for v in running.shared_volumes],
        'left': len(client.clusters.get()),
    }


def container_life(client):
    scaling = ScalingOptions(
        min_replica_count=1,
        max_replica_count=2,
        scale_down_policy=ScalingPolicy(delay_seconds=300),
        scale_up_policy=ScalingPolicy(delay_seconds=0),
        queue_message_ttl_seconds=300,
        concurrent_requests_per_replica=4,
        scaling_triggers=ScalingTriggers(
            queue_load=QueueLoadScalingTrigger(threshold=1),
            cpu_utilization=UtilizationScalingTrigger(enabled=False),
            gpu_utilization=UtilizationScalingTrigger(enabled=False),
        ),
    )
    deployment = client.containers.create_deployment(
        Deployment(
            name='conformance',
            container_registry_settings=ContainerRegistrySettings(is_private=False),
            containers=[Container(image='docker.io/ollama/ollama:0.24.0', exposed_port=11434)],
            compute=ComputeResource(name='H100', size=1),
            scaling=scaling,
        )
    )
    first = client.containers.get_deployment_status(deployment.name).value
    client.containers.pause_deployment(deployment.name)
    paused = client.containers.get_deployment_status(deployment.name).value
    client.containers.resume_deployment(deployment.name)
    facts = {
        'first': first,
        'paused': paused,
        'replicas': len(client.containers.get_deployment_replicas(deployment.name)),
        'max': client.containers.get_deployment_scaling_options(deployment.name).max_replica_count,
        'names': [d.name for d in client.containers.get_deployments()],
        'resources': any(r.name == 'H100' for r in client.containers.get_compute_resources()),
    }
    client.containers.delete_deployment(deployment.name)
    return facts | {'left': len(client.containers.get_deployments())}


def main(base_url):
    warnings.simplefilter('error')
    wrong = refusal(lambda: VerdaClient('demo', 'wrong', base_url=base_url))
    client = VerdaClient('demo', 'demo', base_url=base_url)
    report = {'wrong_secret': wrong, 'catalogue': catalogue(client)}
    key, script, report['keys_and_scripts'] = keys_and_scripts(client)
    volume_id, report['instance'] = instance_life(client, key, script)
    report['volume_boot'] = volume_boot(client, volume_id)
    report['volume'] = volume_life(client)
    report['cluster'] = cluster_life(client, key)
    report['containers'] = container_life(client)
    client.ssh_keys.delete([key.id])
    client.startup_scripts.delete_by_id(script.id)
    report['left'] = len(client.ssh_keys.get()) + len(client.startup_scripts.get())
    print(json.dumps(report))


if __name__ == '__main__':
    main(sys.argv[1])
