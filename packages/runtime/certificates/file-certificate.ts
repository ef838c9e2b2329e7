// SPDX-License-Identifier: Apache-2.0
import type { ReadFile } from '@forge/kube/client/connection.ts';
import type { Clock } from '../environment/clock.ts';
import { seconds } from '../environment/duration.ts';
import type { Logger } from '../observability/logger.ts';
import type { CertificateSource, ServingCertificate } from './certificate-source.ts';

const checkInterval = seconds(10);

/** The certificate in a folder, `tls.crt` and `tls.key`, read again every ten seconds. */
export async function fileCertificate(
  folder: string,
  { readFile, clock, log, signal }: { readFile: ReadFile; clock: Clock; log: Logger; signal: AbortSignal },
): Promise<CertificateSource> {
  const read = async (): Promise<ServingCertificate> => {
    const [cert, key] = await Promise.all([readFile(`${folder}/tls.crt`), readFile(`${folder}/tls.key`)]);
    return { cert, key };
  };
  let current = await read().catch((error: unknown) => {
    throw new Error(`No serving certificate in ${folder}: tls.crt and tls.key must be there`, { cause: error });
  });
  const listeners: (() => void)[] = [];

  async function check(): Promise<void> {
    try {
      const found = await read();
      if (found.cert !== current.cert || found.key !== current.key) {
        current = found;
        for (const listener of listeners) listener();
      }
    } catch (error) {
      log.warn('cannot read the serving certificate; keeping the last one', { folder, error });
    }
    scheduleCheck();
  }

  function scheduleCheck(): void {
    if (signal.aborted) return;
    const cancel = clock.after(checkInterval, () => {
      signal.removeEventListener('abort', cancel);
      void check();
    });
    signal.addEventListener('abort', cancel);
  }

  scheduleCheck();
  return { current: () => current, onChange: (listener) => void listeners.push(listener) };
}
