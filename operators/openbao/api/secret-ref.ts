// SPDX-License-Identifier: Apache-2.0
import { objectName, text } from '@forge/kube/schema/field.ts';
import type { Rules } from '@forge/kube/schema/rules.ts';
import { Type } from 'typebox';
import { schemaRule } from './cel-rule.ts';
import { jobSecretRule } from './job-rules.ts';

/** A Secret of the same namespace, by name. */
export const secretRef = (description: string, rules: Rules = {}) =>
  Type.Object({ name: text(objectName, 'Name of the Secret, in the same namespace.') }, { description, ...rules });

/** A Secret that is handed to a Job, which therefore must not be one of a cluster's own. */
export const jobSecretRef = (description: string) =>
  secretRef(description, schemaRule(jobSecretRule('self.name'), '.name'));
