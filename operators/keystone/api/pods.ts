// SPDX-License-Identifier: Apache-2.0
import type {
  DeploymentStrategy,
  ResourceRequirements,
  TopologySpreadConstraint,
} from '@forge/kube/generated/types.ts';
import { int64, optionalName, text } from '@forge/kube/schema/field.ts';
import { definitionSchema } from '@forge/kube/schema/kind-schema.ts';
import { fieldRule, rules } from '@forge/kube/schema/rules.ts';
import { embedded } from '@forge/kube/schema/schema-types.ts';
import { Type } from 'typebox';
import { defaults } from './defaults.ts';
import { described } from './described.ts';

export const quantityMessage = 'must be a quantity, for example 100m or 256Mi';

/** A quantity that is written as text. */
const quantityPattern = '^[+]?([0-9]+([.][0-9]*)?|[.][0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$';

/** A quantity as a number: it may be written as text or as a number. */
const amount = (value: string) =>
  `(type(${value}) == string ? quantity(${value}).asApproximateFloat() : double(${value}))`;

/** A request must not exceed its limit. CEL checks these two within its cost limit, the webhook checks all. */
function requestRule(resource: 'cpu' | 'memory') {
  const [request, limit] = [`self.requests['${resource}']`, `self.limits['${resource}']`];
  const given = `has(self.requests) && '${resource}' in self.requests && has(self.limits) && '${resource}' in self.limits`;
  return fieldRule('.requests', `!(${given}) || ${amount(request)} <= ${amount(limit)}`, {
    messageExpression: `'${resource} request must not exceed limit (%s)'.format([${limit}])`,
    message: `${resource} request must not exceed limit`,
  });
}

/** CPU and memory. */
export const resources = embedded<ResourceRequirements>(
  described('ResourceRequirements', definitionSchema('ResourceRequirements'), {
    'requests{}': { pattern: quantityPattern },
    'limits{}': { pattern: quantityPattern },
  }),
  {
    description:
      'CPU and memory of the API container. The defaulting webhook fills in requests of 100m and 256Mi and limits of 500m ' +
      'and 512Mi when neither requests nor limits are given.',
    ...rules(requestRule('cpu'), requestRule('memory')),
  },
);

export const skewMessage = 'maxSkew must be at least 1';
export const selectorRequired = 'labelSelector is required on each TopologySpreadConstraint';
export const expressionsForbidden = 'matchExpressions are not allowed; labelSelector must use matchLabels only';

/** The key of a label. */
const labelKeyPattern = '^([-a-z0-9.]+/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$';

const constraint = embedded<TopologySpreadConstraint>(
  described('TopologySpreadConstraint', definitionSchema('TopologySpreadConstraint'), {
    nodeAffinityPolicy: { enum: ['Honor', 'Ignore'] },
    nodeTaintsPolicy: { enum: ['Honor', 'Ignore'] },
    topologyKey: { pattern: labelKeyPattern },
    'matchLabelKeys[]': { pattern: labelKeyPattern },
  }),
  {
    description: 'One constraint.',
    ...rules(
      fieldRule('.labelSelector', 'has(self.labelSelector)', { message: selectorRequired }),
      fieldRule(
        '.labelSelector.matchExpressions',
        '!has(self.labelSelector) || !has(self.labelSelector.matchExpressions) || size(self.labelSelector.matchExpressions) == 0',
        { message: expressionsForbidden },
      ),
      fieldRule('.maxSkew', 'self.maxSkew >= 1', { message: skewMessage }),
      fieldRule('.whenUnsatisfiable', "self.whenUnsatisfiable in ['DoNotSchedule', 'ScheduleAnyway']", {
        message: 'whenUnsatisfiable must be DoNotSchedule or ScheduleAnyway',
      }),
    ),
  },
);

/** Where the API pods may run. */
export const topologySpreadConstraints = Type.Array(constraint, {
  description:
    'Spreading of the API pods; over zones and nodes, as far as possible, when absent, and none when empty. Every ' +
    'labelSelector must be exactly the labels of the API pods.',
  maxItems: 16,
  // As in pods: a Deployment with duplicates cannot be applied.
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['topologyKey', 'whenUnsatisfiable'],
});

/** Which pods are evicted first when resources are short. */
export const priorityClassName = text(
  optionalName,
  'PriorityClass of the API pods and of the Jobs, policy validation excepted; it must exist. None when absent or empty.',
);

/** The time that a pod has to end. */
export const terminationGracePeriodSeconds = int64(
  `Seconds between SIGTERM and SIGKILL of an API pod; ${defaults.terminationGracePeriodSeconds} when absent. Must be more than preStopSleepSeconds.`,
  { minimum: 10 },
);

/** The time in which load balancers forget a pod. */
export const preStopSleepSeconds = int64(
  'Seconds that an API pod goes on serving before SIGTERM, until load balancers no longer send it requests; ' +
    `${defaults.preStopSleepSeconds} when absent. Must be less than terminationGracePeriodSeconds.`,
  { minimum: 0 },
);

export const podCountMessage = 'must be a whole number, or a percentage, for example 1 or 25%';

/** A percentage as text; numbers are written as such. */
export const percentPattern = '^[0-9]+%$';

export const recreateMessage = 'rollingUpdate must not be set when strategy.type is Recreate';

/** How pods are replaced. */
export const strategy = embedded<DeploymentStrategy>(
  described('DeploymentStrategy', definitionSchema('DeploymentStrategy'), {
    type: { enum: ['RollingUpdate', 'Recreate'] },
    'rollingUpdate.maxSurge': { pattern: percentPattern },
    'rollingUpdate.maxUnavailable': { pattern: percentPattern },
  }),
  {
    description: 'How pods are replaced; when absent a rolling update with one pod more and none less than replicas.',
    ...fieldRule('.rollingUpdate', "!has(self.type) || self.type != 'Recreate' || !has(self.rollingUpdate)", {
      message: recreateMessage,
    }),
  },
);
