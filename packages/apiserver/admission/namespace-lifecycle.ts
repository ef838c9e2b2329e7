// SPDX-License-Identifier: Apache-2.0
import { Namespace } from '@forge/kube/kinds/builtin.ts';
import { notFound } from '../messages/status-errors.ts';
import type { WriteStep } from '../request/write.ts';
import { admissionDenied } from './admission-denied.ts';

/** Rejects new objects in a missing or terminating namespace. */
export const namespaceLifecycle: WriteStep = (write, { store }) => {
  const { resource, namespace, object, before } = write;
  if (before !== undefined || namespace === undefined || resource.kind.scope === 'Cluster') return object;
  const stored = store.current.objects.get(`namespaces//${namespace}`);
  if (stored === undefined) throw notFound(Namespace, namespace);
  if (stored.value.metadata.deletionTimestamp === undefined) return object;
  const message = `namespace ${namespace} is being terminated`;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  throw admissionDenied(write, why, [{ reason: 'NamespaceTerminating', message, field: 'metadata.namespace' }]);
};
