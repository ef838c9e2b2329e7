// SPDX-License-Identifier: Apache-2.0
import type { Container, VolumeMount } from '@forge/kube/generated/types.ts';
import { toolsInside } from '../../host/toolbox.ts';
import type { BindMount } from '../mounts/compose-root.ts';
import { rootedPath } from '../mounts/rooted-path.ts';
import { ContainerConfigError } from '../references/container-config-error.ts';
import { expand } from '../references/expand.ts';
import type { PreparedVolume } from '../volumes/pod-volumes.ts';

/** What a container mounts of a volume; throws {@link ContainerConfigError} when it cannot be meant. */
export function mountOf(
  mount: VolumeMount,
  container: Container,
  volumes: ReadonlyMap<string, PreparedVolume>,
  env: Readonly<Record<string, string>>,
): BindMount {
  const volume = volumes.get(mount.name);
  if (!volume) {
    throw new ContainerConfigError(`container ${container.name} mounts volume ${mount.name}, which the pod lacks`);
  }
  const path = subPathOf(mount, env);
  const problem = path.startsWith('/')
    ? 'must be a relative path'
    : path.split('/').includes('..')
      ? "must not contain '..'"
      : undefined;
  if (problem !== undefined) {
    const what = `subPath ${JSON.stringify(path)} of volume ${mount.name} in container ${container.name}`;
    throw new ContainerConfigError(`${what} ${problem}`);
  }
  return {
    source: volume.source,
    // A path inside a volume that can be written is made when it is missing, as a folder.
    inside: { path, make: !volume.readOnly },
    target: mount.mountPath,
    readOnly: volume.readOnly || mount.readOnly === true,
  };
}

function subPathOf({ subPath = '', subPathExpr = '' }: VolumeMount, env: Readonly<Record<string, string>>): string {
  const names = [...subPathExpr.matchAll(/\$(?:\$|\(([^()]*)\))/g)].flatMap(([, name]) => name ?? []);
  const missing = names.find((name) => !Object.hasOwn(env, name));
  if (missing !== undefined) {
    throw new ContainerConfigError(`subPathExpr ${subPathExpr}: missing value for "${missing}"`);
  }
  return subPathExpr === '' ? subPath : expand(subPathExpr, env);
}

/** Where links of the image lead a mount's target to; throws where nothing can be mounted. */
export async function targetOf(image: string, { target }: BindMount): Promise<string> {
  const resolved = await rootedPath(image, target);
  // Directly in /dev, where every container has a file system of its own; what is mounted in there, pods can change.
  if (/^\/(?:dev|proc)?$|^\/proc\/|^\/dev\/.*\//.test(resolved) || resolved === toolsInside) {
    throw new ContainerConfigError(`a volume or file cannot be mounted at ${target}: choose another path`);
  }
  return resolved;
}
