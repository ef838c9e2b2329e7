// SPDX-License-Identifier: Apache-2.0
import type { Container, PodSpec, VolumeMount } from '@forge/kube/generated/types.ts';
import type { PersistentVolumeClaim, Pod } from '@forge/kube/kinds/builtin.ts';

/** What a pod must not reach; its scripts know it by variables of every container: `$HOST`, `$UNTOUCHED`, … */
export interface Host {
  /** A folder that holds a file `secret`. */
  folder: string;
  /** A folder in there that must stay empty. */
  untouched: string;
  /** A TCP port on all addresses of the host; nobody may connect. */
  port: number;
  /** An address of the host that is not loopback. */
  address: string;
  /** The PersistentVolume of a claim in another namespace, with a file `private` in it. */
  otherVolume: string;
}

/** One attempt to escape: a pod, and how it must end. */
export interface Attempt {
  name: string;
  spec: (host: Host) => PodSpec;
  /** Claims made before the pod, in its namespace. */
  claims?: (host: Host) => readonly PersistentVolumeClaim[];
  /** What the logs or the reason for not running must say; without it, that the script ran to its end. */
  ends?: RegExp;
}

/** What only the host knows: the content of its files, and what its servers say. */
export const canary = 'CANARY-that-only-the-host-knows';

/** What a script prints when it got through; nothing else may print it. */
export const escaped = 'ESCAPED';

/** The last line of a script that was stopped by nothing. */
const attempted = 'attempted';

const libraries = '/tools/lib/x86_64-linux-gnu';

/** A container that runs a shell script; `/tools/usr/bin` has unshare, mount and nsenter. */
export function scripted(name: string, script: string, more: Partial<Container> = {}): Container {
  // Not as variables of the container: the exec of a probe does not pass the second on.
  const words = [`export PATH=$PATH:/tools/usr/bin LD_LIBRARY_PATH=${libraries}`, script, `echo ${attempted}`];
  return { name, image: 'mariadb:10.11', command: ['sh', '-c', words.join('\n')], ...more };
}

/** The pod of an attempt, which is run once. */
export function podOf(name: string, spec: PodSpec, host: Host): Pod {
  const env = variablesOf(host);
  const withVariables = (containers: readonly Container[]) =>
    containers.map((container) => ({ ...container, env: [...env, ...(container.env ?? [])] }));
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: {
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 1,
      ...spec,
      containers: withVariables(spec.containers),
      ...(spec.initContainers && { initContainers: withVariables(spec.initContainers) }),
    },
  };
}

function variablesOf({ folder, untouched, port, address }: Host): { name: string; value: string }[] {
  const values = { HOST: folder, UNTOUCHED: untouched, PORT: String(port), ADDRESS: address };
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}

/** A volume both the init container and the main container of {@link afterInit} have at /v. */
const shared = { name: 'shared', emptyDir: {} };
export const atV: VolumeMount = { name: shared.name, mountPath: '/v' };

/** A pod whose init container prepares the shared volume for what the main container then mounts of it. */
export function afterInit(prepare: string, script: string, main: Partial<Container>): PodSpec {
  return {
    volumes: [shared],
    initContainers: [scripted('prepare', prepare, { volumeMounts: [atV] })],
    containers: [scripted('main', script, main)],
  };
}

/** A pod of one container. */
export function alone(script: string, more: Partial<Container> = {}): PodSpec {
  return { containers: [scripted('main', script, more)] };
}

/** Tries to read and to write the host below a prefix. */
export function reach(prefix: string): string {
  return `cat ${prefix}$HOST/secret; echo x > ${prefix}$UNTOUCHED/written && echo ${escaped}`;
}

export const ranToItsEnd = new RegExp(`^${attempted}$`, 'm');
