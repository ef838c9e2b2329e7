// SPDX-License-Identifier: Apache-2.0

/** The namespace in which an operator keeps things of its own; throws when it knows none. */
export function requireNamespace(what: string, own: string | undefined, otherwise = ''): string {
  if (own !== undefined) return own;
  throw new Error(
    `${what} need a namespace to be kept in: name one with --pod-namespace or $POD_NAMESPACE${otherwise}`,
  );
}
