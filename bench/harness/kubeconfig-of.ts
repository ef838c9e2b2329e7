// SPDX-License-Identifier: Apache-2.0
import type { ClientTls } from './server-process.ts';

const base64 = (pem: string): string => Buffer.from(pem).toString('base64');

/** The kubeconfig of a client, as JSON, so that no YAML parser is loaded, as in a pod. */
export function kubeconfigOf(server: string, { ca, cert, key }: ClientTls): string {
  return JSON.stringify({
    'current-context': 'bench',
    contexts: [{ name: 'bench', context: { cluster: 'bench', user: 'bench' } }],
    clusters: [{ name: 'bench', cluster: { server, 'certificate-authority-data': base64(ca) } }],
    users: [{ name: 'bench', user: { 'client-certificate-data': base64(cert), 'client-key-data': base64(key) } }],
  });
}
