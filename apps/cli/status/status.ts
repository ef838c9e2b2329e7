// SPDX-License-Identifier: Apache-2.0
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { quoted } from '@forge/cluster/host/quoted.ts';
import { client } from '@forge/kube/client/client.ts';
import { httpsTransport } from '@forge/kube/client/https-transport.ts';
import { readKubeconfig } from '@forge/kube/client/kubeconfig.ts';
import { findForge } from '../data/acquire-data-folder.ts';
import { CliError } from '../terminal/cli-error.ts';
import { operatorNamespace } from '../up/install-operator.ts';
import { clusterStatus, type ClusterStatus } from './cluster-status.ts';

/** The status of the cluster of a data folder; when none is running, throws an error that says how to start it. */
export async function statusOf(dataDir: string, program: string): Promise<ClusterStatus> {
  const dir = resolve(dataDir);
  const running = await findForge(dir);
  if (running === undefined) {
    throw new CliError(`No forge is running on ${dir}. Start it with: ${quoted(program)} up --data ${quoted(dir)}`);
  }
  const file = join(dir, 'kubeconfig');
  const connection = await readKubeconfig([file], (path) => readFile(path, 'utf8')).catch((cause: unknown) => {
    throw new CliError(
      `The forge (process ${running.pid}) on ${dir} is still starting: it has no kubeconfig yet.`,
      undefined,
      {
        cause,
      },
    );
  });
  const transport = httpsTransport({ ...connection });
  try {
    const logsDir = join(dir, 'logs');
    return await clusterStatus(client(transport), {
      server: connection.server,
      pid: running.pid,
      standIns: running.standIns ?? [],
      logsDir,
      forgeLog: join(logsDir, 'forge.log'),
      operatorNamespace,
    });
  } finally {
    await transport.close();
  }
}
