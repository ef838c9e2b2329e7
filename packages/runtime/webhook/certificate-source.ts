// SPDX-License-Identifier: Apache-2.0

/** A certificate and its private key, both PEM. */
export interface ServingCertificate {
  cert: string;
  key: string;
}

/** Where a server has its certificate from, which is renewed from time to time. */
export interface CertificateSource {
  /** Undefined as long as there is none. */
  current(): ServingCertificate | undefined;
  /** Calls when there is another one. */
  onChange(changed: () => void): void;
}
