// SPDX-License-Identifier: Apache-2.0
import { refOf, type KubeObject, type ObjectRef } from '@forge/kube/objects/object.ts';
import { keyOf } from '../objects/object-key.ts';

/** Thrown when an object is read that is cached as metadata only. */
export class ContentNotCached extends Error {
  override readonly name = 'ContentNotCached';
  /** The kind of the object. */
  readonly kind: string;
  readonly ref: ObjectRef;

  constructor(object: KubeObject) {
    const ref = refOf(object);
    super(`${object.kind} ${keyOf(ref)} is cached as metadata only: declare it in reads, or fetch it`);
    this.kind = object.kind;
    this.ref = ref;
  }
}

/** The annotation in which `kubectl apply` keeps the whole object. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** The object without its content. */
export function withoutContent<T extends KubeObject>({ apiVersion, kind, metadata }: T): T {
  const { annotations, ...rest } = metadata;
  const { [lastApplied]: _, ...others } = annotations ?? {};
  // Never returned as a T: reading it throws.
  return { apiVersion, kind, metadata: annotations === undefined ? rest : { ...rest, annotations: others } } as T;
}
