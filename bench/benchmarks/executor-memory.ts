// SPDX-License-Identifier: Apache-2.0
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bundle } from '@forge/cluster/images/bundle.ts';
import type { Figure } from '../harness/figure.ts';
import { snapshotServers, type SnapshotServers } from '../harness/snapshot-servers.ts';

const program = fileURLToPath(new URL('../../operators/openbao/executor/openbao-executor.mjs', import.meta.url));
const reporter = new URL('../programs/report-memory.mjs', import.meta.url).href;
const rounds = 5;
const megabytes = { small: 100, usual: 300, large: 600 };

/** The most memory of the executor, bundled and launched as shipped, for snapshots of several sizes. */
export async function executorMemory(): Promise<Figure[]> {
  const dir = await mkdtemp(join(tmpdir(), 'forge-bench-'));
  try {
    await using servers = await snapshotServers();
    await bundle(program, join(dir, 'packed'));
    const peaks = { small: [] as number[], usual: [] as number[], large: [] as number[] };
    for (let round = 0; round < rounds; round += 1) {
      for (const size of ['small', 'usual', 'large'] as const) {
        servers.megabytes = megabytes[size];
        peaks[size].push(await peakOf(dir, servers));
      }
    }
    const growth = peaks.large.map((large, round) => large / (peaks.small[round] ?? NaN));
    return [
      { what: 'memory of a backup of 100 MB', samples: peaks.small, statistic: 'max', unit: 'MiB' },
      {
        what: 'memory of a backup of 300 MB',
        samples: peaks.usual,
        statistic: 'max',
        unit: 'MiB',
        goal: { atMost: 192 },
      },
      { what: 'memory of a backup of 600 MB, relative to 100 MB', samples: growth, unit: '×', goal: { atMost: 1.1 } },
    ];
  } finally {
    await rm(dir, { recursive: true });
  }
}

/** The most memory of one backup in MiB. */
async function peakOf(dir: string, servers: SnapshotServers): Promise<number> {
  const files = { token: 's.token', 'ca.crt': servers.ca, accessKeyId: 'AKIA', secretAccessKey: 'secret' };
  await mkdir(join(dir, 'files'), { recursive: true });
  for (const [name, content] of Object.entries(files)) await writeFile(join(dir, 'files', name), content);
  const { MALLOC_ARENA_MAX: _, ...plain } = process.env;
  const env = {
    ...plain,
    NODE_OPTIONS: `--import=${reporter}`,
    NODE_COMPILE_CACHE: join(dir, 'compiled'),
    BENCH_HOST: servers.host,
    CLUSTER_NAMESPACE: 'default',
    CLUSTER_NAME: 'openbao',
    CLUSTER_REPLICAS: '1',
    CLUSTER_TLS_SERVER_NAME: servers.serverName,
    BACKUP_AUTH_METHOD: 'token',
    BACKUP_ENDPOINT: servers.endpoint,
    BACKUP_BUCKET: 'snapshots',
    BACKUP_USE_PATH_STYLE: 'true',
    BACKUP_TOKEN_PATH: join(dir, 'files/token'),
    BACKUP_CREDENTIALS_PATH: join(dir, 'files'),
    TLS_CA_PATH: join(dir, 'files/ca.crt'),
  };
  const { stdout } = await promisify(execFile)(process.execPath, [join(dir, 'packed/openbao-executor.mjs')], { env });
  return Number(/^peak (\d+) kB$/m.exec(stdout)?.[1]) / 1024;
}
