// SPDX-License-Identifier: Apache-2.0
import type { PodTemplateSpec } from '@forge/kube/generated/types.ts';
import type { CronJob, Deployment, Pod } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import type { Write, WriteStep } from '../context/write.ts';
import { checkedPod, containersOf } from './pod-security/pod-check.ts';
import { nameOf, policyOf, type Demand } from './pod-security/policy.ts';
import { violationsOf } from './pod-security/violations.ts';
import { refuse } from './refuse.ts';

/** Refuses a pod that is less confined than its namespace demands; who writes a template of such pods is warned. */
export const podSecurity: WriteStep = (write, { store }) => {
  const { resource, subresource, namespace, object, warn } = write;
  const isPod = resource.name === 'pods';
  const pod = isPod ? (object as Pod) : templateOf(write);
  if (subresource !== undefined || pod?.spec === undefined || (isPod && runsTheSame(write))) return object;
  const { metadata = {} } = store.current.objects.get(`namespaces//${namespace}`)?.value ?? {};
  const policy = policyOf(metadata);
  const refused = isPod ? complaint(pod, policy.enforce) : undefined;
  if (refused !== undefined) throw refuse(write, `violates PodSecurity ${refused}`);
  const told = complaint(pod, policy.warn);
  if (told !== undefined) warn(`would violate PodSecurity ${told}`);
  return object;
};

function templateOf({ resource, object }: Write): PodTemplateSpec | undefined {
  switch (resource.name) {
    case 'daemonsets.apps':
    case 'deployments.apps':
    case 'replicasets.apps':
    case 'replicationcontrollers':
    case 'statefulsets.apps':
    case 'jobs.batch':
      return (object as Deployment).spec?.template;
    case 'cronjobs.batch':
      return (object as CronJob).spec.jobTemplate.spec?.template;
    default:
      return undefined;
  }
}

/** Of a pod that is there already, only other images are a reason to look again. */
function runsTheSame({ object, before }: Write): boolean {
  return before !== undefined && jsonEqual(imagesOf(object as Pod), imagesOf(before as Pod));
}

function imagesOf({ spec }: Pod): (string | undefined)[] {
  return containersOf(spec ?? {}).map(({ image }) => image);
}

function complaint(pod: PodTemplateSpec, demand: Demand): string | undefined {
  const violations = demand.level === 'privileged' ? [] : violationsOf(checkedPod(pod), demand);
  if (violations.length === 0) return undefined;
  return `"${nameOf(demand)}": ${violations.map(({ reason, detail }) => `${reason} (${detail})`).join(', ')}`;
}
