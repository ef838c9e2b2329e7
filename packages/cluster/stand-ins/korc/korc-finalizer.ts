// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { refOf, type KubeObject } from '@forge/kube/objects/object.ts';
import type { ReconcileContext } from '@forge/runtime/controller/controller.ts';
import { fieldManagerOf, finalizerOf } from './korc-object.ts';

/** The object with the finalizer of `holder` applied: that of its own kind, or as a guard that of a referring kind. */
export async function withKorcFinalizer<T extends KubeObject>(
  kind: Kind<T>,
  object: T,
  holder: Kind,
  { client, signal }: ReconcileContext,
): Promise<T> {
  const finalizer = finalizerOf(holder);
  if ((object.metadata.finalizers ?? []).includes(finalizer)) return object;
  const { uid } = object.metadata;
  const applied: KubeObject = {
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    metadata: {
      ...refOf(object),
      ...(uid !== undefined && { uid }),
      finalizers: [finalizer],
    } as KubeObject['metadata'],
  };
  const fieldManager = fieldManagerOf(holder, holder.plural === kind.plural ? 'finalizer' : undefined);
  return (await client.apply<KubeObject>(kind, applied, { fieldManager, force: true, signal })) as T;
}
