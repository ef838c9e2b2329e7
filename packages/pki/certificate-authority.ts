// SPDX-License-Identifier: Apache-2.0
import { certificate, distinguishedName, extension, type KeyPair, type Making } from './certificate.ts';
import { bits, sequence, yes } from './der.ts';

/** Creates a self-signed certificate authority of this name, and of these organizations, if any. */
export function certificateAuthority({
  name,
  organizations = [],
  ...making
}: Making & { name: string; organizations?: readonly string[] }): KeyPair {
  return certificate({
    making,
    subject: distinguishedName(name, organizations),
    extensions: [
      extension('2.5.29.19', sequence(yes), 'critical'),
      // Signs certificates and revocations.
      extension('2.5.29.15', bits(Buffer.from([0b0000_0110]), 1), 'critical'),
    ],
  });
}
