// SPDX-License-Identifier: Apache-2.0
import { isIPv4 } from 'node:net';
import type { ServiceSpec } from '@forge/kube/generated/types.ts';
import type { Service } from '@forge/kube/kinds/builtin.ts';
import { addressProblem } from '../formats/address-problem.ts';
import type { Rule } from './inspection.ts';
import { all, fields, given, validation } from './rule.ts';

/** The cluster is IPv4 only; services without a cluster IP may list IPv6 too. */
const families: Rule<ServiceSpec> = given(({ ipFamilyPolicy, ipFamilies = [], clusterIP, selector }, at) => {
  if (clusterIP === 'None' && selector === undefined) return;
  if (ipFamilyPolicy === 'RequireDualStack') {
    at.invalid(ipFamilyPolicy, 'this cluster is not configured for dual-stack services', 'ipFamilyPolicy');
  }
  for (const [index, family] of ipFamilies.entries()) {
    if (family !== 'IPv4') at.invalid(family, 'not configured on this cluster', `ipFamilies[${index}]`);
  }
});

/** clusterIP and clusterIPs must be consistent, and match the IP families. */
export const addresses: Rule<ServiceSpec> = given(({ clusterIP = '', clusterIPs = [], ipFamilies = [] }, at) => {
  if (clusterIPs.length > 0 && clusterIP !== '' && clusterIPs[0] !== clusterIP) {
    at.invalid(clusterIPs, 'first value must match `clusterIP`', 'clusterIPs');
    return;
  }
  const named = clusterIPs.length > 0 ? clusterIPs : [clusterIP];
  for (const [index, address] of named.entries()) {
    if (address === '' || address === 'None') continue;
    const family = ipFamilies[index];
    const problem = addressProblem(address) ?? familyProblem(address, index, family);
    if (problem !== undefined) at.invalid(address, problem, `clusterIPs[${index}]`);
  }
});

function familyProblem(address: string, index: number, family: string | undefined): string | undefined {
  if (family === undefined || (isIPv4(address) ? 'IPv4' : 'IPv6') === family) return undefined;
  return `expected an ${family} value as indicated by \`ipFamilies[${index}]\``;
}

/** Validates the requested addresses and families of a service. */
export const validateAddresses = validation<Service>(fields({ spec: all<ServiceSpec>(addresses, families) }));
