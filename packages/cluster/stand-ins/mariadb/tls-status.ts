// SPDX-License-Identifier: Apache-2.0
import type { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { minutes } from '@forge/runtime/environment/duration.ts';

type TlsStatus = NonNullable<NonNullable<MariaDB['status']>['tls']>;

const day = minutes(24 * 60);
const authorityDays = 3 * 365;
const certificateDays = 90;

/** The status of the certificates that mariadb-operator would issue; this stand-in does not issue them. */
export function tlsStatus({ metadata, spec }: MariaDB): TlsStatus | undefined {
  if (spec.tls?.enabled !== true) return undefined;
  const { name, namespace, creationTimestamp = '' } = metadata;
  const issuer = `CN=${name}-ca`;
  const created = Date.parse(creationTimestamp);
  const certificate = (subject: string, days: number) => ({
    issuer,
    subject,
    notBefore: timeAt(created - minutes(60)),
    notAfter: timeAt(created + days * day),
  });
  return {
    caBundle: [certificate(issuer, authorityDays)],
    serverCert: certificate(`CN=${name}.${namespace}.svc.cluster.local`, certificateDays),
    clientCert: certificate(`CN=${name}-client`, certificateDays),
  };
}

function timeAt(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/, 'Z');
}
