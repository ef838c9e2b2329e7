// SPDX-License-Identifier: Apache-2.0
import type { Container, EphemeralContainer, PodSpec, VolumeMount } from '@forge/kube/generated/types.ts';
import type { PersistentVolumeClaim, Pod } from '@forge/kube/kinds/builtin.ts';

/** What a pod must not reach; scripts get it in variables of every container: `$HOST`, `$UNTOUCHED`, … */
export interface HostTargets {
  /** A folder with a file `secret`. */
  folder: string;
  /** A folder in it that must stay empty. */
  untouched: string;
  /** A TCP port on all addresses of the host; no pod may connect. */
  port: number;
  /** A non-loopback address of the host. */
  address: string;
  /** The PersistentVolume of a claim in another namespace, with a file `private`. */
  otherVolume: string;
}

/** One escape attempt: a pod, and its required outcome. */
export interface Attempt {
  name: string;
  spec: (host: HostTargets) => PodSpec;
  /** Default: `default`, which has no Pod Security level. */
  namespace?: string;
  /** An ephemeral container that is added to the running pod, and makes the attempt. */
  ephemeral?: EphemeralContainer;
  /** A command that `kubectl exec` runs in the running pod, and that makes the attempt. */
  exec?: { command: readonly string[]; atTerminal?: boolean };
  /** Whether it holds what it has reached: it is over when it has ended as required. */
  keepsRunning?: boolean;
  /** Claims created before the pod, in its namespace. */
  claims?: (host: HostTargets) => readonly PersistentVolumeClaim[];
  /** What the logs or the waiting reason must contain; by default, that the script ran to its end. */
  ends?: RegExp;
}

/** A marker that only the host has: the content of its files and the greeting of its servers. */
export const canary = 'CANARY-that-only-the-host-knows';

/** Printed by a script when it has escaped. */
export const escaped = 'ESCAPED';

/** The last line of a script that ran to its end. */
const attempted = 'attempted';

const libraries = '/tools/lib/x86_64-linux-gnu';

/** A container that runs a shell script; `/tools/usr/bin` has unshare, mount and nsenter. */
export function scripted(name: string, script: string, more: Partial<Container> = {}): Container {
  // One stream, so that the log keeps the order. No variables of the container: the exec of a probe does not pass on the second.
  const words = [
    'exec 2>&1',
    `export PATH=$PATH:/tools/usr/bin LD_LIBRARY_PATH=${libraries}`,
    script,
    `echo ${attempted}`,
  ];
  return { name, image: 'mariadb:10.11', command: ['sh', '-c', words.join('\n')], ...more };
}

/** The pod of an attempt, with restartPolicy Never. */
export function podOf(name: string, spec: PodSpec, host: HostTargets, namespace = 'default'): Pod {
  const env = variablesOf(host);
  const withVariables = (containers: readonly Container[]) =>
    containers.map((container) => ({ ...container, env: [...env, ...(container.env ?? [])] }));
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace },
    spec: {
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 1,
      ...spec,
      containers: withVariables(spec.containers),
      ...(spec.initContainers && { initContainers: withVariables(spec.initContainers) }),
    },
  };
}

function variablesOf({ folder, untouched, port, address }: HostTargets): { name: string; value: string }[] {
  const values = { HOST: folder, UNTOUCHED: untouched, PORT: String(port), ADDRESS: address };
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}

/** A volume that the init container and the main container of {@link afterInit} mount at /v. */
const shared = { name: 'shared', emptyDir: {} };
export const atV: VolumeMount = { name: shared.name, mountPath: '/v' };

/** A pod whose init container prepares the shared volume that the main container mounts. */
export function afterInit(prepare: string, script: string, main: Partial<Container>): PodSpec {
  return {
    volumes: [shared],
    initContainers: [scripted('prepare', prepare, { volumeMounts: [atV] })],
    containers: [scripted('main', script, main)],
  };
}

/** A pod with one container. */
export function alone(script: string, more: Partial<Container> = {}): PodSpec {
  return { containers: [scripted('main', script, more)] };
}

/** Tries to read and write the host below a prefix. */
export function reach(prefix: string): string {
  return `cat ${prefix}$HOST/secret; echo x > ${prefix}$UNTOUCHED/written && echo ${escaped}`;
}

export const completed = new RegExp(`^${attempted}$`, 'm');
