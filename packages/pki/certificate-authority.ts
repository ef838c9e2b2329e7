// SPDX-License-Identifier: Apache-2.0
import { certificate, distinguishedName, extension, type KeyPair, type Making } from './certificate.ts';
import { bits, sequence, yes } from './der.ts';

/** Creates a self-signed certificate authority of this name. */
export function certificateAuthority({ name, ...making }: Making & { name: string }): KeyPair {
  return certificate({
    making,
    subject: distinguishedName(name),
    extensions: [
      extension('2.5.29.19', sequence(yes), 'critical'),
      // Signs certificates and revocations.
      extension('2.5.29.15', bits(Buffer.from([0b0000_0110]), 1), 'critical'),
    ],
  });
}
