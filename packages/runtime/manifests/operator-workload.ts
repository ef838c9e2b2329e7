// SPDX-License-Identifier: Apache-2.0
import type { Container, PodTemplateSpec } from '@forge/kube/generated/types.ts';
import type { Deployment, PodDisruptionBudget, Service, ServiceAccount } from '@forge/kube/kinds/builtin.ts';
import { restrictedContainer, restrictedPod } from '../objects/restricted-pod.ts';

/** What the pods of an operator are made from. */
export interface WorkloadSource {
  /** The name of the operator and of all its objects. */
  name: string;
  namespace: string;
  /** `c5c3/keystone-operator:0.1.0` */
  image: string;
  /** Whether it serves webhooks. */
  webhooks: boolean;
  /** Where it works: everywhere, in its own namespace, or in some that are listed. */
  watches: 'all' | 'own' | 'listed';
}

type Workload = readonly [ServiceAccount, Service, Deployment, PodDisruptionBudget];

const replicas = 2;
/** The ports that the operator listens on in a pod. */
const ports = { metrics: 8080, health: 8081, webhook: 9443 };
const user = 65532;
/** By which NetworkPolicies tell its pods from others; not part of the selectors, which can never change. */
const podLabels = { 'app.kubernetes.io/component': 'controller' };
/** A placeholder: whoever installs the operator replaces the list. */
const exampleNamespace = 'openstack';

/** The ServiceAccount, Service, Deployment and PodDisruptionBudget of the operator. */
export function operatorWorkload(source: WorkloadSource): Workload {
  const { name, namespace, webhooks } = source;
  const labels = { 'app.kubernetes.io/name': name };
  const metadata = { name, namespace, labels };
  const selector = { matchLabels: labels };
  const metrics = { name: 'metrics', port: ports.metrics, targetPort: 'metrics', protocol: 'TCP' };
  const webhook = { name: 'webhook', port: 443, targetPort: 'webhook', protocol: 'TCP' };
  const template = operatorPod(source, labels);
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: { selector: labels, ports: webhooks ? [webhook, metrics] : [metrics] },
    },
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { replicas, selector, template } },
    { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata, spec: { minAvailable: 1, selector } },
  ];
}

function operatorPod(source: WorkloadSource, labels: Record<string, string>): PodTemplateSpec {
  return {
    metadata: { labels: { ...labels, ...podLabels } },
    spec: {
      serviceAccountName: source.name,
      securityContext: restrictedPod(user),
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'kubernetes.io/hostname',
          whenUnsatisfiable: 'ScheduleAnyway',
          labelSelector: { matchLabels: labels },
        },
      ],
      containers: [operatorContainer(source)],
    },
  };
}

function operatorContainer({ image, webhooks, watches }: WorkloadSource): Container {
  const { metrics, health, webhook } = ports;
  return {
    name: 'manager',
    image,
    args: [
      '--leader-elect',
      '--metrics-secure',
      ...(webhooks ? [] : ['--enable-webhooks=false']),
      ...(watches === 'listed' ? [`--namespaces=${exampleNamespace}`] : []),
    ],
    ...(watches === 'own' && {
      env: [{ name: 'WATCH_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } }],
    }),
    ports: [
      { name: 'metrics', containerPort: metrics, protocol: 'TCP' },
      { name: 'health', containerPort: health, protocol: 'TCP' },
      ...(webhooks ? [{ name: 'webhook', containerPort: webhook, protocol: 'TCP' }] : []),
    ],
    livenessProbe: { httpGet: { path: '/healthz', port: 'health' }, initialDelaySeconds: 15, periodSeconds: 20 },
    readinessProbe: { httpGet: { path: '/readyz', port: 'health' }, initialDelaySeconds: 2, periodSeconds: 5 },
    // Enough for 500 Keystones, of which the benchmarks measure the memory.
    resources: { requests: { cpu: '10m', memory: '128Mi' }, limits: { cpu: '500m', memory: '256Mi' } },
    securityContext: restrictedContainer,
  };
}
