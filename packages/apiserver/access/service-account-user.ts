// SPDX-License-Identifier: Apache-2.0
import { dnsLabelProblem, subdomainProblem } from '../formats/names.ts';

/** A service account by its place. */
export interface ServiceAccountRef {
  readonly namespace: string;
  readonly name: string;
}

const prefix = 'system:serviceaccount:';

/** The user a service account is. */
export function serviceAccountUserName({ namespace, name }: ServiceAccountRef): string {
  return `${prefix}${namespace}:${name}`;
}

/** The groups all service accounts of a namespace are in. */
export function serviceAccountGroups(namespace: string): string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
}

/** The service account a user is; undefined when it is none. */
export function serviceAccountOf(userName: string): ServiceAccountRef | undefined {
  if (!userName.startsWith(prefix)) return undefined;
  const [namespace = '', name = '', ...more] = userName.slice(prefix.length).split(':');
  const isOne = more.length === 0 && dnsLabelProblem(namespace) === undefined && subdomainProblem(name) === undefined;
  return isOne ? { namespace, name } : undefined;
}
