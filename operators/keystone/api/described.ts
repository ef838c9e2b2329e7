// SPDX-License-Identifier: Apache-2.0
import { describeFields, type FieldBounds, type FieldSentences } from '@forge/kube/schema/describe-fields.ts';
import type { Schema } from '@forge/kube/schema/schema.ts';

/** Sentences about the fields of Kubernetes' own types that a Keystone embeds, by type and path. */
const sentences: Readonly<Record<string, FieldSentences>> = {
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
};

/** The schema of one of Kubernetes' own types, with a sentence on every field. */
export const described = (type: string, schema: Schema, bounds?: FieldBounds): Schema =>
  describeFields(schema, sentences[type] ?? {}, bounds);
