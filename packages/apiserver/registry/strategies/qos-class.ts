// SPDX-License-Identifier: Apache-2.0
import type { PodSpec, Container } from '@forge/kube/generated/types.ts';

/** The QoS class of a pod, by the CPU and memory of its containers. */
export function qosClassOf({
  containers = [],
  initContainers = [],
}: Partial<PodSpec>): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  const all = [...containers, ...initContainers];
  if (all.every(isBestEffort)) return 'BestEffort';
  return all.every(isGuaranteed) ? 'Guaranteed' : 'Burstable';
}

const counted = ['cpu', 'memory'];

function isBestEffort({ resources = {} }: Container): boolean {
  const { requests = {}, limits = {} } = resources;
  return counted.every((name) => requests[name] === undefined && limits[name] === undefined);
}

function isGuaranteed({ resources = {} }: Container): boolean {
  const { requests = {}, limits = {} } = resources;
  return counted.every((name) => limits[name] !== undefined && (requests[name] ?? limits[name]) === limits[name]);
}
