// SPDX-License-Identifier: Apache-2.0
import type { Condition, KubeObject } from '@forge/kube/objects/object.ts';

/** An object whose controller reports conditions. */
export interface Child extends KubeObject {
  status?: { conditions?: readonly Pick<Condition, 'type' | 'status' | 'message'>[] };
}

/** What a Keystone reports without counting it for its Ready. */
const informational = ['LoggingHealthy'];

/** Why a child is not ready: its first condition that is not True, Ready last; undefined when it has none. */
export function childProblem({ status }: Child): string | undefined {
  const failing = (status?.conditions ?? []).filter(
    ({ type, status: value, message }) => value !== 'True' && message !== '' && !informational.includes(type),
  );
  const first = failing.find(({ type }) => type !== 'Ready') ?? failing[0];
  return first && `${first.type}: ${first.message}`;
}
