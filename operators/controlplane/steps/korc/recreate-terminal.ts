// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { minutes } from '@forge/runtime/environment/duration.ts';
import { identityAddressOf, isKorcFinalizer, korcFinalizerPrefix } from '../../api/names.ts';
import type { ContextWith } from '../../clients/services.ts';
import type { PasswordCloud } from './mint-context.ts';

/** An object with a terminal error of K-ORC is created again after this time. */
export const terminalTimeout = minutes(5);

/**
 * Deletes an object for which K-ORC reports a terminal error, so that the next pass creates it again: for K-ORC, a Keystone
 * that stops during a request is such an error. Only when this process has seen it for five minutes by its monotonic clock,
 * only while Keystone answers, and not if another object guards it: it would be Terminating forever.
 *
 * @returns whether it is due, but `isHeld`.
 */
export async function recreateTerminal(
  kind: Kind,
  live: KubeObject,
  { password, problem }: PasswordCloud,
  {
    object: controlPlane,
    services,
    remove,
    seenFor,
    signal,
  }: Pick<ContextWith, 'object' | 'services' | 'remove' | 'seenFor' | 'signal'>,
  { guards = [], isHeld = false }: { guards?: readonly Kind[]; isHeld?: boolean } = {},
): Promise<boolean> {
  const { uid = '', deletionTimestamp } = live.metadata;
  if (guardsOf(live, [kind, ...guards]).length > 0) return false;
  if (seenFor(`terminal ${uid}`, deletionTimestamp === undefined) < terminalTimeout) return false;
  if (isHeld) return true;
  if (problem !== undefined) return false;
  const login = await services.identity.logIn(identityAddressOf(controlPlane), { password }, signal);
  if (login === 'accepted') await remove(kind, live);
  return false;
}

/** The finalizers by which objects of other kinds than these guard it: if deleted, it would be Terminating forever. */
export function guardsOf({ metadata: { finalizers = [] } }: KubeObject, harmless: readonly Kind[]): string[] {
  const names = harmless.map(({ kind }) => korcFinalizerPrefix + kind.toLowerCase());
  return finalizers.filter((each) => isKorcFinalizer(each) && !names.includes(each));
}
