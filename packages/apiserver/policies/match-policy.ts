// SPDX-License-Identifier: Apache-2.0
import type { MatchResources } from '@forge/kube/generated/types.ts';
import type { AdmissionAttributes } from '../matching/admission-attributes.ts';
import { matchedVersion, selectsNamespace, selectsObject } from '../matching/match-rules.ts';
import type { Store } from '../storage/store.ts';

/** The version of the resource that a policy or binding matches; undefined when it does not match. */
export function matchResources(
  resources: MatchResources,
  attributes: AdmissionAttributes,
  store: Store,
): string | undefined {
  const { resourceRules = [], excludeResourceRules = [] } = resources;
  if (!selectsObject(resources, attributes)) return undefined;
  if (matchedVersion(excludeResourceRules, resources, attributes, store) !== undefined) return undefined;
  const version =
    resourceRules.length === 0
      ? attributes.resource.kind.version
      : matchedVersion(resourceRules, resources, attributes, store);
  return version !== undefined && selectsNamespace(resources, attributes, store) ? version : undefined;
}

/** Resources that no policy sees: a broken policy must not block its own correction, nor reviews. */
const exempt: ReadonlySet<string> = new Set([
  'validatingadmissionpolicies.admissionregistration.k8s.io',
  'validatingadmissionpolicybindings.admissionregistration.k8s.io',
  'selfsubjectreviews.authentication.k8s.io',
  'tokenreviews.authentication.k8s.io',
  'localsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectrulesreviews.authorization.k8s.io',
  'subjectaccessreviews.authorization.k8s.io',
]);

/** Whether policies do not apply to the resource; unlike webhooks, they apply to webhook configurations. */
export function isExempt({ resource }: AdmissionAttributes): boolean {
  return exempt.has(resource.name);
}
