// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { managedCertificate } from '../certificates/managed-certificate.ts';
import type { Manager } from '../controller/manager.ts';
import type { Logger } from '../observability/logger.ts';
import { metricsAccess } from './metrics-access.ts';
import type { OperatorOptions } from './operator-flags.ts';
import type { ProcessHost } from './process-host.ts';
import { requireNamespace } from './require-namespace.ts';
import type { EndpointSecurity } from './serve-endpoints.ts';
import { servingCertificate } from './serving-certificate.ts';

/** The certificate of the metrics and who may read them; undefined when they are served to everybody. */
export async function metricsSecurity(
  name: string,
  { metricsBindAddress: address, metricsSecure, metricsCertDir }: OperatorOptions,
  context: ProcessHost & { api: Client; log: Logger; own: string | undefined; running: Manager; signal: AbortSignal },
): Promise<EndpointSecurity | undefined> {
  if (!metricsSecure || address === undefined) return undefined;
  const managed = () => {
    const namespace = requireNamespace('--metrics-secure: certificates', context.own, ', or use --metrics-cert-dir');
    return managedCertificate({ name, namespace, use: 'metrics', address: address.host });
  };
  const certificate = await servingCertificate(metricsCertDir, managed, context);
  return { certificate, authorize: metricsAccess(context), log: context.log };
}
