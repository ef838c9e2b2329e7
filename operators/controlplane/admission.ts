// SPDX-License-Identifier: Apache-2.0
import type { FieldError } from '@forge/kube/errors/field-error.ts';
import { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { Memcached } from '@forge/kube/third-party/memcached.ts';
import { webhook } from '@forge/runtime/webhook/webhook.ts';
import { changeErrors } from './admission/change-errors.ts';
import { checkUnique } from './admission/check-unique.ts';
import { defaultControlPlane } from './admission/default-control-plane.ts';
import { missingClusters } from './admission/missing-clusters.ts';
import { specErrors } from './admission/spec-errors.ts';
import { warningsOf } from './admission/warnings.ts';
import { ControlPlane } from './control-plane.ts';

/** Everything that is wrong with a ControlPlane by itself. */
export function errorsOf(controlPlane: ControlPlane, before?: ControlPlane): FieldError[] {
  return [...specErrors(controlPlane, before), ...(before === undefined ? [] : changeErrors(controlPlane, before))];
}

/** What is said to writes of a ControlPlane: what was left out, everything that is wrong with it, and what will be regretted. */
export const controlPlaneAdmission = webhook(ControlPlane, {
  access: [ControlPlane, MariaDB, Memcached].map((kind) => ({ kind, verbs: ['list'] })),
  default: defaultControlPlane,
  async validate(controlPlane, before, context) {
    const errors = errorsOf(controlPlane, before);
    const warnings = warningsOf(controlPlane, before);
    if (before !== undefined || errors.length > 0) return { errors, warnings };
    const result = await checkUnique(controlPlane, context);
    return { ...result, warnings: [...warnings, ...(await missingClusters(controlPlane, context))] };
  },
});
