// SPDX-License-Identifier: Apache-2.0
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';

const selector = { matchLabels: { app: 'a' } };

function budget(name: string, spec: object = {}) {
  return { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name }, spec: { selector, ...spec } };
}

function autoscaler(name: string, spec: object = {}) {
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name },
    spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' }, maxReplicas: 3, ...spec },
  };
}

function networkPolicy(name: string, spec: object = {}) {
  const apiVersion = 'networking.k8s.io/v1';
  return { apiVersion, kind: 'NetworkPolicy', metadata: { name }, spec: { podSelector: {}, ...spec } };
}

function priorityClass(name: string, more: object = {}) {
  return { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value: 10, ...more };
}

const priorities = '/apis/scheduling.k8s.io/v1/priorityclasses';
const cpu = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } };

/** Disruption budgets, autoscalers, network policies and priority classes. */
export const policies: readonly ConformanceCase[] = [
  testCase('a disruption budget is created with its first status', async (api) => {
    await api.post('policy/v1/poddisruptionbudgets', budget('a', { minAvailable: 1 }));
    await api.patch('merge', 'policy/v1/poddisruptionbudgets/a', { spec: { minAvailable: '50%' } });
  }),

  testCase('a disruption budget with what makes no sense is refused', async (api) => {
    for (const spec of [
      { minAvailable: 1, maxUnavailable: 1 },
      { minAvailable: -1 },
      { maxUnavailable: '120%' },
      { maxUnavailable: 'some' },
      { selector: { matchExpressions: [{ key: 'a', operator: 'In' }] } },
      { unhealthyPodEvictionPolicy: 'Perhaps' },
    ]) {
      await api.post('policy/v1/poddisruptionbudgets', budget('a', spec));
    }
  }),

  testCase('an autoscaler is created with its defaults', async (api) => {
    await api.post('autoscaling/v2/horizontalpodautoscalers', autoscaler('a'));
    const behavior = { scaleDown: { stabilizationWindowSeconds: 60 } };
    await api.post('autoscaling/v2/horizontalpodautoscalers', autoscaler('b', { metrics: [cpu], behavior }));
  }),

  testCase('an autoscaler with what makes no sense is refused', async (api) => {
    for (const spec of [
      { scaleTargetRef: {}, maxReplicas: undefined },
      { minReplicas: 5 },
      { minReplicas: 0 },
      { metrics: [{ type: 'Resource' }, { type: 'Guess' }] },
      { metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization' } } }] },
      { behavior: { scaleUp: { stabilizationWindowSeconds: -1, selectPolicy: 'Any' } } },
      {
        behavior: {
          scaleDown: {
            policies: [
              { type: 'Half', value: 0, periodSeconds: 0 },
              { type: 'Pods', value: 1, periodSeconds: 9999 },
            ],
          },
        },
      },
    ]) {
      await api.post('autoscaling/v2/horizontalpodautoscalers', autoscaler('a', spec));
    }
  }),

  testCase('a network policy is created with its defaults', async (api) => {
    await api.post('networking.k8s.io/v1/networkpolicies', networkPolicy('a'));
    const ingress = [{ from: [{ podSelector: selector }], ports: [{ port: 80 }, { port: 'dns', protocol: 'UDP' }] }];
    const egress = [{ to: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }] }, {}];
    const created = networkPolicy('b', { ingress, egress });
    await api.post('networking.k8s.io/v1/networkpolicies', created);
    await api.put('networking.k8s.io/v1/networkpolicies/b', { ...created, spec: { ...created.spec, egress: [] } });
  }),

  testCase('a network policy with what makes no sense is refused', async (api) => {
    for (const spec of [
      { policyTypes: ['Sideways'] },
      { policyTypes: ['Ingress', 'Egress', 'Ingress'] },
      { podSelector: { matchLabels: { 'not a key': 'a' } } },
      { ingress: [{ from: [{}] }] },
      { ingress: [{ from: [{ podSelector: {}, ipBlock: { cidr: '10.0.0.0/8' } }] }] },
      {
        ingress: [
          { from: [{ ipBlock: { cidr: 'here' } }, { ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/16'] } }] },
        ],
      },
      { egress: [{ ports: [{ port: 70_000, protocol: 'TLS' }, { port: 'Not_a_Port' }, { port: 9, endPort: 8 }] }] },
    ]) {
      await api.post('networking.k8s.io/v1/networkpolicies', networkPolicy('a', spec));
    }
  }),

  testCase('a priority class is created with its defaults and keeps its value', async (api) => {
    const name = `${api.namespace}-a`;
    const created = await api.post(priorities, priorityClass(name));
    await api.put(`${priorities}/${name}`, { ...created, value: 11 });
    await api.put(`${priorities}/${name}`, { ...created, preemptionPolicy: 'Never' });
    await api.put(`${priorities}/${name}`, { ...created, description: 'of no great weight' });
  }),

  testCase('a priority class with what makes no sense is refused', async (api) => {
    const name = `${api.namespace}-a`;
    await api.post(priorities, priorityClass(name, { value: 1_000_000_001 }));
    await api.post(priorities, priorityClass(name, { preemptionPolicy: 'Perhaps' }));
    await api.post(priorities, priorityClass(`system-${name}`));
  }),

  testCase('a pod has the priority of its class', async (api) => {
    const name = `${api.namespace}-high`;
    await api.post(priorities, priorityClass(name, { value: 7, preemptionPolicy: 'Never' }));
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } };
    const spec = { automountServiceAccountToken: false, containers: [{ name: 'main', image: 'example:1' }] };
    await api.post('pods', { ...pod, spec: { ...spec, priorityClassName: name } });
    await api.post('pods', { ...pod, spec: { ...spec, priorityClassName: name, priority: 8 } });
  }),
];
