// SPDX-License-Identifier: Apache-2.0
import { Keystone } from '@forge/keystone/api/keystone.ts';
import type { FieldError } from '@forge/kube/errors/field-error.ts';
import { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { Memcached } from '@forge/kube/third-party/memcached.ts';
import { webhook, type WebhookContext } from '@forge/runtime/webhook/webhook.ts';
import { ControlPlane } from '../api/control-plane.ts';
import { namesOf } from '../api/names.ts';
import { changeErrors } from './change-errors.ts';
import { checkUnique } from './check-unique.ts';
import { defaultControlPlane } from './default-control-plane.ts';
import { missingClusters } from './missing-clusters.ts';
import { changesRelease, releaseErrors } from './release-errors.ts';
import { specErrors } from './spec-errors.ts';
import { warningsOf } from './warnings.ts';

/** All errors of a ControlPlane, and of a change of it while it has this Keystone. */
export function errorsOf(controlPlane: ControlPlane, before?: ControlPlane, keystone?: Keystone): FieldError[] {
  const errors = specErrors(controlPlane, before);
  if (before === undefined) return errors;
  return [...errors, ...changeErrors(controlPlane, before), ...releaseErrors(controlPlane, before, keystone)];
}

/** The Keystone as it is now, where a change concerns its release; undefined when there is none or it cannot be read. */
async function keystoneFor(
  controlPlane: ControlPlane,
  before: ControlPlane | undefined,
  { client, signal }: WebhookContext,
): Promise<Keystone | undefined> {
  if (before === undefined || !changesRelease(controlPlane, before)) return undefined;
  const ref = { namespace: controlPlane.metadata.namespace, name: namesOf(controlPlane).keystone };
  return await client.find(Keystone, ref, { signal }).catch(() => undefined);
}

/** The webhooks of a ControlPlane: its defaults, all its errors, and warnings. */
export const controlPlaneAdmission = webhook(ControlPlane, {
  access: [
    ...[ControlPlane, MariaDB, Memcached].map((kind) => ({ kind, verbs: ['list'] as const })),
    { kind: Keystone, verbs: ['get'] },
  ],
  default: defaultControlPlane,
  async validate(controlPlane, before, context) {
    const errors = errorsOf(controlPlane, before, await keystoneFor(controlPlane, before, context));
    const warnings = warningsOf(controlPlane);
    if (before !== undefined || errors.length > 0) return { errors, warnings };
    const result = await checkUnique(controlPlane, context);
    return { ...result, warnings: [...warnings, ...(await missingClusters(controlPlane, context))] };
  },
});
