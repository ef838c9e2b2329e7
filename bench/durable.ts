// SPDX-License-Identifier: Apache-2.0
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiServer } from '@forge/apiserver/api-server.ts';
import { durableStorage } from '@forge/apiserver/durable-storage.ts';
import { benchServer } from './bench-server.ts';
import type { Figure } from './figure.ts';
import { concurrently, inTurns, median, medianRatio, wallTime } from './measure.ts';
import { configMap } from './objects.ts';

// Short turns and many of them: a disk that stalls now and then spoils few.
const count = 1500;
const rounds = 25;
const callers = 128;

/** Creates that survive a crash before they are answered, against those that do not; bytes in and bytes out, as over a wire. */
export async function durable(): Promise<Figure[]> {
  const dir = await mkdtemp(join(tmpdir(), 'forge-bench-'));
  const { server: inMemory } = await benchServer();
  const { server: onDisk } = await benchServer({ storage: await durableStorage(dir) });
  let serial = 0;
  const creates = (server: ApiServer) => () => concurrently(count, callers, () => create(server, `c-${(serial += 1)}`));
  const times = await inTurns(wallTime, { inMemory: creates(inMemory), onDisk: creates(onDisk) }, rounds);
  await Promise.all([inMemory.close(), onDisk.close()]);
  await rm(dir, { recursive: true });
  return [
    { what: `create in memory, ${callers} callers`, value: rate(median(times.inMemory)), unit: '/s' },
    { what: `create on disk, ${callers} callers`, value: rate(median(times.onDisk)), unit: '/s' },
    {
      what: 'on disk against in memory',
      value: medianRatio(times.inMemory, times.onDisk),
      unit: '×',
      goal: { atLeast: 0.75 },
    },
  ];
}

async function create(server: ApiServer, name: string): Promise<void> {
  const response = await server.handle({
    method: 'POST',
    path: '/api/v1/namespaces/default/configmaps',
    query: {},
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(configMap(name))),
    user: { name: 'bench', groups: ['system:masters'] },
  });
  if (response.status !== 201 || !('payload' in response) || response.payload.bytes.length === 0) {
    throw new Error(`${name} was not created: ${JSON.stringify(response)}`);
  }
}

function rate(time: number): number {
  return (count / time) * 1000;
}
