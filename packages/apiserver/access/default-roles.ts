// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import type { PolicyRule } from '@forge/kube/generated/types.ts';
import type { ClusterRole } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject, ObjectMeta } from '@forge/kube/objects/object.ts';
import { timestamp } from '@forge/runtime/environment/clock.ts';
import type { CoreContext } from '../resources/core-context.ts';
import recorded from './default-roles.json' with { type: 'json' };

const defaultRoles: readonly KubeObject[] = recorded;

const plurals: Readonly<Record<string, string>> = {
  ClusterRole: 'clusterroles',
  ClusterRoleBinding: 'clusterrolebindings',
  Role: 'roles',
  RoleBinding: 'rolebindings',
};

/** The original rules of a default ClusterRole, even if the stored object has been changed. */
export function defaultRulesOf(name: string): readonly PolicyRule[] {
  const role = defaultRoles.find(({ kind, metadata }) => kind === 'ClusterRole' && metadata.name === name);
  return (role as ClusterRole | undefined)?.rules ?? [];
}

/** Adds the default roles and bindings to an empty store, each created on first use. */
export function preloadDefaultRoles({ store, clock, random }: CoreContext): void {
  const creationTimestamp = timestamp(clock);
  const seed = random.uuid();
  const lazy = defaultRoles.map((role) => {
    const key = keyOf(role);
    const make = (revision: number): KubeObject =>
      withMetadata(role, { uid: uidOf(seed, key), creationTimestamp, resourceVersion: String(revision) });
    return [key, make] as const;
  });
  // The last one is committed, so that there is a revision at which all exist.
  store.preload(lazy.slice(0, -1));
  ensureDefaultRoles({ store, clock, random }, defaultRoles.slice(-1));
}

/** Creates missing default roles and bindings. */
export function ensureDefaultRoles(
  { store, clock, random }: Pick<CoreContext, 'store' | 'clock' | 'random'>,
  roles = defaultRoles,
): void {
  for (const role of roles) {
    const key = keyOf(role);
    if (store.current.objects.get(key) !== undefined) continue;
    store.commit(key, undefined, withMetadata(role, { uid: random.uuid(), creationTimestamp: timestamp(clock) }));
  }
}

function withMetadata({ kind, apiVersion, metadata, ...rest }: KubeObject, own: Partial<ObjectMeta>): KubeObject {
  return { kind, apiVersion, metadata: { ...metadata, ...own }, ...rest };
}

function keyOf({ kind, metadata: { namespace = '', name } }: KubeObject): string {
  return `${plurals[kind]}.rbac.authorization.k8s.io/${namespace}/${name}`;
}

/** A deterministic uid, independent of creation order. */
function uidOf(seed: string, key: string): string {
  const hex = createHash('sha256').update(`${seed}/${key}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
