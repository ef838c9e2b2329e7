// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { Condition, KubeObject } from '@forge/kube/objects/object.ts';
import { isTrue } from '../../objects/with-condition.ts';

/** An object of any kind of K-ORC. */
export interface KorcObject extends KubeObject {
  spec: {
    cloudCredentialsRef: { secretName: string; cloudName: string };
    managementPolicy?: 'managed' | 'unmanaged';
    managedOptions?: { onDelete?: 'delete' | 'detach' };
    resource?: object;
    import?: { id?: string; filter?: object };
    resyncPeriod?: string;
  };
  status?: { id?: string; resource?: object; conditions?: Condition[]; lastSyncTime?: string };
}

/** Another object of K-ORC in the same namespace. */
export interface Reference {
  kind: Kind<KorcObject>;
  name: string;
}

/** The finalizer of a kind, for its own objects and, as a guard, for their dependencies. */
export function finalizerOf({ singular }: Kind): string {
  return `openstack.k-orc.cloud/${singular}`;
}

/** The field manager of a kind's controller; for its own objects with the name of the transaction. */
export function fieldManagerOf(kind: Kind, transaction?: 'finalizer' | 'status'): string {
  const controller = `${finalizerOf(kind)}controller`;
  return transaction === undefined ? controller : `${controller}/${transaction}`;
}

/** Whether K-ORC creates, changes and deletes the resource of the object. */
export function isManaged({ spec }: KorcObject): boolean {
  return spec.managementPolicy !== 'unmanaged';
}

/** Whether other objects can depend on it. */
export function isAvailable({ status }: KorcObject): boolean {
  return isTrue(status?.conditions, 'Available') && status?.id !== undefined;
}
