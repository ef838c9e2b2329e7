// SPDX-License-Identifier: Apache-2.0
import { apiVersionOf } from '@forge/kube/kinds/kind.ts';
import type { JsonObject } from '@forge/kube/objects/json.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { userInfo } from '../access/user-info.ts';
import type { AdmissionAttributes } from './admission-attributes.ts';
import type { Invocation } from './match-webhook.ts';

/** The AdmissionRequest without its objects, for one version of the resource. */
export function requestOf(attributes: AdmissionAttributes, version: string): JsonObject {
  const { kind, subresource, namespace, name, operation, user, dryRun, options } = attributes;
  const { group: of, plural, version: requested } = attributes.resource.kind;
  return {
    kind: hasOwnKind(attributes) ? kind : { ...kind, version },
    resource: { group: of, version, resource: plural },
    ...(subresource !== undefined && { subResource: subresource }),
    requestKind: kind,
    requestResource: { group: of, version: requested, resource: plural },
    ...(subresource !== undefined && { requestSubResource: subresource }),
    ...(name !== '' && { name }),
    ...(namespace !== undefined && { namespace }),
    operation,
    userInfo: userInfo(user),
    dryRun,
    options,
  };
}

/** The AdmissionReview to send, in the first supported version of the webhook. */
export function reviewOf(uid: string, attributes: AdmissionAttributes, { webhook, version }: Invocation): JsonObject {
  const understood = webhook.admissionReviewVersions.find((each) => each === 'v1' || each === 'v1beta1') ?? 'v1';
  const { object, before } = attributes;
  const apiVersion = apiVersionOf(attributes.resource.kind.group, version);
  const shown = (each: KubeObject) => (hasOwnKind(attributes) ? each : { ...each, apiVersion });
  return {
    kind: 'AdmissionReview',
    apiVersion: `admission.k8s.io/${understood}`,
    request: {
      uid,
      ...requestOf(attributes, version),
      object: object === undefined ? null : shown(object),
      oldObject: before === undefined ? null : shown(before),
    },
  };
}

/** Whether it concerns a subresource with a kind of its own. */
function hasOwnKind({ kind, resource }: AdmissionAttributes): boolean {
  return kind.kind !== resource.kind.kind;
}
