// SPDX-License-Identifier: Apache-2.0
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figure } from '../harness/figure.ts';
import { load, requestBytes } from '../harness/load.ts';
import { timesByName, rates, ratios, wallTime } from '../harness/measure.ts';
import { configMap } from '../harness/objects.ts';
import { benchCertificates, startServerProcess } from '../harness/server-process.ts';

// Many short rounds: an occasional disk stall affects few of them.
const count = 500;
const rounds = 50;
const warmUps = 10;
const connections = 16;
const configMaps = '/api/v1/namespaces/default/configmaps';

/** Durable creates over HTTPS compared with creates in memory. */
export async function durable(): Promise<Figure[]> {
  const dir = await mkdtemp(join(tmpdir(), 'forge-bench-'));
  const { server: tls, client } = benchCertificates();
  const program = new URL('../programs/serve-forge.ts', import.meta.url);
  const [inMemory, onDisk] = [await startServerProcess(program, tls), await startServerProcess(program, tls, dir)];
  try {
    const [toMemory, toDisk] = [
      await load(inMemory.port, client, connections),
      await load(onDisk.port, client, connections),
    ];
    let serial = 0;
    const create = (): Buffer => requestBytes('POST', configMaps, configMap(`c-${(serial += 1)}`));
    const times = await timesByName(
      wallTime,
      { inMemory: () => toMemory.send(count, create), onDisk: () => toDisk.send(count, create) },
      rounds,
      warmUps,
    );
    toMemory.close();
    toDisk.close();
    return [
      {
        what: `create in memory, over HTTPS on ${connections} connections`,
        samples: rates(count, times.inMemory),
        unit: '/s',
      },
      {
        what: `create on disk, over HTTPS on ${connections} connections`,
        samples: rates(count, times.onDisk),
        unit: '/s',
      },
      {
        what: `create on disk against in memory, ${connections} connections`,
        samples: ratios(times.inMemory, times.onDisk),
        unit: '×',
        goal: { atLeast: 0.75 },
      },
    ];
  } finally {
    await Promise.all([inMemory.stop(), onDisk.stop()]);
    await rm(dir, { recursive: true });
  }
}
