// SPDX-License-Identifier: Apache-2.0
import type { Container, VolumeMount } from '@forge/kube/generated/types.ts';
import { toolsInside } from '../../host/toolbox.ts';
import { launchersInside } from '../confinement/launchers.ts';
import type { BindMount } from '../mounts/compose-root.ts';
import { rootedPath } from '../mounts/rooted-path.ts';
import { ContainerConfigError } from '../references/container-config-error.ts';
import { expand } from '../references/expand.ts';
import type { PreparedVolume } from '../volumes/pod-volumes.ts';

/** The mount of a volume; throws {@link ContainerConfigError} when it is invalid. */
export function mountOf(
  mount: VolumeMount,
  container: Container,
  volumes: ReadonlyMap<string, PreparedVolume>,
  env: Readonly<Record<string, string>>,
): BindMount {
  const volume = volumes.get(mount.name);
  if (!volume) {
    throw new ContainerConfigError(
      `container ${container.name} mounts volume ${mount.name}, which the pod does not define`,
    );
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
    // A missing path in a writable volume is created as a folder.
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

/** Where programs of the node are mounted in every container. */
const reserved = [toolsInside, launchersInside];

/** The target of a mount after resolving links of the image; throws where nothing can be mounted. */
export async function targetOf(image: string, { target }: BindMount): Promise<string> {
  const resolved = await rootedPath(image, target);
  // Only directly in /dev, where every container has its own file system; pods can change what is mounted deeper.
  if (/^\/(?:dev|proc)?$|^\/proc\/|^\/dev\/.*\//.test(resolved) || reserved.includes(resolved)) {
    throw new ContainerConfigError(`a volume or file cannot be mounted at ${target}: choose another path`);
  }
  return resolved;
}
