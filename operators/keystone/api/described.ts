// SPDX-License-Identifier: Apache-2.0
import type { Schema } from '@forge/kube/schema/schema.ts';

/** Sentences about the fields of Kubernetes' own types that a Keystone embeds, by type and path. */
const sentences: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ResourceRequirements: {
    claims: 'Resource claims of the pod that the container uses.',
    'claims[]': 'One claim.',
    'claims[].name': 'Name of the claim in the pod.',
    'claims[].request': 'Request of the claim; all of it when absent.',
    limits: 'Most that the container may use.',
    'limits{}': 'Quantity, for example 500m of cpu or 512Mi of memory.',
    requests: 'What the scheduler reserves for the container; must not exceed the limits.',
    'requests{}': 'Quantity, for example 100m of cpu or 256Mi of memory.',
  },
  DeploymentStrategy: {
    type: 'RollingUpdate or Recreate.',
    rollingUpdate: 'Numbers of a rolling update; not with Recreate.',
    'rollingUpdate.maxSurge': 'How many pods there may be beyond the desired number, as a number or in percent.',
    'rollingUpdate.maxUnavailable': 'How many pods may be missing, as a number or in percent.',
  },
  TopologySpreadConstraint: {
    labelSelector: 'Pods that are counted: exactly the labels of the API pods.',
    'labelSelector.matchLabels':
      'Must be app.kubernetes.io/name: keystone and app.kubernetes.io/instance: the name of the Keystone.',
    'labelSelector.matchLabels{}': 'Value that this label must have.',
    'labelSelector.matchExpressions': 'Not allowed here.',
    'labelSelector.matchExpressions[]': 'One requirement.',
    'labelSelector.matchExpressions[].key': 'Label that the requirement is about.',
    'labelSelector.matchExpressions[].operator': 'In, NotIn, Exists or DoesNotExist.',
    'labelSelector.matchExpressions[].values': 'Values for In and NotIn.',
    'labelSelector.matchExpressions[].values[]': 'One value.',
    matchLabelKeys: 'Labels whose values are taken from the pod itself.',
    'matchLabelKeys[]': 'One label.',
    maxSkew: 'By how many pods two domains may differ; at least 1.',
    minDomains: 'Least number of domains; counts with DoNotSchedule only.',
    nodeAffinityPolicy: "Honor or Ignore: whether nodes that the pod's affinity excludes are counted.",
    nodeTaintsPolicy: 'Honor or Ignore: whether nodes with taints that the pod does not tolerate are counted.',
    topologyKey: 'Label of nodes whose values are the domains, for example topology.kubernetes.io/zone.',
    whenUnsatisfiable: 'DoNotSchedule or ScheduleAnyway.',
  },
  NetworkPolicyEgressRule: {
    '': 'One rule: traffic to any of these peers on any of these ports.',
    ports: 'Ports; all of them when absent.',
    'ports[]': 'One port or range of ports.',
    'ports[].port': 'Number or name of the port.',
    'ports[].endPort': 'Last port of the range that begins with port.',
    'ports[].protocol': 'TCP, UDP or SCTP; TCP when absent.',
    to: 'Destinations; every one when absent.',
    'to[]': 'One destination.',
    'to[].ipBlock': 'Addresses; not together with selectors.',
    'to[].ipBlock.cidr': 'Range of addresses, for example 10.0.0.0/24.',
    'to[].ipBlock.except': 'Ranges within it that are left out.',
    'to[].ipBlock.except[]': 'One range.',
    ...selector('to[].namespaceSelector', 'Namespaces whose pods are meant'),
    ...selector('to[].podSelector', 'Pods that are meant'),
  },
};

function selector(path: string, what: string): Record<string, string> {
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

/** Further bounds of such fields, by path. */
type Bounds = Readonly<Record<string, Pick<Schema, 'enum' | 'pattern'>>>;

/** The schema of one of Kubernetes' own types, with a sentence on every field: their recorded schemas carry none. */
export function described(type: string, schema: Schema, bounds: Bounds = {}): Schema {
  const known = sentences[type] ?? {};
  return annotated(schema, '', (path) => ({
    ...(known[path] !== undefined && { description: known[path] }),
    ...bounds[path],
  }));
}

function annotated(schema: Schema, path: string, notes: (path: string) => Schema): Schema {
  const { properties, items, additionalProperties } = schema;
  const below = (name: string) => (path === '' ? name : `${path}.${name}`);
  return {
    ...schema,
    ...notes(path),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, child]) => [name, annotated(child, below(name), notes)]),
      ),
    }),
    ...(items !== undefined && { items: annotated(items, `${path}[]`, notes) }),
    ...(typeof additionalProperties === 'object' && {
      additionalProperties: annotated(additionalProperties, `${path}{}`, notes),
    }),
  };
}
