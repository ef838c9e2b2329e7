// SPDX-License-Identifier: Apache-2.0

/** The operator's own namespace; throws when it is unknown. */
export function requireNamespace(what: string, own: string | undefined, otherwise = ''): string {
  if (own !== undefined) return own;
  throw new Error(`${what} need a namespace: set --pod-namespace or $POD_NAMESPACE${otherwise}`);
}
