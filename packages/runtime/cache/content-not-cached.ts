// SPDX-License-Identifier: Apache-2.0
import { refOf, type KubeObject, type ObjectRef } from '@forge/kube/objects/object.ts';
import { keyOf } from '../objects/object-key.ts';

/** A read of an object of which the cache holds the metadata only. */
export class ContentNotCached extends Error {
  override readonly name = 'NotHeld';
  /** The kind, as the object says it. */
  readonly kind: string;
  readonly ref: ObjectRef;

  constructor(object: KubeObject) {
    const ref = refOf(object);
    super(`the cache holds ${object.kind} ${keyOf(ref)} without its content: name it in reads, or fetch it`);
    this.kind = object.kind;
    this.ref = ref;
  }
}

/** What `kubectl apply` keeps of the whole object in its metadata. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** The object without its content. */
export function withoutContent<T extends KubeObject>({ apiVersion, kind, metadata }: T): T {
  const { annotations, ...rest } = metadata;
  const { [lastApplied]: _, ...others } = annotations ?? {};
  // Nobody gets it as a T: reads of it throw.
  return { apiVersion, kind, metadata: annotations === undefined ? rest : { ...rest, annotations: others } } as T;
}
