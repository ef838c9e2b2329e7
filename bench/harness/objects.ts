// SPDX-License-Identifier: Apache-2.0
import type { ConfigMap, Deployment } from '@forge/kube/kinds/builtin.ts';

/** A ConfigMap of 1 KB. */
export function configMap(name: string): ConfigMap {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'default', labels: { app: 'bench' } },
    data: { 'keystone.conf': '[DEFAULT]\nuse_stderr = true\n'.repeat(34) },
  };
}

/** A Deployment of 1 KB; 3 KB when stored with defaults and managedFields. */
export function smallDeployment(name: string): Deployment {
  const { spec, ...deployment } = largeDeployment(name);
  const [container] = spec?.template.spec?.containers ?? [];
  const { command, env, resources, ports, image = '' } = container ?? {};
  const containers = [{ name: 'keystone', image, command, env, resources, ports }];
  return { ...deployment, spec: { ...spec, template: { ...spec?.template, spec: { containers } } } } as Deployment;
}

/** A Deployment as an operator writes it: 3 KB without managedFields. */
export function largeDeployment(name: string, image = 'keystone:2025.1'): Deployment {
  const labels = {
    'app.kubernetes.io/name': 'keystone',
    'app.kubernetes.io/instance': name,
    'app.kubernetes.io/component': 'api',
    'app.kubernetes.io/managed-by': 'keystone-operator',
  };
  const probe = { httpGet: { path: '/v3', port: 5000, scheme: 'HTTP' as const }, timeoutSeconds: 5, periodSeconds: 10 };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'default', labels },
    spec: {
      replicas: 3,
      selector: { matchLabels: { 'app.kubernetes.io/instance': name } },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: {
        metadata: { labels, annotations: { 'example.com/config-hash': 'c0ffee'.repeat(6) } },
        spec: {
          securityContext: { runAsNonRoot: true, runAsUser: 42424, fsGroup: 42424 },
          terminationGracePeriodSeconds: 60,
          containers: [
            {
              name: 'keystone',
              image,
              command: ['uwsgi', '--ini', '/etc/keystone/uwsgi.ini'],
              ports: [{ name: 'api', containerPort: 5000, protocol: 'TCP' }],
              env: [
                { name: 'OS_CONFIG', value: '/etc/keystone' },
                { name: 'PASSWORD', valueFrom: { secretKeyRef: { name: `${name}-admin`, key: 'password' } } },
                { name: 'POD_IP', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'status.podIP' } } },
              ],
              resources: { requests: { cpu: '250m', memory: '512Mi' }, limits: { memory: '1Gi' } },
              livenessProbe: { ...probe, initialDelaySeconds: 30 },
              readinessProbe: probe,
              securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
              volumeMounts: [
                { name: 'config', mountPath: '/etc/keystone', readOnly: true },
                { name: 'fernet-keys', mountPath: '/etc/keystone/fernet-keys', readOnly: true },
                { name: 'credential-keys', mountPath: '/etc/keystone/credential-keys', readOnly: true },
              ],
            },
          ],
          volumes: [
            { name: 'config', configMap: { name: `${name}-config` } },
            { name: 'fernet-keys', secret: { secretName: `${name}-fernet-keys` } },
            { name: 'credential-keys', secret: { secretName: `${name}-credential-keys` } },
          ],
        },
      },
    },
  };
}
