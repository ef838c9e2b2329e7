// SPDX-License-Identifier: Apache-2.0
import { Namespace } from '@forge/kube/builtin.ts';
import { forbidden, notFound } from '../refusal.ts';
import type { WriteStep } from './write.ts';

/** Refuses new objects in a namespace that does not exist or is on its way out. */
export const namespaceLifecycle: WriteStep = ({ resource, namespace, object, before }, { store }) => {
  if (before !== undefined || namespace === undefined || resource.kind.scope === 'Cluster') return object;
  const stored = store.current.objects.get(`namespaces//${namespace}`);
  if (stored === undefined) throw notFound(Namespace, namespace);
  if (stored.value.metadata.deletionTimestamp === undefined) return object;
  const message = `namespace ${namespace} is being terminated`;
  throw forbidden(
    resource.kind,
    object.metadata.name,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
    [{ reason: 'NamespaceTerminating', message, field: 'metadata.namespace' }],
  );
};
