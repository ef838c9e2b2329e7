// SPDX-License-Identifier: Apache-2.0
import { minutes } from '../environment/duration.ts';
import { addressFlag, choiceFlag, booleanFlag, durationFlag, namesFlag, textFlag, type FlagValues } from './flag.ts';

/** The flags every operator has. In a pod it listens on every interface, anywhere else on loopback only. */
export function operatorFlags({ inPod, onTerminal }: { inPod: boolean; onTerminal: boolean }) {
  const at = (port: number) => (inPod ? { port } : { host: '127.0.0.1', port });
  return {
    kubeconfig: textFlag('kubeconfig of the cluster; the variable may list several', 'file', {
      defaultText: 'the cluster it runs in',
    }),
    namespaces: namesFlag('watch these namespaces only', {
      defaultText: 'all namespaces',
      variable: 'WATCH_NAMESPACE',
    }),
    namespace: textFlag('watch this namespace only, whatever --namespaces lists', 'name', {
      defaultText: 'none',
      variable: '',
    }),
    podNamespace: textFlag('the namespace it runs in', 'name', { defaultText: "its service account's" }),
    leaderElect: booleanFlag('use leader election; required with several replicas', false),
    syncPeriod: durationFlag(
      'resync period: every resource is reconciled at least this often; 0 for never',
      minutes(10),
      '10m',
    ),
    metricsBindAddress: addressFlag('address of /metrics', at(8080)),
    metricsSecure: booleanFlag('serve /metrics over HTTPS, to those whom the API server allows to get it', false),
    metricsCertDir: textFlag('folder with tls.crt and tls.key of /metrics', 'folder', {
      defaultText: 'self-managed certificates',
    }),
    healthProbeBindAddress: addressFlag('address of /healthz and /readyz', at(8081)),
    enableWebhooks: booleanFlag('serve admission webhooks', true),
    webhookBindAddress: addressFlag('address of the webhooks', at(9443)),
    webhookCertDir: textFlag('folder with tls.crt and tls.key of the webhooks', 'folder', {
      defaultText: 'self-managed certificates',
    }),
    webhookService: textFlag('the Service in front of the webhooks', 'name', { defaultText: "the operator's name" }),
    tracing: booleanFlag(
      'record OpenTelemetry spans of passes and steps; needs an SDK, loaded with node --import',
      false,
    ),
    zapLogLevel: choiceFlag('minimum log level', ['debug', 'info', 'warn', 'error'], 'info'),
    zapEncoder: choiceFlag('log format', ['json', 'console'], onTerminal ? 'console' : 'json', {
      defaultText: 'console on a terminal, else json',
    }),
    zapDevel: booleanFlag('development logging: level debug, format console', false),
  };
}

/** The values of the operator's flags. */
export type OperatorOptions = FlagValues<ReturnType<typeof operatorFlags>>;
