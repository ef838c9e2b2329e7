// SPDX-License-Identifier: Apache-2.0
import { rotationContract } from '@forge/controlplane/contract.ts';
import { CredentialRotation } from '@forge/controlplane/credential-rotation.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { Condition, KubeObject } from '@forge/kube/objects/object.ts';
import { ClusterSecretStore, ExternalSecret } from '@forge/kube/third-party/external-secrets.ts';
import {
  ApplicationCredential,
  Domain,
  Endpoint,
  Service,
  User as IdentityUser,
} from '@forge/kube/third-party/korc.ts';
import { Database, Grant, MariaDB, User } from '@forge/kube/third-party/mariadb.ts';
import { Memcached } from '@forge/kube/third-party/memcached.ts';
import { conditionStatuses, type ConditionStatus } from './condition-status.ts';
import type { ResourceStatus } from './own-status.ts';
import { ownUnmetState, worstOf } from './state.ts';

/** Kinds without steps of ours that ControlPlanes and Keystones use; PushSecrets are listed apart. */
export const usedKinds: readonly Kind[] = [
  MariaDB,
  Database,
  User,
  Grant,
  Memcached,
  ClusterSecretStore,
  ExternalSecret,
  Domain,
  IdentityUser,
  ApplicationCredential,
  Service,
  Endpoint,
  CredentialRotation,
];

/** The state of such a resource. K-ORC says Available where others say Ready. */
export function usedStatus({ kind }: Kind, object: KubeObject): ResourceStatus {
  const { metadata, status } = object as KubeObject & { status?: { conditions?: readonly Condition[] } };
  const reported = conditionStatuses(status?.conditions ?? []);
  const conditions = kind === CredentialRotation.kind ? reported.map(ofRotation) : reported;
  const ready = conditions.find(({ type }) => type === 'Ready' || type === 'Available');
  const { namespace = '', name } = metadata;
  const terminating = metadata.deletionTimestamp !== undefined;
  const isSettled = ready?.state === 'ok' && !terminating;
  return {
    kind,
    namespace,
    name,
    state: isSettled ? 'ok' : worstOf(['waiting', ...conditions.map(({ state }) => state)]),
    terminating,
    ready: ready?.status ?? 'Unknown',
    message: ready?.message ?? '',
    conditions,
  };
}

/** Its operator is ours, and says what merely waits. */
function ofRotation(condition: ConditionStatus): ConditionStatus {
  if (condition.state === 'ok') return condition;
  const { type, reason } = condition;
  return { ...condition, state: ownUnmetState({ type, reason }, rotationContract.conditions) };
}
