// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import type { StepContext } from '@forge/runtime/steps/step-context.ts';
import { minutes } from '@forge/runtime/time/duration.ts';
import type { ControlPlane } from '../../control-plane.ts';
import { identityAddressOf, isKorcFinalizer, korcFinalizerPrefix } from '../../names.ts';
import type { Services } from '../../step.ts';

/** What K-ORC gave up on is created again after this time. */
const terminalTimeout = minutes(5);

/**
 * Deletes an object that K-ORC has given up on, so that the next pass creates it again: a Keystone that dies during a request is
 * final for K-ORC. Only when this process has seen that for five minutes, whatever its clock shows, only while Keystone answers,
 * and not where another object guards it: it would be Terminating for ever.
 */
export async function recreateTerminal(
  kind: Kind,
  live: KubeObject,
  password: SecretValue,
  {
    object: controlPlane,
    services,
    remove,
    seenFor,
    signal,
  }: Pick<StepContext<ControlPlane, Services, unknown>, 'object' | 'services' | 'remove' | 'seenFor' | 'signal'>,
  guards: readonly Kind[] = [],
): Promise<void> {
  const { uid = '', deletionTimestamp } = live.metadata;
  if (isGuarded(live, [kind, ...guards])) return;
  if (seenFor(`terminal ${uid}`, deletionTimestamp === undefined) < terminalTimeout) return;
  const login = await services.identity.logIn(identityAddressOf(controlPlane), { password }, signal);
  if (login === 'accepted') await remove(kind, live);
}

/** Whether an object of another kind than these guards it: deleted, it would be Terminating for ever. */
export function isGuarded({ metadata: { finalizers = [] } }: KubeObject, harmless: readonly Kind[]): boolean {
  const names = harmless.map(({ kind }) => korcFinalizerPrefix + kind.toLowerCase());
  return finalizers.some((each) => isKorcFinalizer(each) && !names.includes(each));
}
