// SPDX-License-Identifier: Apache-2.0
import { Event } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { Condition, KubeObject, ObjectRef } from '@forge/kube/objects/object.ts';
import type { TestCluster } from './test-cluster.ts';

/** What users see of a resource. */
export interface ObservedResource {
  /** `reason: message` of a condition, with a `+` in front when it is True. */
  condition(type: string): Promise<string | undefined>;
  /** Advances the clock until the condition has this text. */
  untilCondition(type: string, text: string): Promise<void>;
  /** Reasons of the Events about resources of its kind, unordered. */
  events(): Promise<string[]>;
}

type Conditioned = KubeObject & { status?: { conditions?: readonly Condition[] } };

/** Reads the resource on every call. */
export function observedResource<T extends Conditioned>(
  kind: Kind<T>,
  ref: ObjectRef,
  { client, clock }: Pick<TestCluster, 'client' | 'clock'>,
): ObservedResource {
  async function condition(type: string): Promise<string | undefined> {
    const found = (await client.get(kind, ref)).status?.conditions?.find((each) => each.type === type);
    return found && `${found.status === 'True' ? '+' : ''}${found.reason}: ${found.message}`;
  }

  return {
    condition,

    async untilCondition(type, text) {
      let found: string | undefined;
      try {
        await clock.until(async () => (found = await condition(type)) === text);
      } catch (error) {
        throw new Error(`${type} is ${found}, not ${text}`, { cause: error });
      }
    },

    async events() {
      const { items } = await client.list(Event, { namespace: ref.namespace });
      return items.filter(({ involvedObject }) => involvedObject.kind === kind.kind).map(({ reason }) => reason ?? '');
    },
  };
}
