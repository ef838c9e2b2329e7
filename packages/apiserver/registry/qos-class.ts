// SPDX-License-Identifier: Apache-2.0
import type { Container, PodSpec } from '@forge/kube/generated/types.ts';

/** The QoS class of a pod, by the CPU and memory of its containers. */
export function qosClassOf({
  containers = [],
  initContainers = [],
}: Partial<PodSpec>): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  const all = [...containers, ...initContainers];
  if (all.every(reservesNothing)) return 'BestEffort';
  return all.every(reservesAll) ? 'Guaranteed' : 'Burstable';
}

const counted = ['cpu', 'memory'];

function reservesNothing({ resources = {} }: Container): boolean {
  const { requests = {}, limits = {} } = resources;
  return counted.every((name) => requests[name] === undefined && limits[name] === undefined);
}

function reservesAll({ resources = {} }: Container): boolean {
  const { requests = {}, limits = {} } = resources;
  return counted.every((name) => limits[name] !== undefined && (requests[name] ?? limits[name]) === limits[name]);
}
