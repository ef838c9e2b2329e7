// SPDX-License-Identifier: Apache-2.0
import type { Container, PodSpec, TopologySpreadConstraint } from '@forge/kube/generated/types.ts';
import type { Deployment } from '@forge/kube/kinds/builtin.ts';
import { defaults } from '../../api/defaults.ts';
import type { Keystone } from '../../api/keystone.ts';
import {
  apiPort,
  commonLabels,
  dbConnectionHashAnnotation,
  namesOf,
  replicasKeptAnnotation,
  selectorLabels,
} from '../../api/names.ts';
import {
  configMount,
  credentialKeysMount,
  dbConnectionEnv,
  fernetKeysMount,
  podSecurityContext,
  restrictedSecurityContext,
  type Mounted,
} from '../pod.ts';
import type { Replicas } from '../replicas.ts';
import { strategyOf } from '../strategy.ts';
import { preStopCommand, uwsgiCommand } from './uwsgi-command.ts';

/** The inputs of the pods besides the resource. */
export interface ApiInputs {
  image: string;
  replicas: Replicas;
  configMap: string;
  /** Keyed digest of the connection URL: environment variables are read once, so a new password needs new pods. */
  connectionDigest: string;
}

/** The Deployment of the Keystone API. */
export function apiDeployment(keystone: Keystone, inputs: ApiInputs): Deployment {
  const { image, replicas, configMap, connectionDigest } = inputs;
  const mounts = [configMount(configMap), fernetKeysMount(keystone), credentialKeysMount(keystone)];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: namesOf(keystone).api,
      labels: commonLabels(keystone),
      ...(replicas.kept !== undefined && { annotations: { [replicasKeptAnnotation]: replicas.kept } }),
    },
    spec: {
      replicas: replicas.count,
      strategy: strategyOf(keystone),
      selector: { matchLabels: selectorLabels(keystone) },
      template: {
        metadata: {
          labels: commonLabels(keystone),
          annotations: { [dbConnectionHashAnnotation]: connectionDigest },
        },
        spec: apiPod(keystone, image, mounts),
      },
    },
  };
}

function apiPod(keystone: Keystone, image: string, mounts: Mounted[]): PodSpec {
  const { spec } = keystone;
  return {
    terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds ?? defaults.terminationGracePeriodSeconds,
    topologySpreadConstraints: spec.topologySpreadConstraints ?? defaultSpread(keystone),
    ...(spec.priorityClassName !== undefined && { priorityClassName: spec.priorityClassName }),
    securityContext: podSecurityContext,
    // It does not talk to the API server.
    automountServiceAccountToken: false,
    containers: [apiContainer(keystone, image, mounts)],
    volumes: mounts.map(({ volume }) => volume),
  };
}

function apiContainer(keystone: Keystone, image: string, mounts: Mounted[]): Container {
  const { resources } = keystone.spec;
  return {
    name: 'keystone',
    image,
    command: uwsgiCommand(keystone),
    ports: [{ name: 'keystone', containerPort: apiPort, protocol: 'TCP' }],
    env: [dbConnectionEnv(keystone)],
    ...(resources !== undefined && { resources }),
    // TCP only: a database outage must not make the kubelet kill pods that will serve again when it is back.
    livenessProbe: { tcpSocket: { port: apiPort }, initialDelaySeconds: 15, periodSeconds: 20 },
    readinessProbe: { httpGet: { path: '/v3', port: apiPort }, initialDelaySeconds: 5, periodSeconds: 10 },
    startupProbe: { httpGet: { path: '/v3', port: apiPort }, failureThreshold: 30, periodSeconds: 10 },
    lifecycle: { preStop: { exec: { command: preStopCommand(keystone) } } },
    securityContext: restrictedSecurityContext,
    // So that the condition can say why a pod does not start: an option that Keystone refuses, a plugin that is missing.
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: mounts.map(({ mount }) => mount),
  };
}

function defaultSpread(keystone: Keystone): TopologySpreadConstraint[] {
  return ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'].map((topologyKey) => ({
    maxSkew: 1,
    topologyKey,
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector: { matchLabels: selectorLabels(keystone) },
  }));
}
