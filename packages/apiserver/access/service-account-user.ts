// SPDX-License-Identifier: Apache-2.0
import { dnsLabelProblem, subdomainProblem } from '../formats/names.ts';

/** Namespace and name of a ServiceAccount. */
export interface ServiceAccountRef {
  readonly namespace: string;
  readonly name: string;
}

const prefix = 'system:serviceaccount:';

/** The user name of a ServiceAccount. */
export function serviceAccountUserName({ namespace, name }: ServiceAccountRef): string {
  return `${prefix}${namespace}:${name}`;
}

/** The groups of the ServiceAccounts of a namespace. */
export function serviceAccountGroups(namespace: string): string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
}

/** The ServiceAccount of a user name; undefined for other users. */
export function serviceAccountOf(userName: string): ServiceAccountRef | undefined {
  if (!userName.startsWith(prefix)) return undefined;
  const [namespace = '', name = '', ...more] = userName.slice(prefix.length).split(':');
  const isOne = more.length === 0 && dnsLabelProblem(namespace) === undefined && subdomainProblem(name) === undefined;
  return isOne ? { namespace, name } : undefined;
}
