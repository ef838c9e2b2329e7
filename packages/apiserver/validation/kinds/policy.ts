// SPDX-License-Identifier: Apache-2.0
import type {
  PodDisruptionBudgetSpec,
  IPBlock,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  NetworkPolicySpec,
} from '@forge/kube/generated/types.ts';
import type { PodDisruptionBudget, NetworkPolicy, PriorityClass } from '@forge/kube/kinds/builtin.ts';
import { fieldOf } from '@forge/kube/objects/json.ts';
import { isSubnetOf, networkProblem, parseNetwork } from '../../formats/address-problem.ts';
import type { Rule } from '../inspection.ts';
import { portOrName } from '../pods/probe-rules.ts';
import { given, all, fields, validation, each, fixed } from '../rule.ts';
import { selector } from '../selector-rules.ts';
import { systemPriorities } from '../system-priorities.ts';
import { countOrBoundedPercent, oneOf, required, text } from '../value-rules.ts';

const oneLimit: Rule<PodDisruptionBudgetSpec> = given(
  ({ minAvailable, maxUnavailable, selector: pods = null, unhealthyPodEvictionPolicy: unhealthy = null }, at) => {
    if (minAvailable === undefined || maxUnavailable === undefined) return;
    // kube-apiserver prints Go field names here.
    const shown = {
      MinAvailable: minAvailable,
      Selector: pods,
      MaxUnavailable: maxUnavailable,
      UnhealthyPodEvictionPolicy: unhealthy,
    };
    at.invalid(shown, 'minAvailable and maxUnavailable cannot be both set');
  },
);

/** Validates a PodDisruptionBudget. */
export const validateDisruptionBudget = validation<PodDisruptionBudget>(
  fields({
    spec: all<PodDisruptionBudgetSpec>(
      oneLimit,
      fields({
        minAvailable: countOrBoundedPercent,
        maxUnavailable: countOrBoundedPercent,
        selector,
        unhealthyPodEvictionPolicy: oneOf('AlwaysAllow', 'IfHealthyBudget'),
      }),
    ),
  }),
);

const block: Rule<IPBlock> = given(({ cidr, except = [] }, at) => {
  at.inside('cidr', cidr, all<string>(required(), text(networkProblem)));
  const whole = parseNetwork(cidr);
  for (const [index, part] of except.entries()) {
    const network = parseNetwork(part);
    if (whole === undefined) continue;
    if (network === undefined) at.inside(`except[${index}]`, part, text(networkProblem));
    else if (!isSubnetOf(network, whole)) at.invalid(part, 'must be a strict subset of `cidr`', `except[${index}]`);
  }
});

const peer: Rule<NetworkPolicyPeer> = given((value, at) => {
  const { podSelector, namespaceSelector, ipBlock } = value;
  const selects = podSelector !== undefined || namespaceSelector !== undefined;
  fields<NetworkPolicyPeer>({ podSelector: selector, namespaceSelector: selector, ipBlock: block })(value, at);
  if (ipBlock === undefined && !selects) at.required('must specify a peer');
  else if (ipBlock !== undefined && selects) at.forbidden('may not specify both ipBlock and another peer');
});

const port: Rule<NetworkPolicyPort> = given(({ protocol, port: from, endPort }, at) => {
  at.inside('protocol', protocol, oneOf('TCP', 'UDP', 'SCTP'));
  at.inside('port', from, portOrName);
  if (endPort === undefined) return;
  if (typeof from !== 'number') at.invalid(endPort, 'may not be specified when `port` is non-numeric', 'endPort');
  // kube-apiserver prints the other number.
  else if (endPort < from) at.invalid(from, 'must be greater than or equal to `port`', 'endPort');
});

const policyTypes: Rule<readonly string[]> = given((types, at) => {
  if (types.length > 2) at.invalid(types, 'may not specify more than two policyTypes');
  else for (const [index, type] of types.entries()) at.inside(index, type, oneOf('Ingress', 'Egress'));
});

/** Validates a NetworkPolicy. */
export const validateNetworkPolicy = validation<NetworkPolicy>(
  fields({
    spec: fields<NetworkPolicySpec>({
      podSelector: selector,
      ingress: each(fields({ ports: each(port), from: each(peer) })),
      egress: each(fields({ ports: each(port), to: each(peer) })),
      policyTypes,
    }),
  }),
);

const highest = 1_000_000_000;

/** Validates a PriorityClass; its value is immutable and below the system range. */
export const validatePriorityClass = validation<PriorityClass>(
  given(({ metadata: { name }, value = 0, globalDefault = false, preemptionPolicy }, at) => {
    if (name.startsWith('system-')) {
      const problem = systemPriorityProblem(name, value, globalDefault);
      const detail = `priority class names with 'system-' prefix are reserved for system use only. error: ${problem}`;
      if (problem !== undefined) at.forbidden(detail, 'metadata.name');
    } else if (value > highest) {
      at.forbidden(`maximum allowed value of a user defined priority is ${highest}`, 'value');
    }
    at.inside('preemptionPolicy', preemptionPolicy, oneOf('PreemptLowerPriority', 'Never'));
  }),
  (priority, before, at) => {
    if (priority.value !== before.value) at.forbidden('may not be changed in an update.', 'value');
    fixed<PriorityClass>('preemptionPolicy')(priority, before, at);
  },
);

function systemPriorityProblem(name: string, value: number, globalDefault: boolean): string | undefined {
  const known = fieldOf(systemPriorities, name);
  if (known === undefined) return `${name} is not a known system priority class`;
  if (value !== known.value) return `value of ${name} PriorityClass must be ${known.value}`;
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}
