// SPDX-License-Identifier: Apache-2.0
import { commonFields, loadX509, p256, privateKeyPem, type Validity } from './x509.ts';

/** A certificate and its private key, both PEM. */
export interface KeyPair {
  cert: string;
  key: string;
}

/** Makes a self-signed authority of this name. */
export async function certificateAuthority(options: Validity & { name: string }): Promise<KeyPair> {
  const x509 = await loadX509();
  const keys = await crypto.subtle.generateKey(p256, true, ['sign', 'verify']);
  const cert = await x509.X509CertificateGenerator.createSelfSigned({
    ...commonFields(options),
    name: [{ CN: [options.name] }],
    keys,
    signingAlgorithm: p256,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { cert: cert.toString('pem'), key: await privateKeyPem(keys.privateKey) };
}
