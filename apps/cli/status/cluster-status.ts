// SPDX-License-Identifier: Apache-2.0
import { logsFolder } from '@forge/cluster/node/pods/logs-folder.ts';
import { notEnforced, type Unenforced } from '@forge/cluster/support/support.ts';
import { ControlPlane } from '@forge/controlplane/control-plane.ts';
import { CredentialRotation } from '@forge/controlplane/credential-rotation.ts';
import { Keystone } from '@forge/keystone/keystone.ts';
import { backupNamesOf } from '@forge/keystone/names.ts';
import type { Client } from '@forge/kube/client/client.ts';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { Deployment, Node, Pod } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { Condition, KubeObject } from '@forge/kube/objects/object.ts';
import { ClusterSecretStore, ExternalSecret, PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import {
  ApplicationCredential,
  Domain,
  Endpoint,
  Service,
  User as IdentityUser,
} from '@forge/kube/third-party/korc.ts';
import { Database, Grant, MariaDB, User } from '@forge/kube/third-party/mariadb.ts';
import { Memcached } from '@forge/kube/third-party/memcached.ts';
import { conditionStatuses } from './condition-status.ts';
import { ownStatus, type ResourceStatus } from './own-status.ts';
import { podStatus, type PodStatus } from './pod-status.ts';

/** A part of the cluster, or a node: whether it works, and if not, why. */
export interface ComponentStatus {
  name: string;
  ok: boolean;
  detail: string;
}

/** The copy of a Keystone's keys in a secret store. */
interface BackupStatus {
  namespace: string;
  name: string;
  keystone: string;
  ok: boolean;
  detail: string;
}

/** Everything that `forge status` shows of the cluster. */
export interface ClusterStatus {
  components: readonly ComponentStatus[];
  nodes: readonly ComponentStatus[];
  pods: readonly PodStatus[];
  resources: readonly ResourceStatus[];
  keyBackups: readonly BackupStatus[];
  notEnforced: readonly Unenforced[];
  logs: readonly { of: string; path: string }[];
}

/** Where the cluster is. */
export interface ClusterPlace {
  server: string;
  pid: number;
  /** The stand-ins that run in the same process. */
  standIns: readonly string[];
  logsDir: string;
  forgeLog: string;
  operatorNamespace: string;
}

/** Kinds without steps of ours that ControlPlanes and Keystones use; backups of keys are listed apart. */
const usedKinds: readonly Kind[] = [
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

/** Reads the state of a cluster from its API server. */
export async function clusterStatus(kube: Client, place: ClusterPlace): Promise<ClusterStatus> {
  const { server, pid, standIns, logsDir, forgeLog, operatorNamespace } = place;
  const [nodes, pods, operators, controlPlanes, keystones, pushes, used] = await Promise.all([
    list(kube, Node),
    list(kube, Pod),
    list(kube, Deployment, operatorNamespace),
    list(kube, ControlPlane),
    list(kube, Keystone),
    list(kube, PushSecret),
    Promise.all(usedKinds.map(async (kind) => (await list(kube, kind)).map((object) => usedStatus(kind, object)))),
  ]);
  const keyBackups = keystones.flatMap((keystone) => backupsOf(keystone, pushes));
  const isKeyBackup = ({ metadata }: PushSecret) =>
    keyBackups.some(({ namespace, name }) => namespace === metadata.namespace && name === metadata.name);
  return {
    components: [
      { name: 'forge', ok: true, detail: `process ${pid}: API server and workload controllers` },
      { name: 'api server', ok: true, detail: server },
      ...standIns.map((name) => ({ name, ok: true, detail: `stand-in, in process ${pid}` })),
      ...operators.map(operatorStatus),
    ],
    nodes: nodes.map(nodeStatus),
    pods: pods.map(podStatus),
    resources: [
      ...[...controlPlanes, ...keystones].map(ownStatus),
      ...used.flat(),
      ...pushes.filter((push) => !isKeyBackup(push)).map((push) => usedStatus(PushSecret, push)),
    ],
    keyBackups,
    notEnforced,
    logs: [
      { of: 'forge', path: forgeLog },
      ...pods.map((pod) => ({ of: `${pod.metadata.namespace}/${pod.metadata.name}`, path: logsFolder(logsDir, pod) })),
    ],
  };
}

/** The objects of a kind; none when the kind is not installed. */
async function list<T extends KubeObject>(kube: Client, kind: Kind<T>, namespace?: string): Promise<T[]> {
  try {
    return (await kube.list(kind, namespace === undefined ? {} : { namespace })).items;
  } catch (error) {
    if (isApiError(error, 'NotFound')) return [];
    throw error;
  }
}

function operatorStatus({ metadata, spec, status }: Deployment): ComponentStatus {
  const [ready, wanted] = [status?.readyReplicas ?? 0, spec?.replicas ?? 1];
  const image = spec?.template.spec?.containers[0]?.image ?? '';
  return { name: metadata.name, ok: ready >= wanted, detail: `${ready} of ${wanted} pods ready, image ${image}` };
}

function nodeStatus({ metadata, status }: Node): ComponentStatus {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return { name: metadata.name, ok: ready?.status === 'True', detail: ready?.message ?? 'has not reported yet' };
}

/** K-ORC says Available where others say Ready. */
function usedStatus({ kind }: Kind, object: KubeObject): ResourceStatus {
  const { metadata, status } = object as KubeObject & { status?: { conditions?: readonly Condition[] } };
  const conditions = conditionStatuses(status?.conditions ?? []);
  const ready = conditions.find(({ type }) => type === 'Ready' || type === 'Available');
  const { namespace = '', name } = metadata;
  return { kind, namespace, name, ready: ready?.status ?? 'Unknown', message: ready?.message ?? '', conditions };
}

function backupsOf(keystone: Keystone, pushes: readonly PushSecret[]): BackupStatus[] {
  const { namespace = '', name: owner } = keystone.metadata;
  const names = backupNamesOf(keystone);
  const own = pushes.filter(({ metadata }) => metadata.namespace === namespace && names.includes(metadata.name));
  return own.map(({ metadata, status }) => {
    const ready = readyOf((status?.conditions ?? []) as readonly Condition[]);
    const detail = ready === undefined ? 'has not been pushed yet' : `${ready.reason}: ${ready.message}`;
    return { namespace, name: metadata.name, keystone: owner, ok: ready?.status === 'True', detail };
  });
}

function readyOf(conditions: readonly Condition[]): Condition | undefined {
  return conditions.find(({ type }) => type === 'Ready');
}
