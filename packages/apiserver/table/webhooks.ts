// SPDX-License-Identifier: Apache-2.0
import type { MutatingWebhookConfiguration } from '@forge/kube/kinds/builtin.ts';
import { ageColumn, countColumn, nameColumn, type TableColumn } from '../resources/table-column.ts';

export const webhookConfigurationColumns: readonly TableColumn<MutatingWebhookConfiguration>[] = [
  nameColumn,
  countColumn('Webhooks', ({ webhooks = [] }) => webhooks.length),
  ageColumn,
];
