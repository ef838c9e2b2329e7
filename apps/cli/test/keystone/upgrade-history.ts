// SPDX-License-Identifier: Apache-2.0
import { Keystone } from '@forge/keystone/api/keystone.ts';
import { Event } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import type { LiveKeystone } from './live-keystone.ts';
import type { LocalKeystones } from './local-keystones.ts';

/** The phases of an upgrade and its Events, in order. */
export interface UpgradeHistory {
  phases: string[];
  events: string[];
}

const upgradeReason = /^(Upgrade(Initiated|Aborted|Complete)|(Expand|Migrate|DeploymentRollout)Complete)$/;

/** Records what a Keystone reports about its upgrade while an action runs. */
export async function upgradeDuring(
  { client }: LocalKeystones,
  { ref }: LiveKeystone,
  action: () => Promise<unknown>,
): Promise<UpgradeHistory> {
  const history: UpgradeHistory = { phases: [], events: [] };
  const stopped = new AbortController();
  const { namespace, name } = ref;

  /** Records every change from when it resolves; the watch ends with the signal. */
  async function follow<T extends KubeObject>(kind: Kind<T>, record: (object: T) => void) {
    const { resourceVersion } = await client.list(kind, { namespace });
    return { ended: Promise.allSettled([watch(kind, resourceVersion, record)]) };
  }

  async function watch<T extends KubeObject>(kind: Kind<T>, resourceVersion: string, record: (object: T) => void) {
    const changes = client.watch(kind, { namespace, resourceVersion, signal: stopped.signal });
    try {
      for await (const { object } of changes) record(object);
    } catch (error) {
      if (!stopped.signal.aborted) throw error;
    }
  }

  const following = await Promise.all([
    follow(Keystone, ({ metadata, status }) => {
      const phase = metadata.name === name ? status?.upgradePhase : undefined;
      if (phase !== undefined && history.phases.at(-1) !== phase) history.phases.push(phase);
    }),
    follow(Event, ({ involvedObject, reason = '' }) => {
      if (involvedObject.name === name && upgradeReason.test(reason)) history.events.push(reason);
    }),
  ]);
  try {
    await action();
    await eventually('the upgrade has ended', () => /Aborted|UpgradeComplete/.test(history.events.at(-1) ?? ''), {
      observed: () => history,
    });
  } finally {
    stopped.abort();
  }
  for (const { ended } of following) {
    const [result] = await ended;
    if (result.status === 'rejected') throw result.reason;
  }
  return history;
}
