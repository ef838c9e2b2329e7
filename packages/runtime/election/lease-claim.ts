// SPDX-License-Identifier: Apache-2.0
import type { Lease } from '@forge/kube/kinds/builtin.ts';
import type { Clock } from '../environment/clock.ts';
import type { Duration } from '../environment/duration.ts';

/** The Lease acquired or renewed by us, based on the existing one. */
export function claim(
  former: Lease | undefined,
  by: { lease: { namespace: string; name: string }; identity: string; duration: Duration; clock: Clock },
): Lease {
  const time = microTime(by.clock);
  const spec = former?.spec;
  const isRenewal = spec?.holderIdentity === by.identity;
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { ...by.lease, ...former?.metadata },
    spec: {
      holderIdentity: by.identity,
      leaseDurationSeconds: by.duration / 1000,
      acquireTime: (isRenewal ? spec.acquireTime : undefined) ?? time,
      renewTime: time,
      leaseTransitions: (spec?.leaseTransitions ?? 0) + (isRenewal || former === undefined ? 0 : 1),
    },
  };
}

/** The Lease without a holder. */
export function released(held: Lease, clock: Clock): Lease {
  return {
    ...held,
    spec: { ...held.spec, holderIdentity: '', leaseDurationSeconds: 1, renewTime: microTime(clock) },
  };
}

/** The clock's time as Leases write it. */
function microTime(clock: Clock): string {
  return new Date(clock.now()).toISOString().replace('Z', '000Z');
}
