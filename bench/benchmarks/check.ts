// SPDX-License-Identifier: Apache-2.0
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { imageCacheDir } from '@forge/cli/up/images.ts';
import { type AssembledImage, imageStore } from '@forge/cluster/images/image-store.ts';
import { missingRequirements } from '@forge/cluster/node/requirements.ts';
import { type Figure, skipped } from '../harness/figure.ts';
import { median } from '../harness/measure.ts';
import type { ByHand } from '../programs/keystone-by-hand.ts';

const run = promisify(execFile);
const rounds = 5;
/** The initial delay of the readiness probe of the Keystone API, in seconds. */
const probeDelay = 5;
const references = {
  mariadb: 'mariadb:10.11',
  memcached: 'memcached:1.6',
  openbao: 'openbao/openbao:2.7.2',
  keystone: 'c5c3/keystone:2025.2',
};

/**
 * `forge up --only keystone --check`, compared with the same programs run by hand in the same images, plus the minimum
 * delays of probes.
 */
export async function check(): Promise<Figure[]> {
  const [missing] = await missingRequirements();
  if (missing !== undefined) return skipped(missing.what);
  const store = imageStore({ cacheDir: imageCacheDir(), log: console.error });
  const { root: tools } = await store.ensure('forge/tools');
  const images = {} as Record<keyof typeof references, AssembledImage>;
  for (const name of Object.keys(references) as (keyof typeof references)[]) {
    images[name] = await store.ensure(references[name]);
  }
  // The first run bundles the operator and fills compile caches.
  await timeOfCheck();
  const [hand, checked] = [[] as number[], [] as number[]];
  for (let round = 0; round < rounds; round += 1) {
    hand.push(await timeByHand({ tools, images }));
    checked.push(await timeOfCheck());
  }
  return [
    {
      what: 'npm start -- --only keystone --check, against the same commands by hand',
      samples: checked.map((time, round) => time / ((hand[round] ?? NaN) + probeDelay)),
      unit: '×',
      goal: { atMost: 1.5 },
      ratio: `${median(checked).toFixed(1)} s to ${median(hand).toFixed(1)} + ${probeDelay} s`,
    },
  ];
}

async function timeOfCheck(): Promise<number> {
  const start = performance.now();
  const forge = fileURLToPath(new URL('../../apps/cli/forge.mjs', import.meta.url));
  await run(process.execPath, [forge, 'up', '--only=keystone', '--check'], { maxBuffer: 64 * 1024 * 1024 });
  return (performance.now() - start) / 1000;
}

async function timeByHand(options: Omit<ByHand, 'folder'>): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'forge-by-hand-'));
  try {
    const program = fileURLToPath(new URL('../programs/keystone-by-hand.ts', import.meta.url));
    const namespaces = ['--user', '--map-root-user', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'];
    const script = 'ip link set lo up && exec "$@"';
    const command = [process.execPath, program, JSON.stringify({ folder, ...options })];
    const { stdout } = await run('unshare', [...namespaces, 'sh', '-c', script, 'sh', ...command]);
    return (JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { total: number }).total;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
