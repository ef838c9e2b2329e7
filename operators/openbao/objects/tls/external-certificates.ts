// SPDX-License-Identifier: Apache-2.0
import type { Secret } from '@forge/kube/kinds/builtin.ts';
import { isTrustedBy } from '@forge/pki/read-certificate.ts';
import { textIn } from './stored-certificates.ts';

/** Why external certificates cannot be used; their expiry is never a reason. */
export type ExternalProblem = 'AuthorityMissing' | 'ServerMissing' | 'Mismatch';

/** The first problem of external certificates; undefined when there is none. */
export function externalProblem(
  authority: Secret | undefined,
  server: Secret | undefined,
): ExternalProblem | undefined {
  const trusted = textIn(authority, 'ca.crt');
  if (trusted === '') return 'AuthorityMissing';
  const chain = textIn(server, 'tls.crt');
  // Pods mount only the Secret of the server, so it must contain the CA, too.
  if (chain === '' || textIn(server, 'tls.key') === '' || textIn(server, 'ca.crt') === '') return 'ServerMissing';
  try {
    return isTrustedBy(chain, trusted) ? undefined : 'Mismatch';
  } catch {
    return 'Mismatch';
  }
}
