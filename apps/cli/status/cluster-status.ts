// SPDX-License-Identifier: Apache-2.0
import { logsFolder } from '@forge/cluster/node/pods/logs-folder.ts';
import { notEnforced, type Unenforced } from '@forge/cluster/support/support.ts';
import { Keystone } from '@forge/keystone/keystone.ts';
import { backupNamesOf } from '@forge/keystone/names.ts';
import { keystoneSteps } from '@forge/keystone/reconcile.ts';
import type { Client } from '@forge/kube/client/client.ts';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { Deployment, Node, Pod } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { Condition, KubeObject } from '@forge/kube/objects/object.ts';
import { PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { podStatus, type PodStatus } from './pod-status.ts';
import { unmetConditions, type UnmetCondition } from './unmet-conditions.ts';

/** A part of the cluster, or a node: whether it works, and if not, why. */
export interface ComponentStatus {
  name: string;
  ok: boolean;
  detail: string;
}

/** A resource of our kinds. */
export interface ResourceStatus {
  kind: string;
  namespace: string;
  name: string;
  ready: string;
  message: string;
  /** The conditions that are not as desired. */
  unmet: readonly UnmetCondition[];
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
  logsDir: string;
  forgeLog: string;
  operatorNamespace: string;
}

/** Reads the state of a cluster from its API server. */
export async function clusterStatus(kube: Client, place: ClusterPlace): Promise<ClusterStatus> {
  const { server, pid, logsDir, forgeLog, operatorNamespace } = place;
  const [nodes, pods, operators, keystones, pushes] = await Promise.all([
    list(kube, Node),
    list(kube, Pod),
    list(kube, Deployment, operatorNamespace),
    list(kube, Keystone),
    list(kube, PushSecret),
  ]);
  return {
    components: [
      { name: 'forge', ok: true, detail: `process ${pid}: API server and workload controllers` },
      { name: 'api server', ok: true, detail: server },
      ...operators.map(operatorStatus),
    ],
    nodes: nodes.map(nodeStatus),
    pods: pods.map(podStatus),
    resources: keystones.map(keystoneStatus),
    keyBackups: keystones.flatMap((keystone) => backupsOf(keystone, pushes)),
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

function keystoneStatus({ kind, metadata, status }: Keystone): ResourceStatus {
  const conditions = status?.conditions ?? [];
  const ready = readyOf(conditions);
  const unmet = unmetConditions(keystoneSteps, conditions);
  const { namespace = '', name } = metadata;
  return { kind, namespace, name, ready: ready?.status ?? 'Unknown', message: ready?.message ?? '', unmet };
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
