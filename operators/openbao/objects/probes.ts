// SPDX-License-Identifier: Apache-2.0
import type { Probe } from '@forge/kube/generated/types.ts';
import { apiPort } from '../api/names.ts';
import type { OpenBaoCluster } from '../api/openbao-cluster.ts';
import { acmeDomains } from './config/listener-block.ts';

interface ServerProbes {
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
}

type Check = Pick<Probe, 'exec' | 'httpGet'>;

/**
 * The probes of a server. It is alive as soon as it answers, sealed or not, and ready when it is unsealed. A start may take five
 * minutes: without the API server it takes half of that, and would never succeed if it were interrupted.
 */
export function serverProbes(cluster: OpenBaoCluster): ServerProbes {
  const { alive, unsealed } = cluster.spec.tls.mode === 'ACME' ? commandChecks(cluster) : httpChecks;
  return {
    startupProbe: { ...alive, timeoutSeconds: 10, periodSeconds: 5, failureThreshold: 60 },
    livenessProbe: { ...alive, timeoutSeconds: 5, periodSeconds: 10, failureThreshold: 6 },
    readinessProbe: { ...unsealed, timeoutSeconds: 10, periodSeconds: 10, failureThreshold: 6, initialDelaySeconds: 5 },
  };
}

const health = (query: string): Check => ({
  httpGet: { scheme: 'HTTPS', port: apiPort, path: `/v1/sys/health?${query}` },
});

const httpChecks = {
  alive: health('standbyok=true&sealedcode=204&uninitcode=204'),
  unsealed: health('standbyok=true'),
};

/** A server with ACME refuses connections that do not name its domain, which those of the kubelet do not. */
function commandChecks(cluster: OpenBaoCluster): { readonly alive: Check; readonly unsealed: Check } {
  const [domain = ''] = acmeDomains(cluster);
  // Like the kubelet, it does not verify certificates: the CA may be unknown here.
  const status = ['status', `-address=https://127.0.0.1:${apiPort}`, `-tls-server-name=${domain}`, '-tls-skip-verify'];
  return {
    alive: { exec: { command: ['sh', '-c', answers, 'sh', 'bao', ...status] } },
    unsealed: { exec: { command: ['bao', ...status] } },
  };
}

/** Code 2 means sealed or not initialised. */
const answers = '"$@" >/dev/null; case $? in 0 | 2) exit 0 ;; *) exit 1 ;; esac';
