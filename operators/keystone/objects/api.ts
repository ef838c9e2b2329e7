// SPDX-License-Identifier: Apache-2.0
import type { Container, PodSpec, TopologySpreadConstraint } from '@forge/kube/generated/types.ts';
import type { Deployment, PodDisruptionBudget, Service } from '@forge/kube/kinds/builtin.ts';
import type { Keystone } from '../keystone.ts';
import { apiPort, commonLabels, dbConnectionHashAnnotation, namesOf, selectorLabels } from '../names.ts';
import {
  configDir,
  configMount,
  credentialKeysMount,
  dbConnectionEnv,
  fernetKeysMount,
  imageOf,
  podSecurityContext,
  restrictedSecurityContext,
  type Mounted,
} from './pod.ts';

/** What the pods are made from beside the resource itself. */
export interface ApiInputs {
  configMap: string;
  /** Keyed digest of the connection URL: environment variables are read once, so a new password needs new pods. */
  connectionDigest: string;
}

/** The Deployment of the Keystone API. */
export function apiDeployment(keystone: Keystone, { configMap, connectionDigest }: ApiInputs): Deployment {
  const { spec } = keystone;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: namesOf(keystone).api, labels: commonLabels(keystone) },
    spec: {
      replicas: spec.replicas,
      strategy: spec.strategy ?? { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      selector: { matchLabels: selectorLabels(keystone) },
      template: {
        metadata: {
          labels: commonLabels(keystone),
          annotations: { [dbConnectionHashAnnotation]: connectionDigest },
        },
        spec: apiPod(keystone, [configMount(configMap), fernetKeysMount(keystone), credentialKeysMount(keystone)]),
      },
    },
  };
}

function apiPod(keystone: Keystone, mounts: Mounted[]): PodSpec {
  const { spec } = keystone;
  return {
    terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds ?? 30,
    topologySpreadConstraints: spec.topologySpreadConstraints ?? defaultSpread(keystone),
    ...(spec.priorityClassName !== undefined && { priorityClassName: spec.priorityClassName }),
    securityContext: podSecurityContext,
    containers: [apiContainer(keystone, mounts)],
    volumes: mounts.map(({ volume }) => volume),
  };
}

function apiContainer(keystone: Keystone, mounts: Mounted[]): Container {
  const { resources, preStopSleepSeconds = 5 } = keystone.spec;
  return {
    name: 'keystone',
    image: imageOf(keystone),
    command: uwsgiCommand(keystone),
    ports: [{ name: 'keystone', containerPort: apiPort, protocol: 'TCP' }],
    env: [dbConnectionEnv(keystone)],
    ...(resources !== undefined && { resources }),
    // TCP only: a database outage must not make the kubelet kill pods that will serve again when it is back.
    livenessProbe: { tcpSocket: { port: apiPort }, initialDelaySeconds: 15, periodSeconds: 20 },
    readinessProbe: { httpGet: { path: '/v3', port: apiPort }, initialDelaySeconds: 5, periodSeconds: 10 },
    startupProbe: { httpGet: { path: '/v3', port: apiPort }, failureThreshold: 30, periodSeconds: 10 },
    lifecycle: { preStop: { exec: { command: ['/bin/sh', '-c', `sleep ${preStopSleepSeconds}`] } } },
    securityContext: restrictedSecurityContext,
    volumeMounts: mounts.map(({ mount }) => mount),
  };
}

const requestLog = '%(method) %(uri) => generated %(rsize) bytes in %(msecs) msecs (%(proto) %(status))';

function uwsgiCommand({ spec: { uwsgi } }: Keystone): string[] {
  const { processes, threads, httpKeepAlive, httpKeepAliveTimeout, harakiri } = uwsgi ?? {
    processes: 2,
    threads: 1,
    httpKeepAlive: true,
  };
  return [
    'uwsgi',
    '--http',
    `:${apiPort}`,
    ...(httpKeepAlive ? ['--http-keepalive'] : []),
    ...(httpKeepAlive && httpKeepAliveTimeout !== undefined
      ? ['--http-keepalive-timeout', String(httpKeepAliveTimeout)]
      : []),
    '--log-master',
    '--log-format',
    requestLog,
    '--wsgi-file',
    '/var/lib/openstack/bin/keystone-wsgi-public',
    '--master',
    '--lazy-apps',
    '--need-app',
    '--processes',
    String(processes),
    '--threads',
    String(threads),
    `--pyargv=--config-dir=${configDir}`,
    ...(harakiri !== undefined ? ['--harakiri', String(harakiri)] : []),
    // SIGTERM alone reloads uWSGI; with this it finishes the requests in flight and ends.
    '--hook-master-start',
    'unix_signal:15 gracefully_kill_them_all',
  ];
}

function defaultSpread(keystone: Keystone): TopologySpreadConstraint[] {
  return ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'].map((topologyKey) => ({
    maxSkew: 1,
    topologyKey,
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector: { matchLabels: selectorLabels(keystone) },
  }));
}

/** The Service in front of the API pods. */
export function apiService(keystone: Keystone): Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: namesOf(keystone).api, labels: commonLabels(keystone) },
    spec: {
      selector: selectorLabels(keystone),
      ports: [{ name: 'keystone', port: apiPort, targetPort: apiPort, protocol: 'TCP' }],
    },
  };
}

/** Keeps one pod through drains; a single replica may go, or no node could ever be drained. */
export function apiDisruptionBudget(keystone: Keystone): PodDisruptionBudget {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: namesOf(keystone).api, labels: commonLabels(keystone) },
    spec: {
      selector: { matchLabels: selectorLabels(keystone) },
      ...(keystone.spec.replicas > 1 ? { minAvailable: 1 } : { maxUnavailable: 1 }),
    },
  };
}
