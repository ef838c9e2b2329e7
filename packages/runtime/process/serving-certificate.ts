// SPDX-License-Identifier: Apache-2.0
import type { CertificateSource } from '../certificates/certificate-source.ts';
import { fileCertificate } from '../certificates/file-certificate.ts';
import type { ManagedCertificate } from '../certificates/managed-certificate.ts';
import type { Manager } from '../controller/manager.ts';
import type { Logger } from '../observability/logger.ts';
import type { ProcessHost } from './process-host.ts';

/** The certificate in the folder; without a folder the self-managed one, which the manager renews. */
export async function servingCertificate(
  folder: string,
  managed: () => ManagedCertificate,
  context: Pick<ProcessHost, 'readFile' | 'clock'> & { log: Logger; running: Manager; signal: AbortSignal },
): Promise<CertificateSource> {
  if (folder !== '') return await fileCertificate(folder, context);
  const { running } = context;
  const certificate = managed();
  running.add(certificate.controller);
  return certificate.source(running.cache);
}
