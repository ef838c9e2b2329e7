// SPDX-License-Identifier: Apache-2.0
import type { CertificateSigningRequest, PersistentVolumeClaim, ResourceSlice } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import type { ObjectMeta } from '@forge/kube/objects/object.ts';
import { parseCertificateRequest } from '@forge/pki/certificate-request.ts';
import { nodeNameOf } from '../../access/node-identity.ts';
import type { User } from '../../messages/server-request.ts';
import type { ServerContext } from '../../request/server-context.ts';
import { refuse, type NodeRequest, type Restriction } from './node-request.ts';
import { restrictNodes } from './restrict-nodes.ts';
import { restrictPods } from './restrict-pods.ts';
import { restrictTokens } from './restrict-tokens.ts';

/** Throws when a node writes what is not its own; other users are not restricted. */
export function restrictNode(user: User, request: NodeRequest, server: ServerContext): void {
  const node = nodeNameOf(user);
  if (node === undefined) return;
  if (node === '') refuse(request, `could not determine node from user ${JSON.stringify(user.name)}`);
  if (request.resource.name === 'serviceaccounts') restrictTokens(node, request, { ...server, user });
  else restrictions[request.resource.name]?.(node, request, server.store);
}

const restrictions: Readonly<Record<string, Restriction | undefined>> = {
  pods: restrictPods,
  nodes: restrictNodes,
  persistentvolumeclaims: restrictClaims,
  'leases.coordination.k8s.io'(node, request) {
    if (request.namespace !== 'kube-node-lease') {
      refuse(request, 'can only access leases in the "kube-node-lease" system namespace');
    }
    if (request.name !== node) {
      refuse(request, 'can only access node lease with the same name as the requesting node');
    }
  },
  'csinodes.storage.k8s.io'(node, request) {
    if (request.name !== node) refuse(request, 'can only access CSINode with the same name as the requesting node');
  },
  'resourceslices.resource.k8s.io'(node, request) {
    const { operation, object, before } = request;
    if (operation === 'UPDATE') return;
    const { nodeName } = ((object ?? before) as ResourceSlice).spec;
    if (nodeName === node) return;
    const verb = operation.toLowerCase();
    refuse(request, `can only ${verb} ResourceSlice with the same NodeName as the requesting node`);
  },
  'certificatesigningrequests.certificates.k8s.io': restrictSigningRequests,
};

const nodeSigners = ['kubernetes.io/kubelet-serving', 'kubernetes.io/kube-apiserver-client-kubelet'];

/** A node can request a node certificate only for itself. */
function restrictSigningRequests(node: string, request: NodeRequest): void {
  if (request.operation !== 'CREATE') return;
  const { spec } = request.object as CertificateSigningRequest;
  if (!nodeSigners.includes(spec.signerName)) return;
  const wanted = `system:node:${node}`;
  if (commonNameIn(request, spec.request) !== wanted) refuse(request, `can only create a node CSR with CN=${wanted}`);
}

function commonNameIn(request: NodeRequest, encoded: string): string {
  try {
    return parseCertificateRequest(Buffer.from(encoded, 'base64').toString()).commonName;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return refuse(request, `unable to parse csr: ${error.message}`);
  }
}

/** A node reports the capacity of a resized volume. */
function restrictClaims(node: string, request: NodeRequest): void {
  if (request.subresource !== 'status') refuse(request, 'may only update PVC status');
  const [claim, before] = [request.object, request.before] as [PersistentVolumeClaim, PersistentVolumeClaim];
  if (jsonEqual(withoutReports(claim), withoutReports(before))) return;
  refuse(request, `node "${node}" is not allowed to update fields other than status.quantity and status.conditions`);
}

function withoutReports({ metadata, status = {}, ...rest }: PersistentVolumeClaim): object {
  const { resourceVersion: _, managedFields: __, ...identity }: Partial<ObjectMeta> = metadata;
  const {
    capacity: ___,
    conditions: ____,
    allocatedResources: _____,
    allocatedResourceStatuses: ______,
    ...own
  } = status;
  return { ...rest, metadata: identity, status: own };
}
