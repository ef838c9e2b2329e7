// SPDX-License-Identifier: Apache-2.0
import type { MetricSpec } from '@forge/kube/generated/types.ts';
import type { Deployment, HorizontalPodAutoscaler } from '@forge/kube/kinds/builtin.ts';
import { testCase, type ControllerCase, type Scenario } from '../controller-case.ts';
import { podSpec } from '../kubelet.ts';

const autoscalers = 'autoscaling/v2/horizontalpodautoscalers';
const cpu: MetricSpec = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
};

async function createDeployment(scenario: Scenario, replicas: number): Promise<void> {
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec: podSpec };
  const spec = { replicas, selector: { matchLabels: labels }, template };
  await scenario.post('apps/v1/deployments', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec,
  });
  await scenario.until<Deployment>('apps/v1/deployments/web', ({ status }) => (status?.replicas ?? 0) === replicas);
}

async function createAutoscaler(scenario: Scenario, spec: object): Promise<void> {
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
  await scenario.post(autoscalers, {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'web' },
    spec: { scaleTargetRef, maxReplicas: 5, metrics: [cpu], ...spec },
  });
}

/** Waits for a condition, and records the status. */
function condition(scenario: Scenario, type: string, reason: string): Promise<HorizontalPodAutoscaler> {
  return scenario.observe<HorizontalPodAutoscaler>(
    `${autoscalers}/web`,
    ({ status }) => (status?.conditions ?? []).some((each) => each.type === type && each.reason === reason),
    ({ status }) => status,
  );
}

function observeReplicas(scenario: Scenario, count: number): Promise<Deployment> {
  return scenario.observe<Deployment>(
    'apps/v1/deployments/web',
    ({ spec }) => spec?.replicas === count,
    ({ spec }) => spec?.replicas,
  );
}

function events(scenario: Scenario, ...reasons: string[]): Promise<void> {
  return scenario.events('HorizontalPodAutoscaler', 'web', reasons);
}

/** HorizontalPodAutoscalers of a cluster without metrics. */
export const autoscalerCases: readonly ControllerCase[] = [
  testCase('an autoscaler without metrics reports that, and scales nothing', async (scenario) => {
    await createDeployment(scenario, 2);
    await createAutoscaler(scenario, {});
    await condition(scenario, 'ScalingActive', 'FailedGetResourceMetric');
    await events(scenario, 'FailedGetResourceMetric', 'FailedComputeMetricsReplicas');
    await observeReplicas(scenario, 2);
  }),

  testCase('an autoscaler reports each of its metrics', async (scenario) => {
    await createDeployment(scenario, 2);
    const value = { type: 'AverageValue', averageValue: '100' };
    const describedObject = { apiVersion: 'v1', kind: 'Service', name: 'web' };
    const selector = { matchLabels: { queue: 'a' } };
    const metrics: MetricSpec[] = [
      { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '100Mi' } } },
      { type: 'Pods', pods: { metric: { name: 'requests' }, target: value } },
      { type: 'Object', object: { describedObject, metric: { name: 'hits' }, target: { type: 'Value', value: '10' } } },
      { type: 'External', external: { metric: { name: 'queue', selector }, target: value } },
      { type: 'External', external: { metric: { name: 'depth' }, target: { type: 'Value', value: '10' } } },
      {
        type: 'ContainerResource',
        containerResource: { name: 'cpu', container: 'main', target: { type: 'Utilization', averageUtilization: 50 } },
      },
    ];
    await createAutoscaler(scenario, { metrics });
    await condition(scenario, 'ScalingActive', 'FailedGetResourceMetric');
    await events(
      scenario,
      'FailedGetContainerResourceMetric',
      'FailedGetExternalMetric',
      'FailedGetObjectMetric',
      'FailedGetPodsMetric',
      'FailedGetResourceMetric',
      'FailedComputeMetricsReplicas',
    );
  }),

  testCase('an autoscaler brings too few replicas up to the minimum', async (scenario) => {
    await createDeployment(scenario, 1);
    await createAutoscaler(scenario, { minReplicas: 3 });
    await observeReplicas(scenario, 3);
    await events(scenario, 'SuccessfulRescale', 'FailedGetResourceMetric', 'FailedComputeMetricsReplicas');
    await condition(scenario, 'ScalingActive', 'FailedGetResourceMetric');
  }),

  testCase('an autoscaler brings too many replicas down to the maximum', async (scenario) => {
    await createDeployment(scenario, 4);
    await createAutoscaler(scenario, { maxReplicas: 2 });
    await observeReplicas(scenario, 2);
    await events(scenario, 'SuccessfulRescale', 'FailedGetResourceMetric', 'FailedComputeMetricsReplicas');
    await condition(scenario, 'ScalingActive', 'FailedGetResourceMetric');
  }),

  testCase('an autoscaler leaves a target with no replicas alone', async (scenario) => {
    await createDeployment(scenario, 0);
    await createAutoscaler(scenario, { minReplicas: 2 });
    await condition(scenario, 'ScalingActive', 'ScalingDisabled');
    await observeReplicas(scenario, 0);
    await events(scenario);
  }),

  testCase('an autoscaler whose target is missing is not able to scale', async (scenario) => {
    await createAutoscaler(scenario, {});
    await condition(scenario, 'AbleToScale', 'FailedGetScale');
    await events(scenario, 'FailedGetScale');
    await createDeployment(scenario, 1);
    await condition(scenario, 'AbleToScale', 'SucceededGetScale');
  }),

  testCase('an autoscaler whose target cannot be scaled is not able to scale', async (scenario) => {
    await createAutoscaler(scenario, { scaleTargetRef: { apiVersion: 'batch/v1', kind: 'Job', name: 'web' } });
    await condition(scenario, 'AbleToScale', 'FailedGetScale');
    await events(scenario, 'FailedGetScale');
  }),

  testCase('an autoscaler whose target has an unknown kind is not able to scale', async (scenario) => {
    const scaleTargetRef = { apiVersion: 'example.com/v1', kind: 'Nothing', name: 'web' };
    await createAutoscaler(scenario, { scaleTargetRef });
    await condition(scenario, 'AbleToScale', 'FailedGetScale');
    await events(scenario, 'FailedGetScale');
  }),
];
