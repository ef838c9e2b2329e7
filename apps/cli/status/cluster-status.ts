// SPDX-License-Identifier: Apache-2.0
import { networkPolicyEnforced } from '@forge/cluster/node/node-registration.ts';
import { logsFolder } from '@forge/cluster/node/pods/logs-folder.ts';
import { conditionOf } from '@forge/cluster/objects/with-condition.ts';
import { notEnforced, notEnforcedWithoutNftables, type Unenforced } from '@forge/cluster/support/support.ts';
import { Keystone } from '@forge/keystone/api/keystone.ts';
import { backupNamesOf } from '@forge/keystone/api/names.ts';
import type { Client } from '@forge/kube/client/client.ts';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { Deployment, Job, Node, Pod } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { nodeStatus, operatorStatus, type ComponentStatus } from './component-status.ts';
import { ownStatus, steppedKinds, type ResourceStatus } from './own-status.ts';
import { podStatus, type PodStatus } from './pod-status.ts';
import type { State } from './state.ts';
import { summaryOf, type Summary } from './summary.ts';
import { usedKinds, usedStatus } from './used-status.ts';

/** The copy of a Keystone's keys in a secret store. */
interface BackupStatus {
  namespace: string;
  name: string;
  keystone: string;
  state: State;
  detail: string;
}

/** Everything that `forge status` shows. */
export interface ClusterStatus {
  summary: Summary;
  components: readonly ComponentStatus[];
  nodes: readonly ComponentStatus[];
  pods: readonly PodStatus[];
  resources: readonly ResourceStatus[];
  keyBackups: readonly BackupStatus[];
  notEnforced: readonly Unenforced[];
  logs: readonly { of: string; path: string }[];
}

/** The process, folder and server of the cluster. */
export interface ClusterPlace {
  server: string;
  pid: number;
  /** The stand-ins that run in the same process. */
  standIns: readonly string[];
  logsDir: string;
  forgeLog: string;
  operatorNamespace: string;
}

/** Reads the state of a cluster from its API server. */
export async function clusterStatus(kube: Client, place: ClusterPlace): Promise<ClusterStatus> {
  const { server, pid, standIns, logsDir, forgeLog, operatorNamespace } = place;
  const [nodes, pods, jobs, operators, keystones, pushes, own, used] = await Promise.all([
    list(kube, Node),
    list(kube, Pod),
    list(kube, Job),
    list(kube, Deployment, operatorNamespace),
    list(kube, Keystone),
    list(kube, PushSecret),
    Promise.all(steppedKinds.map(async ({ kind }) => (await list(kube, kind)).map(ownStatus))),
    Promise.all(usedKinds.map(async (kind) => (await list(kube, kind)).map((object) => usedStatus(kind, object)))),
  ]);
  const keyBackups = keystones.flatMap((keystone) => backupsOf(keystone, pushes));
  const isKeyBackup = ({ metadata }: PushSecret) =>
    keyBackups.some(({ namespace, name }) => namespace === metadata.namespace && name === metadata.name);
  const shown = {
    components: [
      { name: 'forge', state: 'ok' as const, detail: `process ${pid}: API server and workload controllers` },
      { name: 'api server', state: 'ok' as const, detail: server },
      ...standIns.map((name) => ({ name, state: 'ok' as const, detail: `stand-in, in process ${pid}` })),
      ...operators.map(operatorStatus),
    ],
    nodes: nodes.map(nodeStatus),
    pods: pods.map((pod) => podStatus(pod, jobs)),
    resources: [
      ...own.flat(),
      ...used.flat(),
      ...pushes.filter((push) => !isKeyBackup(push)).map((push) => usedStatus(PushSecret, push)),
    ],
    keyBackups,
  };
  return {
    summary: summaryOf(shown),
    ...shown,
    notEnforced: [...(nodes.some(lacksNftables) ? notEnforcedWithoutNftables : []), ...notEnforced],
    logs: [
      { of: 'forge', path: forgeLog },
      ...pods.map((pod) => ({ of: `${pod.metadata.namespace}/${pod.metadata.name}`, path: logsFolder(logsDir, pod) })),
    ],
  };
}

function lacksNftables({ status }: Node): boolean {
  return conditionOf(status?.conditions, networkPolicyEnforced)?.status === 'False';
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

function backupsOf(keystone: Keystone, pushes: readonly PushSecret[]): BackupStatus[] {
  const { namespace = '', name: owner } = keystone.metadata;
  const names = backupNamesOf(keystone);
  const own = pushes.filter(({ metadata }) => metadata.namespace === namespace && names.includes(metadata.name));
  return own.map((push) => {
    const { state, conditions } = usedStatus(PushSecret, push);
    const ready = conditions.find(({ type }) => type === 'Ready');
    const detail = ready === undefined ? 'has not been pushed yet' : `${ready.reason}: ${ready.message}`;
    return { namespace, name: push.metadata.name, keystone: owner, state, detail };
  });
}
