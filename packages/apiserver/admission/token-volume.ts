// SPDX-License-Identifier: Apache-2.0
import type { Container, PodSpec, Volume, VolumeMount } from '@forge/kube/generated/types.ts';
import type { Random } from '@forge/runtime/environment/random.ts';
import { randomSuffix } from '../formats/random-suffix.ts';

const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
const prefix = 'kube-api-access-';

/** Changes to a spec that mount the ServiceAccount token, the root CA and the namespace into every container. */
export function mountToken(
  { containers = [], initContainers = [], volumes = [] }: Partial<PodSpec>,
  random: Random,
): Partial<PodSpec> {
  const own = volumes.find((volume) => volume.name.startsWith(prefix));
  const name = own?.name ?? prefix + randomSuffix(random);
  const mount: VolumeMount = { name, readOnly: true, mountPath };
  const mounted = (container: Container): Container =>
    hasMount(container) ? container : { ...container, volumeMounts: [...(container.volumeMounts ?? []), mount] };
  const isNeeded = ![...initContainers, ...containers].every(hasMount);
  return {
    ...(own === undefined && isNeeded && { volumes: [...volumes, tokenVolume(name)] }),
    ...(initContainers.length > 0 && { initContainers: initContainers.map(mounted) }),
    ...(containers.length > 0 && { containers: containers.map(mounted) }),
  };
}

function hasMount({ volumeMounts = [] }: Container): boolean {
  return volumeMounts.some((mount) => mount.mountPath === mountPath);
}

function tokenVolume(name: string): Volume {
  return {
    name,
    projected: {
      sources: [
        // 3607 marks an automatically mounted token, whose expiry is extended.
        { serviceAccountToken: { path: 'token', expirationSeconds: 3607 } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        {
          downwardAPI: {
            items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
          },
        },
      ],
      defaultMode: 0o644,
    },
  };
}
