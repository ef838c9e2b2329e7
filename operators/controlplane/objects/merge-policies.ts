// SPDX-License-Identifier: Apache-2.0
import type { ControlPlane } from '../api/control-plane.ts';

type Policy = NonNullable<ControlPlane['spec']['global']>;

/**
 * The policy of a service: its own rules override the global ones, its ConfigMap replaces the global one. Undefined when there
 * is none.
 */
export function mergePolicies(base: Policy | undefined, override: Policy | undefined): Policy | undefined {
  const rules = { ...base?.rules, ...override?.rules };
  const configMapRef = override?.configMapRef ?? base?.configMapRef;
  const merged = {
    ...(Object.keys(rules).length > 0 && { rules }),
    ...(configMapRef !== undefined && { configMapRef: { ...configMapRef } }),
  };
  return Object.keys(merged).length > 0 ? merged : undefined;
}
