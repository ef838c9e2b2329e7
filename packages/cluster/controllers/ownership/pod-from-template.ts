// SPDX-License-Identifier: Apache-2.0
import type { PodTemplateSpec } from '@forge/kube/generated/types.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { controllerReference } from '@forge/runtime/objects/owner-reference.ts';

/** A pod from the template, controlled by the owner; the server completes its name. */
export function podFromTemplate(template: PodTemplateSpec, owner: KubeObject, finalizers: readonly string[] = []): Pod {
  const { labels, annotations, finalizers: own = [] } = template.metadata ?? {};
  const { name, namespace } = owner.metadata;
  const held = [...own, ...finalizers];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: '',
      generateName: `${name}-`,
      ...(namespace !== undefined && { namespace }),
      ...(labels !== undefined && { labels }),
      ...(annotations !== undefined && { annotations }),
      ...(held.length > 0 && { finalizers: held }),
      ownerReferences: [controllerReference(owner)],
    },
    ...(template.spec !== undefined && { spec: template.spec }),
  };
}
