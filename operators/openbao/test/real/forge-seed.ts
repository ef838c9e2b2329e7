// SPDX-License-Identifier: Apache-2.0
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { apiPort } from '../../api/names.ts';
import type { LiveOpenBao } from './live-openbao.ts';

const program = fileURLToPath(new URL('../../../../apps/cli/forge.mjs', import.meta.url));

/** How a command ended, and what it printed. */
export interface Ended {
  readonly code: number;
  readonly output: string;
}

/** Runs `forge seed` for an OpenBaoCluster as somebody outside of Kubernetes does, with this token in a file. */
export async function forgeSeed(bao: LiveOpenBao, token: string, ...args: string[]): Promise<Ended> {
  const { node, kubeconfig, folder } = bao.cluster;
  const { name, namespace } = bao.ref;
  const host = `${bao.names.pod(0)}.${bao.names.headlessService}.${namespace}.svc`;
  const tunnel = createServer((socket) => {
    void node
      .dial(host, apiPort)
      .then((upstream) => pipeline(socket, upstream, socket))
      .catch(() => socket.destroy());
  });
  await once(tunnel.listen(0, '127.0.0.1'), 'listening');
  const tokenFile = join(folder, 'seed-token');
  await writeFile(tokenFile, token, { mode: 0o600 });
  const address = `https://127.0.0.1:${(tunnel.address() as AddressInfo).port}`;
  const named = ['--namespace', namespace, '--openbao-cluster', name];
  const where = ['--kubeconfig', kubeconfig, '--address', address, '--token-file', tokenFile];
  try {
    return await new Promise((resolve) => {
      execFile(process.execPath, [program, 'seed', ...named, ...where, ...args], (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
      );
    });
  } finally {
    tunnel.close();
  }
}
