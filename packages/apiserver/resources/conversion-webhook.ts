// SPDX-License-Identifier: Apache-2.0
import type { CustomResourceDefinitionSpec } from '@forge/kube/generated/types.ts';

/** Whether a webhook is to convert between versions. None is called: only the stored version can be served. */
export function needsConversionWebhook({ conversion, versions }: CustomResourceDefinitionSpec): boolean {
  return conversion?.strategy === 'Webhook' && versions.filter(({ served, storage }) => served || storage).length > 1;
}
