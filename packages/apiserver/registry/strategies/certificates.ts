// SPDX-License-Identifier: Apache-2.0
import type { CertificateSigningRequestCondition } from '@forge/kube/generated/types.ts';
import type { CertificateSigningRequest } from '@forge/kube/kinds/builtin.ts';
import { timestamp } from '@forge/runtime/environment/clock.ts';
import type { User } from '../../messages/server-request.ts';
import type { Strategy } from '../../resources/resource.ts';
import { validateSigningRequest } from '../../validation/kinds/certificates.ts';
import { strategy } from './strategy.ts';

/** The strategy of certificate signing requests: the spec records the requester and never changes. */
const signingRequestStrategy: Strategy<CertificateSigningRequest> = {
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
  prepareForStatusUpdate(object, before, { clock }, subresource) {
    const { conditions } = object.status ?? {};
    if (conditions === undefined) return object;
    const { conditions: old } = before.status ?? {};
    const kept = subresource === 'status' ? withDecisionsOf(old, conditions) : conditions;
    const timestamped = kept.map((condition) => withTimes(condition, old, timestamp(clock)));
    return { ...object, status: { ...object.status, conditions: timestamped } };
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

/** The conditions with decisions as they were: only approval changes them. */
function withDecisionsOf(
  before: readonly CertificateSigningRequestCondition[] = [],
  conditions: readonly CertificateSigningRequestCondition[],
): readonly CertificateSigningRequestCondition[] {
  return conditions.map((condition) => {
    const isDecision = condition.type === 'Approved' || condition.type === 'Denied';
    return (isDecision ? before.find(({ type }) => type === condition.type) : undefined) ?? condition;
  });
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

/** By kind. */
export const certificateStrategies: Readonly<Record<string, Strategy>> = {
  CertificateSigningRequest: strategy(signingRequestStrategy),
};
