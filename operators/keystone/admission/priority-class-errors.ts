// SPDX-License-Identifier: Apache-2.0
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { internalError, notFound, type FieldError } from '@forge/kube/errors/field-error.ts';
import { PriorityClass } from '@forge/kube/kinds/builtin.ts';
import { errorText } from '@forge/runtime/observability/error-text.ts';
import type { WebhookContext } from '@forge/runtime/webhook/webhook.ts';
import type { Keystone } from '../api/keystone.ts';

const field = 'spec.priorityClassName';

/**
 * The error of a PriorityClass that does not exist. Only a new name is looked up: a class that was deleted later must not
 * prevent other changes, neither by the operator nor by its user.
 */
export async function priorityClassErrors(
  { spec: { priorityClassName: name = '' } }: Keystone,
  before: Keystone | undefined,
  { client, signal }: Pick<WebhookContext, 'client' | 'signal'>,
): Promise<FieldError[]> {
  if (name === '' || name === before?.spec.priorityClassName) return [];
  try {
    await client.get(PriorityClass, { name }, { signal });
    return [];
  } catch (error) {
    if (isApiError(error, 'NotFound')) return [notFound(field, name)];
    return [internalError(field, `failed to look up PriorityClass: ${errorText(error)}`)];
  }
}
