// SPDX-License-Identifier: Apache-2.0
import { Node, Pod } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import { isMirrorPod } from '../../access/pod-references.ts';
import type { Store } from '../../storage/store.ts';
import { notCached, refuse, type NodeRequest, type Restriction } from './node-request.ts';
import { referencedResource } from './referenced-resource.ts';

/** A node can create mirror pods, and delete, evict and update the status of its own pods. */
export const restrictPods: Restriction = (node, request, store) => {
  const { operation, subresource } = request;
  switch (subresource) {
    case undefined:
      if (operation === 'CREATE') return restrictCreation(node, request, store);
      if (operation === 'UPDATE') {
        refuse(request, `unexpected operation "UPDATE", node "${node}" can only create and delete mirror pods`);
      }
      if ((request.before as Pod).spec?.nodeName === node) return;
      return refuse(request, `node "${node}" can only delete pods with spec.nodeName set to itself`);
    case 'status':
      return restrictStatus(node, request);
    case 'eviction':
      if (podNamed(request, store).spec?.nodeName === node) return;
      return refuse(request, `node ${node} can only evict pods with spec.nodeName set to itself`);
    default:
      refuse(request, `unexpected pod subresource "${subresource}", only 'status' and 'eviction' are allowed`);
  }
};

function podNamed({ namespace, name }: NodeRequest, store: Store): Pod {
  const stored = store.current.objects.get(`pods/${namespace}/${name}`);
  if (stored === undefined) throw notCached(Pod, name);
  return stored.value as Pod;
}

function restrictCreation(node: string, request: NodeRequest, store: Store): void {
  const pod = request.object as Pod;
  if (!isMirrorPod(pod)) {
    const annotation = '"kubernetes.io/config.mirror" annotation';
    refuse(request, `pod does not have ${annotation}, node "${node}" can only create mirror pods`);
  }
  if (pod.spec?.nodeName !== node) {
    refuse(request, `node "${node}" can only create pods with spec.nodeName set to itself`);
  }
  const [owner, ...others] = pod.metadata.ownerReferences ?? [];
  if (others.length > 0) {
    refuse(request, `node "${node}" can only create pods with a single owner reference set to itself`);
  }
  if (owner?.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node) {
    refuse(request, `node "${node}" can only create pods with an owner reference set to itself`);
  }
  if (owner.controller !== true) {
    refuse(request, `node "${node}" can only create pods with a controller owner reference set to itself`);
  }
  if (owner.blockOwnerDeletion === true) {
    refuse(request, `node "${node}" must not set blockOwnerDeletion on an owner reference`);
  }
  const stored = store.current.objects.get(`nodes//${node}`);
  if (stored === undefined) throw notCached(Node, node);
  const { uid } = stored.value.metadata;
  if (owner.uid !== uid) refuse(request, `node ${node} UID mismatch: expected ${owner.uid} got ${uid}`);
  const referenced = referencedResource(pod);
  if (referenced !== undefined) refuse(request, `node "${node}" can not create pods that reference ${referenced}`);
}

function restrictStatus(node: string, request: NodeRequest): void {
  const [pod, before] = [request.object, request.before] as [Pod, Pod];
  if (before.spec?.nodeName !== node) {
    refuse(request, `node "${node}" can only update pod status for pods with spec.nodeName set to itself`);
  }
  if (!jsonEqual(pod.metadata.labels ?? {}, before.metadata.labels ?? {})) {
    refuse(request, `node "${node}" cannot update labels through pod status`);
  }
  const [status = {}, old = {}] = [pod.status, before.status];
  if (!jsonEqual(status.resourceClaimStatuses ?? [], old.resourceClaimStatuses ?? [])) {
    refuse(request, `node "${node}" cannot update resource claim statues`);
  }
  if (!jsonEqual(status.extendedResourceClaimStatus, old.extendedResourceClaimStatus)) {
    refuse(request, `node "${node}" cannot update extended resource claim status`);
  }
}
