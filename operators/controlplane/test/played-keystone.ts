// SPDX-License-Identifier: Apache-2.0
import { saveStatus } from '@forge/cluster/stand-ins/save-status.ts';
import type { StandIn } from '@forge/cluster/stand-ins/stand-in.ts';
import { Keystone } from '@forge/keystone/api/keystone.ts';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { refOf, type ObjectRef } from '@forge/kube/objects/object.ts';
import { watch, type ReconcileContext } from '@forge/runtime/controller/controller.ts';
import { timestamp } from '@forge/runtime/environment/clock.ts';
import { milliseconds, seconds } from '@forge/runtime/environment/duration.ts';

/** The arguments of `keystone-manage bootstrap`. */
type Bootstrap = (keystone: Keystone, password: string) => Promise<unknown>;

/**
 * Plays the keystone operator: every Keystone is ready at once. With `bootstrap` that is called before, and again with every
 * password; without a password the Keystone is not ready.
 */
export function playedKeystoneOperator(bootstrap?: Bootstrap): StandIn {
  return {
    name: 'keystone-operator',
    kinds: [Keystone],
    controllers: [
      {
        name: 'keystone-controller',
        for: Keystone,
        watches: bootstrap === undefined ? [] : [watch(Secret, referrersOf)],
        async reconcile(ref, context) {
          const keystone = context.cache.get(Keystone, ref);
          if (keystone === undefined || keystone.metadata.deletionTimestamp !== undefined) return undefined;
          if (bootstrap !== undefined) {
            const password = passwordOf(keystone, context);
            if (password === undefined) return undefined;
            await bootstrap(keystone, password);
          }
          const { generation = 0 } = keystone.metadata;
          if (keystone.status?.observedGeneration === generation) return undefined;
          const lastTransitionTime = timestamp(context.clock);
          const text = { reason: 'AllReady', message: 'All sub-resources are ready' };
          const ready = { type: 'Ready', status: 'True', ...text, observedGeneration: generation } as const;
          const conditions = [{ ...ready, lastTransitionTime }];
          await saveStatus(
            Keystone,
            keystone,
            { ...keystone.status, observedGeneration: generation, conditions },
            context,
          );
          return undefined;
        },
      },
    ],
    backoff: { base: milliseconds(5), cap: seconds(1000) },
  };
}

const passwordRef = ({ spec }: Keystone) => spec.bootstrap.adminPasswordSecretRef;

function passwordOf(keystone: Keystone, { cache }: Pick<ReconcileContext, 'cache'>): string | undefined {
  const { name, key = 'password' } = passwordRef(keystone);
  const value = cache.get(Secret, { namespace: keystone.metadata.namespace, name })?.data?.[key];
  return value === undefined ? undefined : Buffer.from(value, 'base64').toString();
}

/** The Keystones whose password a Secret holds. */
function referrersOf({ metadata }: Secret, { cache }: Pick<ReconcileContext, 'cache'>): ObjectRef[] {
  return cache
    .list(Keystone, { namespace: metadata.namespace })
    .filter((keystone) => passwordRef(keystone).name === metadata.name)
    .map(refOf);
}
