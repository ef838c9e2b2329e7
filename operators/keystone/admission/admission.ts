// SPDX-License-Identifier: Apache-2.0
import type { FieldError } from '@forge/kube/errors/field-error.ts';
import { PriorityClass } from '@forge/kube/kinds/builtin.ts';
import { webhook } from '@forge/runtime/webhook/webhook.ts';
import { Keystone } from '../api/keystone.ts';
import { backingErrors } from './backing-errors.ts';
import { boundErrors } from './bound-errors.ts';
import { configErrors } from './config-errors.ts';
import { defaultKeystone } from './default-keystone.ts';
import { exposureErrors } from './exposure-errors.ts';
import { podErrors } from './pod-errors.ts';
import { priorityClassErrors } from './priority-class-errors.ts';
import { scaleErrors } from './scale-errors.ts';
import { scheduleErrors } from './schedule-errors.ts';
import { secretErrors } from './secret-errors.ts';
import { textErrors } from './text-errors.ts';
import { warningsOf } from './warnings.ts';

/** All errors of a Keystone that can be found without reading other objects. */
export function errorsOf(keystone: Keystone, before?: Keystone): FieldError[] {
  return [
    ...textErrors(keystone),
    ...backingErrors(keystone, before),
    ...secretErrors(keystone, before),
    ...boundErrors(keystone),
    ...scheduleErrors(keystone),
    ...scaleErrors(keystone),
    ...podErrors(keystone),
    ...configErrors(keystone),
    ...exposureErrors(keystone),
  ];
}

/** The webhooks of a Keystone: its defaults, all its errors, and warnings. */
export const keystoneAdmission = webhook(Keystone, {
  access: [{ kind: PriorityClass, verbs: ['get'] }],
  default: defaultKeystone,
  async validate(keystone, before, context) {
    return {
      errors: [...errorsOf(keystone, before), ...(await priorityClassErrors(keystone, before, context))],
      warnings: warningsOf(keystone, context.cache.list(Keystone), before),
    };
  },
});
