// SPDX-License-Identifier: Apache-2.0
import type { Pod } from '@forge/kube/kinds/builtin.ts';

/** The number of a pod's port with this name and protocol. */
export function containerPort({ spec }: Pick<Pod, 'spec'>, name: string, protocol: string): number | undefined {
  return spec?.containers
    .flatMap(({ ports = [] }) => ports)
    .find((port) => port.name === name && (port.protocol ?? 'TCP') === protocol)?.containerPort;
}
