// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import type { ObjectRef } from '@forge/kube/objects/object.ts';
import { timestamp } from '@forge/runtime/environment/clock.ts';
import type { StepControl } from '@forge/simulation/scenario/scenario.ts';
import { playCronJob } from '@forge/simulation/world/play-cron-job.ts';

const completedAt = 'forge.c5c3.io/rotation-completed-at';

/** Keystone keeps three credential keys, whatever the spec says. */
const fewestKeys = 3;

/** Keys by their index: the highest is primary, 0 becomes primary next. */
type Keys = Readonly<Record<string, string>>;

/** Does what one run of the rotation CronJob does: rotates a copy of the keys and patches the staging Secret. */
export async function playRotation(
  control: StepControl,
  keystone: ObjectRef,
  kind: 'fernet' | 'credential',
): Promise<void> {
  const cronJob = { namespace: keystone.namespace, name: `${keystone.name}-${kind}-rotate` };
  await playCronJob(control, cronJob, async ({ client, clock, variables, mounted }) => {
    const most = Number(variables[kind === 'fernet' ? 'OS_FERNET_TOKENS__MAX_ACTIVE_KEYS' : ''] ?? fewestKeys);
    const keys = rotated(mounted(`${kind}-keys-src`), most);
    const staging = { namespace: variables['SECRET_NAMESPACE'], name: variables['SECRET_NAME'] ?? '' };
    const stale = Object.keys((await client.get(Secret, staging)).data ?? {}).filter((index) => !(index in keys));
    const data = Object.fromEntries([
      ...stale.map((index) => [index, null] as const),
      ...Object.entries(keys).map(([index, key]) => [index, Buffer.from(key).toString('base64')] as const),
    ]);
    const metadata = { annotations: { [completedAt]: timestamp(clock) } };
    await client.patch(Secret, staging, 'strategic', { metadata, data });
  });
}

/** What `keystone-manage` makes of the keys; the new key follows from the others, so that every run has the same. */
export function rotated(keys: Keys, most: number): Keys {
  const { 0: next = '', ...older } = keys;
  const primary = Math.max(0, ...Object.keys(older).map(Number)) + 1;
  const kept = Object.entries(older)
    .toSorted(([a], [b]) => Number(b) - Number(a))
    .slice(0, Math.max(0, most - 2));
  const fresh = createHash('sha256').update(JSON.stringify(keys)).digest('base64url');
  return { ...Object.fromEntries(kept), [primary]: next, 0: `${fresh}=` };
}
