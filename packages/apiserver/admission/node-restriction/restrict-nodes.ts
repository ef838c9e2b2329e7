// SPDX-License-Identifier: Apache-2.0
import type { Node } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import { refuse, type Restriction } from './node-request.ts';

/** A node can modify only its own Node, except for fields that attract pods. */
export const restrictNodes: Restriction = (node, request) => {
  const { operation, name } = request;
  if (name !== node) refuse(request, `node "${node}" is not allowed to modify node "${name}"`);
  if (operation === 'DELETE') return;
  const { metadata, spec = {} } = request.object as Node;
  const { metadata: oldMetadata, spec: old = {} } = (request.before ?? {}) as Partial<Node>;
  const labels = forbiddenLabels(metadata.labels, oldMetadata?.labels).join(', ');
  if (operation === 'CREATE') {
    if (spec.configSource !== undefined) {
      refuse(request, `node "${node}" is not allowed to create pods with a non-nil configSource`);
    }
    if (labels !== '') refuse(request, `node "${node}" is not allowed to set the following labels: ${labels}`);
    return;
  }
  if (spec.configSource !== undefined && !jsonEqual(spec.configSource, old.configSource)) {
    refuse(request, `node "${node}" is not allowed to update configSource to a new non-nil configSource`);
  }
  if (!jsonEqual(spec.taints ?? [], old.taints ?? [])) {
    refuse(request, `node "${node}" is not allowed to modify taints`);
  }
  if (!jsonEqual(metadata.ownerReferences ?? [], oldMetadata?.ownerReferences ?? [])) {
    refuse(request, `node "${node}" is not allowed to modify ownerReferences`);
  }
  if (labels !== '') refuse(request, `is not allowed to modify labels: ${labels}`);
};

const kubeletLabels = new Set([
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/instance-type',
  'beta.kubernetes.io/os',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'kubernetes.io/arch',
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'node.kubernetes.io/instance-type',
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
]);

/** The changed labels of Kubernetes that are not the kubelet's, sorted. */
function forbiddenLabels(labels: Record<string, string> = {}, before: Record<string, string> = {}): string[] {
  const names = new Set([...Object.keys(labels), ...Object.keys(before)]);
  return [...names].filter((name) => labels[name] !== before[name] && isForbidden(name)).toSorted();
}

function isForbidden(label: string): boolean {
  const slash = label.indexOf('/');
  const domain = slash < 0 ? '' : label.slice(0, slash);
  const isIn = (...parents: string[]) => parents.some((each) => domain === each || domain.endsWith(`.${each}`));
  if (isIn('node-restriction.kubernetes.io')) return true;
  const isOfKubelet = kubeletLabels.has(label) || isIn('kubelet.kubernetes.io', 'node.kubernetes.io');
  return isIn('kubernetes.io', 'k8s.io') && !isOfKubelet;
}
