// SPDX-License-Identifier: Apache-2.0
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figure } from '../harness/figure.ts';
import { kubeconfigOf } from '../harness/kubeconfig-of.ts';
import { bundleOperator, memoryOf, startOperator, type OperatorName } from '../harness/operator-process.ts';
import { benchCertificates, startServerProcess } from '../harness/server-process.ts';

const rounds = 5;

/** The resources of an operator, and the program that serves them. */
interface Resources {
  readonly operator: OperatorName;
  readonly kind: string;
  readonly program: URL;
  /** The memory in MiB that is allowed with so many of them. */
  readonly goals: readonly { count: number; atMost: number }[];
}

const measured: readonly Resources[] = [
  {
    operator: 'keystone-operator',
    kind: 'Keystones',
    program: new URL('../programs/serve-new-keystones.ts', import.meta.url),
    goals: [
      { count: 100, atMost: 100 },
      { count: 500, atMost: 150 },
    ],
  },
  {
    operator: 'openbao-operator',
    kind: 'OpenBaoClusters',
    program: new URL('../programs/serve-new-openbao-clusters.ts', import.meta.url),
    // 110 MB.
    goals: [{ count: 100, atMost: 104 }],
  },
];

/** Memory of operators, bundled and launched as shipped, once they have reconciled every resource. */
export async function operatorMemory(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const resources of measured.slice(process.env['ONLY_BAO'] ? 1 : 0)) {
    const dir = await mkdtemp(join(tmpdir(), 'forge-bench-'));
    try {
      await bundleOperator(dir, resources.operator);
      for (const { count, atMost } of resources.goals) {
        const what = `memory of an operator with ${count} ${resources.kind}`;
        figures.push({ what, samples: await memoryWith(count, dir, resources), unit: 'MiB', goal: { atMost } });
      }
    } finally {
      await rm(dir, { recursive: true });
    }
  }
  return figures;
}

async function memoryWith(count: number, dir: string, { operator, program }: Resources): Promise<number[]> {
  const { server: tls, client: admin } = benchCertificates();
  const server = await startServerProcess(program, tls);
  try {
    const kubeconfig = join(dir, 'kubeconfig');
    await writeFile(kubeconfig, kubeconfigOf(`https://127.0.0.1:${server.port}`, admin));
    {
      await using _ = await startOperator(dir, kubeconfig, operator);
      server.send({ count });
      await server.next();
    }
    const samples: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      samples.push(await memoryOf(dir, kubeconfig, { operator, resources: count }));
    }
    return samples;
  } finally {
    await server.stop();
  }
}
