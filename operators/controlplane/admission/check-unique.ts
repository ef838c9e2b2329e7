// SPDX-License-Identifier: Apache-2.0
import { forbidden, type FieldError } from '@forge/kube/errors/field-error.ts';
import { errorText } from '@forge/runtime/observability/error-text.ts';
import type { WebhookContext } from '@forge/runtime/webhook/webhook.ts';
import { ControlPlane } from '../api/control-plane.ts';

/** Refuses a second ControlPlane in a namespace; the API server is asked, since the cache may lag behind. */
export async function checkUnique(
  { metadata: { namespace = '' } }: ControlPlane,
  { client, signal }: Pick<WebhookContext, 'client' | 'signal'>,
): Promise<{ errors?: FieldError[]; failure?: string }> {
  try {
    const { items } = await client.list(ControlPlane, { namespace, signal });
    return { errors: items.slice(0, 1).map(({ metadata: { name } }) => taken(name, namespace)) };
  } catch (error) {
    const doing = `listing ControlPlanes in namespace "${namespace}" to enforce one-per-namespace`;
    return { failure: `${doing}: ${errorText(error)}` };
  }
}

function taken(incumbent: string, namespace: string): FieldError {
  const message = `only one ControlPlane is permitted per namespace; "${incumbent}" already exists in namespace "${namespace}"`;
  return forbidden('metadata.namespace', message);
}
