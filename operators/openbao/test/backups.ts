// SPDX-License-Identifier: Apache-2.0
import type { PodBehavior } from '@forge/cluster/fake-node/pod-status.ts';
import { Job, type Pod, Secret } from '@forge/kube/kinds/builtin.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { annotations, componentLabel, components } from '../api/names.ts';
import { OpenBaoCluster } from '../api/openbao-cluster.ts';
import type { BackupSpec } from '../objects/backup/backup-spec.ts';
import { home } from './openbao-fixture.ts';
import { runningCluster } from './running-cluster.ts';
import type { StartedOpenBaoOperator } from './start-openbao-operator.ts';

/** Snapshots every half hour, with a token. */
export const halfHourly: BackupSpec = {
  schedule: '*/30 * * * *',
  executorImage: 'c5c3/openbao-executor:0.1.0',
  tokenSecretRef: { name: 'backup-token' },
  preUpgradeSnapshot: false,
  target: {
    endpoint: 'https://s3.example.com',
    bucket: 'snapshots',
    region: 'us-east-1',
    credentialsSecretRef: { name: 's3' },
    usePathStyle: true,
    partSize: 10_485_760,
    concurrency: 3,
  },
};

/** The Secrets that they need, by name. */
export const backupSecretData = {
  'backup-token': { token: 's.backup' },
  s3: { accessKeyId: 'id', secretAccessKey: 'hidden' },
} as const;

/** How the pods of Jobs end; by default they store a snapshot in four seconds. */
export interface PlayedExecutor {
  behavior: (pod: Pod) => PodBehavior;
}

const keyOf = (pod: Pod) => pod.spec?.containers[0]?.env?.find(({ name }) => name === 'BACKUP_KEY')?.value ?? '';

/** A pod that has stored its snapshot after this time. */
export const storesAfter =
  (after = seconds(4)) =>
  (pod: Pod): PodBehavior => {
    const message = JSON.stringify({ key: keyOf(pod), bytes: 41_000, seconds: 1.25, deleted: 2 });
    return { exit: { code: 0, after, message } };
  };

type Options = Parameters<typeof runningCluster>[0];

/** The operator, an available cluster with snapshots, and the executor that makes them. */
export async function clusterWithBackups(
  options: Options,
  backup: Partial<BackupSpec> = {},
): Promise<StartedOpenBaoOperator & { readonly executor: PlayedExecutor }> {
  const executor: PlayedExecutor = { behavior: storesAfter() };
  const behavior = (pod: Pod) =>
    pod.metadata.labels?.[componentLabel] === components.backup ? executor.behavior(pod) : undefined;
  const operator = await runningCluster(
    { behavior, ...options },
    { replicas: 1, backup: { ...halfHourly, ...backup } },
  );
  return { ...operator, executor };
}

/** Stores one of the Secrets. */
export async function storeSecret(
  name: keyof typeof backupSecretData,
  { cluster: { client } }: Pick<StartedOpenBaoOperator, 'cluster'>,
): Promise<void> {
  const stringData = backupSecretData[name];
  await client.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata: { ...home, name }, stringData });
}

/** The same, with the Secrets. */
export async function readyForBackups(
  ...args: Parameters<typeof clusterWithBackups>
): ReturnType<typeof clusterWithBackups> {
  await using stack = new AsyncDisposableStack();
  const operator = stack.use(await clusterWithBackups(...args));
  await storeSecret('backup-token', operator);
  await storeSecret('s3', operator);
  await operator.cluster.clock.advance(seconds(1));
  stack.move();
  return operator;
}

/** Sets the annotation that asks for a snapshot. */
export async function trigger(value: string, { cluster: { client } }: StartedOpenBaoOperator): Promise<void> {
  await client.patch(OpenBaoCluster, home, 'merge', {
    metadata: { annotations: { [annotations.triggerBackup]: value } },
  });
}

/** The names of the Jobs, in order. */
export async function jobsOf({ cluster: { client } }: StartedOpenBaoOperator): Promise<string[]> {
  const { items } = await client.list(Job, { namespace: home.namespace });
  return items.map(({ metadata }) => metadata.name).toSorted();
}
