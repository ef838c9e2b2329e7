// SPDX-License-Identifier: Apache-2.0
import { invalid, same, spec, tooSmall, type AdmissionCase } from './admission-case.ts';

const selector = { 'app.kubernetes.io/name': 'keystone', 'app.kubernetes.io/instance': 'identity' };
const constraint = {
  maxSkew: 1,
  topologyKey: 'zone',
  whenUnsatisfiable: 'DoNotSchedule',
  labelSelector: { matchLabels: selector },
};
const spread = (change: object) => spec({ topologySpreadConstraints: [{ ...constraint, ...change }] });
const spreadField = 'spec.topologySpreadConstraints[0]';
const expressions = [{ key: 'a', operator: 'Exists' }];
const otherPods = { matchLabels: { ...selector, 'app.kubernetes.io/instance': 'other' } };
const spreadLabels =
  'labelSelector.matchLabels must equal the Deployment selector labels app.kubernetes.io/name=keystone and app.kubernetes.io/instance={metadata.name}';

/** What the API pods are made of. */
export const podsCases: readonly AdmissionCase[] = [
  tooSmall('spec.uwsgi.processes', -1, 1, 'processes must be at least 1'),
  tooSmall('spec.uwsgi.threads', -1, 1, 'threads must be at least 1'),
  tooSmall('spec.uwsgi.harakiri', 0, 1, 'harakiri must be at least 1'),
  {
    ...tooSmall('spec.uwsgi.httpKeepAliveTimeout', 0, 1, 'httpKeepAliveTimeout must be at least 1'),
    change: spec({ uwsgi: { httpKeepAlive: true, httpKeepAliveTimeout: 0 } }),
  },
  same(
    'a timeout of connections that are not kept',
    spec({ uwsgi: { httpKeepAlive: false, httpKeepAliveTimeout: 5 } }),
    invalid('spec.uwsgi.httpKeepAliveTimeout', 5, 'httpKeepAliveTimeout may only be set when httpKeepAlive is true'),
  ),
  same(
    'requests that may outlive the pod',
    spec({ uwsgi: { harakiri: 25 } }),
    invalid(
      'spec.uwsgi.harakiri',
      25,
      'harakiri (25) must be strictly less than terminationGracePeriodSeconds - preStopSleepSeconds (25)',
    ),
  ),
  tooSmall('spec.terminationGracePeriodSeconds', 9, 10, 'terminationGracePeriodSeconds must be at least 10'),
  tooSmall('spec.preStopSleepSeconds', -1, 0, 'preStopSleepSeconds must be non-negative'),
  same(
    'a sleep that takes the whole grace period',
    spec({ preStopSleepSeconds: 30 }),
    invalid(
      'spec.preStopSleepSeconds',
      30,
      'preStopSleepSeconds (30) must be strictly less than terminationGracePeriodSeconds (30)',
    ),
  ),
  same(
    'a rolling update that recreates',
    spec({ strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } }),
    invalid(
      'spec.strategy.rollingUpdate',
      { maxSurge: 1 },
      'rollingUpdate must not be set when strategy.type is Recreate',
    ),
  ),
  {
    name: 'two constraints of one topology',
    change: spec({ topologySpreadConstraints: [constraint, constraint] }),
    webhook: [
      'spec.topologySpreadConstraints[1]',
      'Duplicate value: {"topologyKey":"zone","whenUnsatisfiable":"DoNotSchedule"}',
    ],
    schema: [
      'spec.topologySpreadConstraints[1]',
      'Duplicate value: {"topologyKey":"zone","whenUnsatisfiable":"DoNotSchedule"}',
    ],
  },
  ...['maxSurge', 'maxUnavailable'].map((field): AdmissionCase => ({
    name: `a ${field} that is neither number nor percentage`,
    change: spec({ strategy: { rollingUpdate: { [field]: 'many' } } }),
    webhook: invalid(
      `spec.strategy.rollingUpdate.${field}`,
      'many',
      'must be a whole number, or a percentage, for example 1 or 25%',
    ),
    schema: [`spec.strategy.rollingUpdate.${field}`, "should match '^[0-9]+%$'"],
  })),
  {
    name: 'a request above its limit',
    change: spec({ resources: { requests: { cpu: '1000m' }, limits: { cpu: '500m' } } }),
    webhook: invalid('spec.resources.requests.cpu', '1000m', 'cpu request must not exceed limit (500m)'),
    schema: ['spec.resources.requests', 'cpu request must not exceed limit (500m)'],
  },
  {
    name: 'a request above its limit, one of them a number',
    change: spec({ resources: { requests: { memory: 2000 }, limits: { memory: '1Ki' } } }),
    webhook: invalid('spec.resources.requests.memory', 2000, 'memory request must not exceed limit (1Ki)'),
    schema: ['spec.resources.requests', 'memory request must not exceed limit (1Ki)'],
  },
  {
    name: 'a request of another resource above its limit',
    change: spec({ resources: { requests: { 'ephemeral-storage': '2Gi' }, limits: { 'ephemeral-storage': '1Gi' } } }),
    webhook: invalid(
      'spec.resources.requests.ephemeral-storage',
      '2Gi',
      'ephemeral-storage request must not exceed limit (1Gi)',
    ),
    schema: undefined,
  },
  {
    name: 'a quantity that is none',
    change: spec({ resources: { requests: { cpu: 'much' } } }),
    webhook: invalid('spec.resources.requests.cpu', 'much', 'must be a quantity, for example 100m or 256Mi'),
    schema: ['spec.resources.requests.cpu', 'should match'],
  },
  same('a spread of no pods', spread({ labelSelector: undefined }), [
    `${spreadField}.labelSelector`,
    'Required value: labelSelector is required on each TopologySpreadConstraint',
  ]),
  {
    name: "a spread of another Keystone's pods",
    change: spread({ labelSelector: otherPods }),
    webhook: invalid(`${spreadField}.labelSelector`, otherPods, spreadLabels),
    schema: ['spec.topologySpreadConstraints', spreadLabels],
  },
  same(
    'a spread by expressions',
    spread({ labelSelector: { matchLabels: selector, matchExpressions: expressions } }),
    invalid(
      `${spreadField}.labelSelector.matchExpressions`,
      expressions,
      'matchExpressions are not allowed; labelSelector must use matchLabels only',
    ),
  ),
  same(
    'a spread without skew',
    spread({ maxSkew: 0 }),
    invalid(`${spreadField}.maxSkew`, 0, 'maxSkew must be at least 1'),
  ),
];
