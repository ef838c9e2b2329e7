// SPDX-License-Identifier: Apache-2.0
import { minutes } from '../time/duration.ts';
import { addressFlag, choiceFlag, booleanFlag, durationFlag, textFlag } from './flag.ts';
import type { FlagValues } from './parse-flags.ts';

/** The flags every operator has. In a pod it listens on every interface, anywhere else on loopback only. */
export function operatorFlags({ inPod, onTerminal }: { inPod: boolean; onTerminal: boolean }) {
  const at = (port: number) => (inPod ? { port } : { host: '127.0.0.1', port });
  return {
    kubeconfig: textFlag('the cluster to work on', 'file', { defaultText: 'the cluster it runs in' }),
    namespace: textFlag('watch this namespace only', 'name', {
      defaultText: 'all namespaces',
      variable: 'WATCH_NAMESPACE',
    }),
    podNamespace: textFlag('the namespace it runs in itself', 'name', { defaultText: "its service account's" }),
    leaderElect: booleanFlag('work only while it leads; needed when several run', false),
    syncPeriod: durationFlag(
      'how often every resource is looked at, whatever happens; 0 for never',
      minutes(10),
      '10m',
    ),
    metricsBindAddress: addressFlag('where Prometheus finds /metrics', at(8080)),
    healthProbeBindAddress: addressFlag('where the kubelet finds /healthz and /readyz', at(8081)),
    enableWebhooks: booleanFlag('serve admission webhooks', true),
    webhookBindAddress: addressFlag('where the API server finds the webhooks', at(9443)),
    webhookCertDir: textFlag('tls.crt and tls.key of the webhooks', 'folder', {
      defaultText: 'certificates of its own',
    }),
    webhookService: textFlag('the Service in front of the webhooks', 'name', { defaultText: "the operator's name" }),
    tracing: booleanFlag('tell OpenTelemetry of every pass and step; needs an SDK, as by node --import', false),
    zapLogLevel: choiceFlag('the least a log line must matter', ['debug', 'info', 'warn', 'error'], 'info'),
    zapEncoder: choiceFlag(
      'log lines for machines or for people',
      ['json', 'console'],
      onTerminal ? 'console' : 'json',
      {
        defaultText: 'console on a terminal, else json',
      },
    ),
    zapDevel: booleanFlag('log everything, for people', false),
  };
}

/** What those flags were set to. */
export type OperatorOptions = FlagValues<ReturnType<typeof operatorFlags>>;
