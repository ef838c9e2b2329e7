// SPDX-License-Identifier: Apache-2.0
import type { CustomResourceDefinitionSpec } from '@forge/kube/generated/types.ts';

/** Whether a definition needs a conversion webhook. None is called: only the storage version is served. */
export function needsConversionWebhook({ conversion, versions }: CustomResourceDefinitionSpec): boolean {
  return conversion?.strategy === 'Webhook' && versions.filter(({ served, storage }) => served || storage).length > 1;
}
