// SPDX-License-Identifier: Apache-2.0

/** A certificate and its private key, both PEM. */
export interface ServingCertificate {
  cert: string;
  key: string;
}

/** A source of serving certificates that are renewed from time to time. */
export interface CertificateSource {
  /** Undefined until there is one. */
  current(): ServingCertificate | undefined;
  /** Calls back when the certificate changes. */
  onChange(changed: () => void): void;
}
