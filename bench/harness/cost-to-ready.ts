// SPDX-License-Identifier: Apache-2.0
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { kubeconfigOf } from './kubeconfig-of.ts';
import { bundleOperator, startOperator } from './operator-process.ts';
import { benchCertificates, startServerProcess } from './server-process.ts';

/** The parameters of a measurement. */
interface Creation {
  operator: Parameters<typeof bundleOperator>[1];
  /** Serves the API, creates as many resources as a message requests, and responds when all are ready. */
  program: URL;
  /** How many resources are created at the same time. */
  created: number;
  rounds: number;
}

/**
 * CPU seconds of an operator per new resource, by round; bundled and launched as shipped. The first round is a warm-up.
 */
export async function costToReady({ operator: name, program, created, rounds }: Creation): Promise<number[]> {
  const dir = await mkdtemp(join(tmpdir(), 'forge-bench-'));
  const { server: tls, client: admin } = benchCertificates();
  const server = await startServerProcess(program, tls);
  try {
    await bundleOperator(dir, name);
    const kubeconfig = join(dir, 'kubeconfig');
    await writeFile(kubeconfig, kubeconfigOf(`https://127.0.0.1:${server.port}`, admin));
    await using operator = await startOperator(dir, kubeconfig, name);
    const samples: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      await setTimeout(500);
      const before = await operator.metric('process_cpu_seconds_total');
      server.send({ count: created });
      await server.next();
      samples.push(((await operator.metric('process_cpu_seconds_total')) - before) / created);
    }
    return samples.slice(1);
  } finally {
    await server.stop();
    await rm(dir, { recursive: true });
  }
}
