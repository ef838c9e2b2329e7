// SPDX-License-Identifier: Apache-2.0
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Container } from '@forge/kube/generated/types.ts';
import type { Namespace, Pod, Service } from '@forge/kube/kinds/builtin.ts';
import type { AssembledImage } from '../../images/image-store.ts';
import { specOf } from '../../objects/pod-spec.ts';
import type { BindMount } from '../mounts/compose-root.ts';
import { rootedPath } from '../mounts/rooted-path.ts';
import { ContainerConfigError } from '../references/container-config-error.ts';
import { expand } from '../references/expand.ts';
import type { PodObjects } from '../references/pod-objects.ts';
import { serviceVariables } from '../references/service-variables.ts';
import type { PreparedVolume } from '../volumes/pod-volumes.ts';
import type { ContainerSpec } from './container-command.ts';
import { containerEnv } from './container-env.ts';
import { containerUser } from './container-user.ts';
import { mountOf, targetOf } from './mount-of.ts';
import { hostnameOf } from './pod-files.ts';
import { isConfined } from './seccomp-profile.ts';

/** The inputs of a container. */
export interface ContainerInputs {
  pod: Pod;
  container: Container;
  image: AssembledImage;
  podIP: string;
  /** Looks up the pod's namespace. */
  namespace: () => Promise<Namespace | undefined>;
  objects: PodObjects;
  /** All Services of the cluster. */
  services: readonly Service[];
  volumes: ReadonlyMap<string, PreparedVolume>;
  /** Files that every container of the pod mounts. */
  files: readonly BindMount[];
}

const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The resolved container; throws {@link ContainerConfigError} when a reference is missing. */
export async function containerSpec(inputs: ContainerInputs): Promise<ContainerSpec> {
  const { pod, container, image, podIP, objects, files } = inputs;
  const user = containerUser(specOf(pod), container, image);
  const hostname = hostnameOf(pod);
  const defaults = {
    PATH: systemPath,
    HOSTNAME: hostname,
    HOME: await homeOf(image, user.uid),
    ...image.env,
    ...serviceVariables(pod, inputs.services),
  };
  const env = containerEnv({ pod, container, podIP, objects, defaults });
  const volumes = (container.volumeMounts ?? []).map((mount) => mountOf(mount, container, inputs.volumes, env));
  const wanted = [...image.mounts.map((mount) => ({ ...mount, readOnly: true, isLayer: true })), ...files, ...volumes];
  const mounts = await Promise.all(
    wanted.map(async (mount) => ({ ...mount, target: await targetOf(image.root, mount) })),
  );
  return {
    user,
    hostname,
    env,
    command: commandOf(container, image).map((word) => expand(word, env)),
    workingDir: await rootedPath(image.root, container.workingDir ?? '/'),
    readOnlyRoot: container.securityContext?.readOnlyRootFilesystem === true,
    confined: await isConfined(pod, container, inputs.namespace),
    mounts: mounts.toSorted((a, b) => depth(a) - depth(b)),
  };
}

/** The pod's command and arguments override the image's; a command of the pod also drops the image's arguments. */
export function commandOf({ name, command, args }: Container, { entrypoint, cmd }: AssembledImage): string[] {
  const whole = [...(command ?? entrypoint), ...(args ?? (command ? [] : cmd))];
  if (whole.length === 0) throw new ContainerConfigError(`no command specified for container ${name}`);
  return whole;
}

function depth({ target }: BindMount): number {
  return target.split('/').filter((part) => part !== '').length;
}

async function homeOf({ root }: AssembledImage, uid: number): Promise<string> {
  const users = await readFile(join(root, 'etc/passwd'), 'utf8').catch(() => '');
  const entry = users
    .split('\n')
    .map((line) => line.split(':'))
    .find(([, , id]) => id === String(uid));
  return entry?.[5] ?? '/';
}
