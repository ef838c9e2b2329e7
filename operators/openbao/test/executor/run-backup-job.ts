// SPDX-License-Identifier: Apache-2.0
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Job, Pod, Secret } from '@forge/kube/kinds/builtin.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import type { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { backupJob } from '../../objects/backup/backup-job.ts';
import { executorImage } from '../real/executor-image.ts';
import type { LiveOpenBao } from '../real/live-openbao.ts';
import { accounts, type StorageServer } from './storage-server.ts';

type BackupSpec = NonNullable<OpenBaoCluster['spec']['backup']>;

/** How a Job ended. */
export interface JobEnd {
  readonly exitCode: number;
  readonly message: string;
  readonly log: string;
}

/** What a Job does otherwise than usual. */
export interface JobOptions {
  readonly account?: keyof typeof accounts;
  readonly target?: Partial<BackupSpec['target']>;
  readonly backup?: Partial<BackupSpec>;
  /** The token of the Secret. Default: one that may read snapshots. */
  readonly token?: string;
}

/** Runs Jobs as the operator makes them, for a cluster that has no schedule. */
export function backupJobs(bao: LiveOpenBao, storage: StorageServer, usual: { token: string }) {
  const { client, kubeconfig } = bao.cluster;
  let count = 0;

  async function secret(name: string, stringData: Record<string, string>): Promise<{ name: string }> {
    const metadata = { name: `${name}-${count}`, namespace: bao.ref.namespace };
    await client.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata, stringData });
    return { name: metadata.name };
  }

  /** Starts a Job; the returned function waits for its end. */
  async function start({ account = 'writer', target, backup, token = usual.token }: JobOptions = {}) {
    count += 1;
    const spec: BackupSpec = {
      schedule: '0 0 1 1 *',
      executorImage,
      preUpgradeSnapshot: false,
      tokenSecretRef: await secret('token', { token }),
      ...backup,
      target: {
        endpoint: storage.endpoint,
        bucket: storage.bucket,
        region: 'us-east-1',
        usePathStyle: true,
        partSize: 5 * 1024 * 1024,
        concurrency: 2,
        credentialsSecretRef: await secret('s3', accounts[account]),
        ...target,
      },
    };
    const name = `backup-${bao.ref.name}-${count}`;
    const job = backupJob(await bao.get(), spec, { name, time: new Date(), replicas: 1 });
    await client.create(Job, { ...job, metadata: { ...job.metadata, namespace: bao.ref.namespace } });
    return async (): Promise<JobEnd> => {
      const labelSelector = `batch.kubernetes.io/job-name=${name}`;
      const { pod, end } = await eventually(`${name} ends`, async () => {
        const { items } = await client.list(Pod, { namespace: bao.ref.namespace, labelSelector });
        const [found] = items;
        const terminated = found?.status?.containerStatuses?.[0]?.state?.terminated;
        return found !== undefined && terminated !== undefined && { pod: found.metadata.name, end: terminated };
      });
      const command = ['-n', bao.ref.namespace, 'logs', pod];
      const { stdout: log } = await promisify(execFile)('kubectl', command, {
        env: { ...process.env, KUBECONFIG: kubeconfig },
      });
      return { exitCode: end.exitCode, message: (end.message ?? '').trim(), log };
    };
  }

  return { start, run: async (options?: JobOptions) => (await start(options))() };
}
