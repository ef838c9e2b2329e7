// SPDX-License-Identifier: Apache-2.0
import { milliseconds } from '@forge/runtime/environment/duration.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { fakeOpenBao } from '../fake-openbao.ts';
import type { Server } from '../server.ts';
import type { Disk } from '../state.ts';
import type { Suite } from './exchange.ts';
import type { Servers } from './run-suite.ts';

/** Fake servers of this version on a virtual clock. */
export function fakeServers(version: string, { servers }: Suite): Servers {
  const clock = virtualClock(Date.now());
  const openbao = fakeOpenBao({ clock, random: seededRandom(1) });
  const addresses = new Map(
    Object.keys(servers).map((name) => [name, { api: `https://${name}.test:8200`, cluster: `${name}.test:8201` }]),
  );
  const disks = new Map<string, Disk>();
  const sealKeys = new Map<string, string>();
  const running = new Map<string, Server>();
  const http = openbao.reachedBy(clock);
  const apiOf = (name: string) => addresses.get(name)?.api ?? '';

  function start(name: string): void {
    const { retryJoin = [], nonVoter = false } = servers[name] ?? {};
    const disk = disks.get(name) ?? {};
    disks.set(name, disk);
    const server = openbao.start({
      api: apiOf(name),
      cluster: addresses.get(name)?.cluster ?? '',
      nodeId: name,
      version,
      clusterName: 'exchanges',
      disk,
      sealKey: sealKeys.get(name) ?? 'k',
      retryJoin: () => retryJoin.map(apiOf),
      nonVoter,
      performanceMultiplier: 1,
    });
    running.set(name, server);
  }

  return {
    addresses,
    now: () => clock.now(),
    sleep: (span) => clock.advance(milliseconds(span)),
    http: {
      // Time passes while a request waits for its answer.
      async send(request) {
        let isDone = false;
        const answer = http.send(request).finally(() => (isDone = true));
        answer.catch(() => undefined);
        await clock.until(() => isDone);
        return await answer;
      },
    },
    async perform({ does, on, sealKey }) {
      if (sealKey !== undefined) sealKeys.set(on, sealKey);
      const server = running.get(on);
      if (does === 'start') start(on);
      else if (does === 'wipe') disks.delete(on);
      else if (server !== undefined) openbao.end(server, does === 'stop' ? 'stopped' : 'killed');
    },
  };
}
