// SPDX-License-Identifier: Apache-2.0
import type { Container } from '@forge/kube/generated/types.ts';
import {
  always,
  containerFindings,
  securityContextFindings,
  listed,
  plural,
  sorted,
  type CheckedPod,
  type PodCheck,
  type Violation,
} from './pod-check.ts';

const shared = ['hostNetwork', 'hostPID', 'hostIPC'] as const;

/** No host namespaces. */
export const hostNamespaces: PodCheck = always(({ spec }) => {
  const found = shared.filter((field) => spec[field] === true).map((field) => `${field}=true`);
  return found.length === 0 ? undefined : { reason: 'host namespaces', detail: found.join(', ') };
});

/** No host ports. */
export const hostPorts: PodCheck = always((pod) => {
  const { who, values } = containerFindings(pod, ({ ports = [] }) =>
    ports.flatMap(({ hostPort = 0 }) => (hostPort === 0 ? [] : [String(hostPort)])),
  );
  if (who.length === 0) return undefined;
  return { reason: 'hostPort', detail: `${users(who)} ${plural('hostPort', values)} ${values.join(', ')}` };
});

/** No other host in probes and lifecycle hooks. */
export const probeHosts: PodCheck = { versions: [[34, checkProbeHosts]] };

function checkProbeHosts(pod: CheckedPod): Violation | undefined {
  const { who, values } = containerFindings(pod, hostsOf);
  const reason = 'probe or lifecycle host';
  return who.length === 0 ? undefined : { reason, detail: `${users(sorted(who))} ${listed(reason, values)}` };
}

function hostsOf({ livenessProbe, readinessProbe, startupProbe, lifecycle = {} }: Container): string[] {
  return [livenessProbe, readinessProbe, startupProbe, lifecycle.postStart, lifecycle.preStop]
    .flatMap((handler) => [handler?.httpGet?.host ?? '', handler?.tcpSocket?.host ?? ''])
    .filter((host) => host !== '');
}

/** No Windows HostProcess containers. */
export const hostProcess: PodCheck = always((pod) => {
  const { who } = securityContextFindings(pod, ({ windowsOptions }) =>
    windowsOptions?.hostProcess === true ? ['true'] : [],
  );
  if (who.length === 0) return undefined;
  const detail = `${who.join(' and ')} must not set securityContext.windowsOptions.hostProcess=true`;
  return { reason: 'hostProcess', detail };
});

function users(containers: readonly string[]): string {
  return `${listed('container', containers)} ${containers.length === 1 ? 'uses' : 'use'}`;
}
