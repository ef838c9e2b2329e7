// SPDX-License-Identifier: Apache-2.0
import { conditionCases } from '@forge/runtime/conditions/cases.ts';
import type { Counter, Gauge } from '@forge/runtime/observability/metrics.ts';
import { metricPrefix } from '../api/names.ts';
import { soon } from './rechecks.ts';

/** Whether the certificates are ready. */
export const tlsReady = conditionCases('TLSReady', {
  ready: { status: 'True', reason: 'Ready', message: 'TLS certificates are ready', recheck: 'computed' },
  noAuthority: {
    status: 'False',
    reason: 'WaitingForExternalSecret',
    message: 'Waiting for external TLS CA Secret {name} with the key ca.crt',
    recheck: soon,
  },
  noServer: {
    status: 'False',
    reason: 'WaitingForExternalSecret',
    message: 'Waiting for external TLS server Secret {name} with the keys tls.crt, tls.key and ca.crt',
    recheck: soon,
  },
  mismatch: {
    status: 'False',
    reason: 'CertificateMismatch',
    message: 'tls.crt of Secret {server} does not verify against ca.crt of Secret {ca}: replace one of them',
    recheck: soon,
  },
  failed: { status: 'False', reason: 'Error', message: '{cause}', recheck: 'backoff' },
  paused: { status: 'Unknown', reason: 'Paused', message: 'Nothing is changed while spec.paused is true' },
});

const labels = ['namespace', 'name'] as const;

/** When the server certificate expires. */
export const certificateExpiry: Gauge<'namespace' | 'name' | 'type'> = {
  type: 'gauge',
  name: `${metricPrefix}_tls_cert_expiry_timestamp`,
  help: 'End of the server certificate, in seconds since the epoch; type is spec.tls.mode.',
  labels: [...labels, 'type'],
};

/** How often the server certificate was renewed. */
export const certificateRotations: Counter<'namespace' | 'name'> = {
  type: 'counter',
  name: `${metricPrefix}_tls_rotation_total`,
  help: 'Server certificates issued in place of an earlier one.',
  labels,
};
