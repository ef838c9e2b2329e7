// SPDX-License-Identifier: Apache-2.0
import type { Namespace, Lease, Node } from '@forge/kube/kinds/builtin.ts';
import type { Strategy } from '../../resources/resource.ts';
import { validateLease, validateNode } from '../../validation/kinds/cluster.ts';
import { nodeWarnings } from '../../warnings/cluster.ts';
import { defaultNode, withNotReadyTaint } from '../defaults/cluster.ts';
import { strategy } from './strategy.ts';

/** Namespaces that cannot be deleted. */
const protectedNamespaces = new Set(['default', 'kube-system', 'kube-public']);

/** The strategy of namespaces: a finalizer keeps them until their content is deleted. */
const namespaceStrategy: Strategy<Namespace> = {
  default: (object) => (isNamed(object) ? labelled(object) : object),
  prepareForCreate: (object) => ({
    ...labelled(object),
    spec: { ...object.spec, finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  }),
  prepareForUpdate: (object, before) => ({
    ...object,
    spec: { ...object.spec, finalizers: before.spec?.finalizers ?? [] },
  }),
  deletionForbidden: ({ metadata }) =>
    protectedNamespaces.has(metadata.name) ? 'this namespace may not be deleted' : undefined,
  prepareForDelete: (object) => ({ ...object, status: { ...object.status, phase: 'Terminating' } }),
  omitsDeletionDetails: true,
  hasPendingFinalizers: (object) => (object.spec?.finalizers ?? []).length > 0,
  selectableFields: ['status.phase'],
};

/** With generateName there is no name yet. */
function isNamed({ metadata }: Namespace): boolean {
  return ((metadata.name as string | undefined) ?? '') !== '';
}

function labelled(object: Namespace): Namespace {
  const { metadata } = object;
  const labels = { ...metadata.labels, 'kubernetes.io/metadata.name': metadata.name };
  return { ...object, metadata: { ...metadata, labels } };
}

/** By kind. */
export const clusterStrategies: Readonly<Record<string, Strategy>> = {
  Lease: strategy<Lease>({ validate: validateLease, requiresVersionOnUpdate: true, allowCreateOnUpdate: true }),
  Namespace: strategy(namespaceStrategy),
  Node: strategy<Node>({
    default: defaultNode,
    prepareForCreate: withNotReadyTaint,
    validate: validateNode,
    warnings: nodeWarnings,
    keepsStatusOnCreate: true,
    selectableFields: ['spec.unschedulable'],
  }),
};
