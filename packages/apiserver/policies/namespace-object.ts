// SPDX-License-Identifier: Apache-2.0
import { Namespace } from '@forge/kube/kinds/builtin.ts';
import { LazyMap } from '../cel/values/lazy-map.ts';
import type { Value } from '../cel/values/value.ts';
import type { AdmissionAttributes } from '../matching/admission-attributes.ts';
import { notFound } from '../messages/status-errors.ts';
import type { Store } from '../storage/store.ts';

/** The namespace of a request without what policies do not see; null when the request has none, or is about one. */
export function namespaceObject({ namespace, resource }: AdmissionAttributes, { current }: Store): Value {
  if (namespace === undefined || resource.name === 'namespaces') return null;
  const stored = current.objects.get(`namespaces//${namespace}`);
  if (stored === undefined) throw notFound(Namespace, namespace);
  return new LazyMap(() => {
    const { apiVersion: _, kind: __, metadata, ...rest } = stored.value;
    const { managedFields: ___, ownerReferences: ____, ...shown } = metadata;
    return { ...rest, metadata: shown };
  });
}
