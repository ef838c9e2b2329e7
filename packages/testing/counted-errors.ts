// SPDX-License-Identifier: Apache-2.0

/** The sub-reconcilers whose errors `reconcile_errors_total` has counted, with the condition: `Config SecretsReady`. */
export function countedErrors(exposition: string): string[] {
  const series = /^\w+_reconcile_errors_total\{sub_reconciler="(\w+)",condition_type="(\w+)"\} [1-9]/gm;
  return [...exposition.matchAll(series)].map(([, step, type]) => `${step} ${type}`);
}
