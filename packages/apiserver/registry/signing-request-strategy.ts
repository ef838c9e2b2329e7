// SPDX-License-Identifier: Apache-2.0
import type { CertificateSigningRequestCondition } from '@forge/kube/generated/types.ts';
import type { CertificateSigningRequest } from '@forge/kube/kinds/builtin.ts';
import { timestamp } from '@forge/runtime/time/clock.ts';
import type { User } from '../request/server-request.ts';
import type { Strategy } from '../resources/resource.ts';
import { validateSigningRequest } from '../validation/kinds/signing-request-rules.ts';

/** The strategy of certificate signing requests: the spec records the requester and never changes. */
export const signingRequestStrategy: Strategy<CertificateSigningRequest> = {
  prepareForCreate(object, _, user) {
    const { request, signerName, usages, expirationSeconds } = object.spec;
    const requested = {
      request,
      signerName,
      ...(usages !== undefined && { usages }),
      ...(expirationSeconds !== undefined && { expirationSeconds }),
    };
    return { ...object, spec: { ...requested, ...requester(user) }, status: {} };
  },
  prepareForUpdate: (object, before) => ({ ...object, spec: before.spec }),
  prepareForStatusUpdate(object, before, { clock }) {
    const { conditions } = object.status ?? {};
    if (conditions === undefined) return object;
    const dated = conditions.map((condition) => withTimes(condition, before.status?.conditions, timestamp(clock)));
    return { ...object, status: { ...object.status, conditions: dated } };
  },
  validate: validateSigningRequest,
  skipsManagedFields: true,
  selectableFields: ['spec.signerName'],
};

/** The requester as authenticated. */
function requester({ name, uid, groups, extra }: User): Partial<CertificateSigningRequest['spec']> {
  return {
    username: name,
    ...(uid !== undefined && uid !== '' && { uid }),
    ...(groups.length > 0 && { groups: [...groups] }),
    ...(extra !== undefined && Object.keys(extra).length > 0 && { extra: extra as Record<string, string[]> }),
  };
}

/** A condition with its times set. */
function withTimes(
  condition: CertificateSigningRequestCondition,
  before: readonly CertificateSigningRequestCondition[] = [],
  now: string,
): CertificateSigningRequestCondition {
  const old = before.find(({ type }) => type === condition.type);
  const since = old?.status === condition.status ? (old.lastTransitionTime ?? now) : now;
  return {
    ...condition,
    lastUpdateTime: condition.lastUpdateTime ?? now,
    lastTransitionTime: condition.lastTransitionTime ?? since,
  };
}
