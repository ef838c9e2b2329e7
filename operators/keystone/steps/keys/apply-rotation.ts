// SPDX-License-Identifier: Apache-2.0
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { requeueNow, type Unsatisfied } from '@forge/runtime/steps/outcome.ts';
import { rotationCompletedAnnotation } from '../../api/names.ts';
import { keyEvents } from '../../conditions/keys.ts';
import { keepsKeys } from '../../objects/keys/key-claim.ts';
import { maxActiveKeysOf, rotatedKeySecret } from '../../objects/keys/key-secret.ts';
import { rejectionOf, timestampProblem } from '../../objects/keys/staged-keys.ts';
import type { KeyContext, KeyRepository } from './key-repository.ts';

/**
 * Takes staged keys into production; undefined when there is nothing to take.
 *
 * Guarantees: production is written in one request, and only as it was when the staged keys were checked against it. What
 * is rejected stays for inspection. Keys that were taken are not taken again, although their staging Secret is still there.
 */
export async function applyRotation(
  { keyType, cases, rotated }: KeyRepository,
  { production, staging }: { production: Secret; staging: Secret },
  { object: keystone, event, replace, remove, log }: KeyContext,
): Promise<Unsatisfied<object> | undefined> {
  const { name } = staging.metadata;
  const completedAt = completionOf(staging);
  if (completedAt === undefined) return undefined;
  if (completedAt === completionOf(production)) {
    await discard();
    return undefined;
  }
  const malformed = timestampProblem(completedAt);
  if (malformed !== undefined) {
    await event(keyEvents.annotationInvalid({ staging: name, error: malformed }), { once: completedAt });
    return undefined;
  }
  const { data = {} } = staging;
  const rejection = rejectionOf(data, production.data ?? {}, maxActiveKeysOf(keystone, keyType));
  if (rejection !== undefined) {
    await event(keyEvents.rotationRejected({ staging: name, error: rejection }), { once: completedAt });
    return undefined;
  }
  await replace(rotatedKeySecret(production, staging, completedAt), { retainOnDelete: keepsKeys(keystone) });
  await discard();
  return requeueNow(cases.rotated(), { event: rotated({ staging: name, count: Object.keys(data).length }) });

  /** A newer rotation stays. The keys are in production: whatever keeps the staging Secret, the next pass tries again. */
  async function discard(): Promise<void> {
    try {
      await remove(Secret, staging);
    } catch (error) {
      if (!isApiError(error, 'Conflict')) log.warn('cannot delete the staging Secret', { secret: name, error });
    }
  }
}

/** When the rotation that led to these keys was completed. */
export function completionOf(secret: Secret | undefined): string | undefined {
  return secret?.metadata.annotations?.[rotationCompletedAnnotation];
}
