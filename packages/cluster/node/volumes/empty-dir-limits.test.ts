// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { eventually } from '../test/test-kubelet.ts';
import { exceededLimit } from './empty-dir-limits.ts';

describe('measuring emptyDir volumes', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forge-scratch-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  test('continues when files are removed during the measurement', async () => {
    await writeFile(join(folder, 'a'), Buffer.alloc(2 * 1024 * 1024, 1));
    const clock = virtualClock();
    const { signal } = new AbortController();
    let measured = 0;
    const sourceOf = () => ((measured += 1) === 1 ? join(folder, 'removed') : folder);
    let message: string | undefined;
    void exceededLimit([{ name: 'scratch', emptyDir: { sizeLimit: '1Mi' } }], sourceOf, { clock, signal }).then(
      (exceeded) => (message = exceeded),
    );
    await eventually('the limit is exceeded', async () => {
      await clock.advance(seconds(10));
      return message !== undefined;
    });
    assert.deepEqual([measured, message], [2, 'Usage of EmptyDir volume "scratch" exceeds the limit "1Mi". ']);
  });

  test('looks at all of them, also after one that is within its limit', async () => {
    await mkdir(join(folder, 'small'));
    await mkdir(join(folder, 'large'));
    await writeFile(join(folder, 'large/a'), Buffer.alloc(2 * 1024 * 1024, 1));
    const clock = virtualClock();
    const volumes = ['small', 'large'].map((name) => ({ name, emptyDir: { sizeLimit: '1Mi' } }));
    const { signal } = new AbortController();
    const exceeded = exceededLimit(volumes, (name) => join(folder, name), { clock, signal });
    await clock.advance(seconds(10));
    assert.match((await exceeded) ?? '', /^Usage of EmptyDir volume "large" exceeds/);
  });
});
