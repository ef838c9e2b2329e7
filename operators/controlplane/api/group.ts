// SPDX-License-Identifier: Apache-2.0
import type { PrinterColumn } from '@forge/kube/kinds/kind.ts';

/** Group and version of the operator's kinds. */
export const group = 'c5c3.io';
export const version = 'v1alpha1';

export const readyColumn: PrinterColumn = {
  name: 'Ready',
  type: 'string',
  jsonPath: ".status.conditions[?(@.type=='Ready')].status",
};

export const ageColumn: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };
