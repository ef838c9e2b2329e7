// SPDX-License-Identifier: Apache-2.0
import type { TUnsafe } from 'typebox';
import type { NetworkPolicyEgressRule, NetworkPolicyIngressRule } from '../generated/types.ts';
import { describeFields, type FieldSentences } from '../schema/describe-fields.ts';
import { definitionSchema } from '../schema/kind-schema.ts';
import { embedded } from '../schema/schema-types.ts';

function selector(path: string, what: string): FieldSentences {
  return {
    [path]: `${what}; all of them when empty.`,
    [`${path}.matchLabels`]: 'Labels that they must have.',
    [`${path}.matchLabels{}`]: 'Value that this label must have.',
    [`${path}.matchExpressions`]: 'Requirements that they must meet.',
    [`${path}.matchExpressions[]`]: 'One requirement.',
    [`${path}.matchExpressions[].key`]: 'Label that the requirement is about.',
    [`${path}.matchExpressions[].operator`]: 'In, NotIn, Exists or DoesNotExist.',
    [`${path}.matchExpressions[].values`]: 'Values for In and NotIn.',
    [`${path}.matchExpressions[].values[]`]: 'One value.',
  };
}

/** Sentences of a rule whose peers are in this field. */
const ruleSentences = (field: 'from' | 'to', peers: string, peer: string): FieldSentences => ({
  '': `One rule: traffic ${field} any of these peers on any of these ports.`,
  ports: 'Ports; all of them when absent.',
  'ports[]': 'One port or range of ports.',
  'ports[].port': 'Number or name of the port.',
  'ports[].endPort': 'Last port of the range that begins with port.',
  'ports[].protocol': 'TCP, UDP or SCTP; TCP when absent.',
  [field]: `${peers}; every one when absent.`,
  [`${field}[]`]: `One ${peer}.`,
  [`${field}[].ipBlock`]: 'Addresses; not together with selectors.',
  [`${field}[].ipBlock.cidr`]: 'Range of addresses, for example 10.0.0.0/24.',
  [`${field}[].ipBlock.except`]: 'Ranges within it that are left out.',
  [`${field}[].ipBlock.except[]`]: 'One range.',
  ...selector(`${field}[].namespaceSelector`, 'Namespaces whose pods are meant'),
  ...selector(`${field}[].podSelector`, 'Pods that are meant'),
});

/** Traffic that pods may send, as in a NetworkPolicy. */
export const egressRule = (): TUnsafe<NetworkPolicyEgressRule> =>
  embedded(
    describeFields(definitionSchema('NetworkPolicyEgressRule'), ruleSentences('to', 'Destinations', 'destination')),
  );

/** Traffic that pods may receive, as in a NetworkPolicy. */
export const ingressRule = (): TUnsafe<NetworkPolicyIngressRule> =>
  embedded(describeFields(definitionSchema('NetworkPolicyIngressRule'), ruleSentences('from', 'Sources', 'source')));
