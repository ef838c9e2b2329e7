// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Apt } from './apt.ts';
import { choosePackages } from './choose-packages.ts';
import type { DebianLock, DebianPackage } from './debian-lock.ts';

const recipe = { name: 'cache', packages: ['memcached'] };
const memcached: DebianPackage = { name: 'memcached', version: '1.6.18-1', sha256: 'a' };
const libc: DebianPackage = { name: 'libc6', version: '2.36-9', sha256: 'b' };
const newer: DebianPackage = { name: 'memcached', version: '1.6.18-2', sha256: 'c' };
const lock: DebianLock = {
  roots: { cache: ['libc6', 'memcached'] },
  packages: { memcached: { version: '1.6.18-1', sha256: 'a' }, libc6: { version: '2.36-9', sha256: 'b' } },
};

describe('the choice of Debian packages', () => {
  it('uses the locked ones without querying the archive when all are downloaded', async () => {
    assert.deepEqual(await choose({ lock, downloaded: [memcached, libc], offline: true }), {
      packages: [libc, memcached],
      lines: [],
    });
  });

  it('uses the locked ones when the archive still has the missing ones', async () => {
    assert.deepEqual(await choose({ lock, downloaded: [libc], archive: [memcached] }), {
      packages: [libc, memcached],
      lines: [],
    });
  });

  it('uses the current ones when the archive no longer has the locked ones, and logs one line', async () => {
    const { packages, lines } = await choose({ lock, archive: [libc], current: [libc, newer] });
    assert.deepEqual(packages, [libc, newer]);
    assert.deepEqual(lines, [
      'the archive of bookworm-amd64 no longer has memcached 1.6.18-1: using the current packages of cache',
    ]);
  });

  it('uses the current ones on a distribution without a lock, and logs one line', async () => {
    const { packages, lines } = await choose({ lock: undefined, current: [newer] });
    assert.deepEqual(packages, [newer]);
    assert.deepEqual(lines, ['no locked packages of cache for bookworm-amd64: using the current ones']);
  });
});

interface Situation {
  lock: DebianLock | undefined;
  downloaded?: DebianPackage[];
  archive?: DebianPackage[];
  current?: DebianPackage[];
  offline?: boolean;
}

async function choose(situation: Situation): Promise<{ packages: DebianPackage[]; lines: string[] }> {
  const { downloaded = [], archive = [], current = [], offline = false } = situation;
  const online = <T>(answer: T): Promise<T> =>
    offline ? Promise.reject(new Error('no network')) : Promise.resolve(answer);
  const apt: Apt = {
    fileOf: ({ sha256 }) => sha256,
    fetch: () => Promise.resolve(),
    missing: (packages) => Promise.resolve(packages.filter((each) => !holds(downloaded, each))),
    published: (packages) => online(packages.filter((each) => holds(archive, each))),
    resolve: () => online(current),
  };
  const lines: string[] = [];
  const log = (line: string): void => void lines.push(line);
  const options = { apt, distribution: 'bookworm-amd64', lock: situation.lock, log, progress: () => {} };
  return { packages: await choosePackages(recipe, options), lines };
}

function holds(held: readonly DebianPackage[], { sha256 }: DebianPackage): boolean {
  return held.some((each) => each.sha256 === sha256);
}
