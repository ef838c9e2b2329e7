// SPDX-License-Identifier: Apache-2.0
import type { Server } from 'node:https';
import type { Logger } from '../observability/logger.ts';
import type { CertificateSource } from './certificate-source.ts';

const minVersion = 'TLSv1.2';

/** The TLS settings of a server with this certificate; until there is one, no handshake succeeds. */
export function tlsOptions(certificate: CertificateSource) {
  return { ...certificate.current(), minVersion } as const;
}

/** Lets the server use each new certificate, without closing connections. */
export function followCertificate(server: Server, certificate: CertificateSource, log: Logger): void {
  certificate.onChange(() => {
    try {
      server.setSecureContext(tlsOptions(certificate));
    } catch (error) {
      log.error('cannot use the new serving certificate; keeping the last one', { error });
    }
  });
}
