// SPDX-License-Identifier: Apache-2.0
import type { PodTemplateSpec } from '@forge/kube/generated/types.ts';
import type { CronJob, Deployment, Pod } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import type { Write, WriteStep } from '../request/write.ts';
import { admissionDenied } from './admission-denied.ts';
import { checkedPod, containersOf } from './pod-security/pod-check.ts';
import { nameOf, policyOf, type LevelVersion } from './pod-security/policy.ts';
import { violationsOf } from './pod-security/violations.ts';

/** Rejects pods that violate the Pod Security level of their namespace; warns of workloads whose template does. */
export const podSecurity: WriteStep = (write, { store }) => {
  const { resource, subresource, namespace, object, warn } = write;
  const isPod = resource.name === 'pods';
  const pod = isPod ? (object as Pod) : templateOf(write);
  const isChecked = subresource === undefined || subresource === 'ephemeralcontainers';
  if (!isChecked || pod?.spec === undefined || (isPod && hasSameImages(write))) return object;
  const { metadata = {} } = store.current.objects.get(`namespaces//${namespace}`)?.value ?? {};
  const policy = policyOf(metadata);
  const refused = isPod ? violationText(pod, policy.enforce) : undefined;
  if (refused !== undefined) throw admissionDenied(write, `violates PodSecurity ${refused}`);
  const warned = violationText(pod, policy.warn);
  if (warned !== undefined) warn(`would violate PodSecurity ${warned}`);
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

/** An updated pod is checked again only when an image changes. */
function hasSameImages({ object, before }: Write): boolean {
  return before !== undefined && jsonEqual(imagesOf(object as Pod), imagesOf(before as Pod));
}

function imagesOf({ spec }: Pod): (string | undefined)[] {
  return containersOf(spec ?? {}).map(({ image }) => image);
}

function violationText(pod: PodTemplateSpec, required: LevelVersion): string | undefined {
  const violations = required.level === 'privileged' ? [] : violationsOf(checkedPod(pod), required);
  if (violations.length === 0) return undefined;
  return `"${nameOf(required)}": ${violations.map(({ reason, detail }) => `${reason} (${detail})`).join(', ')}`;
}
