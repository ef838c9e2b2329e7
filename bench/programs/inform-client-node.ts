// SPDX-License-Identifier: Apache-2.0
import { CoreV1Api, KubeConfig, makeInformer } from '@kubernetes/client-node';
import type { ClientTls } from '../harness/server-process.ts';
import type { Inform } from './inform.ts';

const base64 = (pem: string): string => Buffer.from(pem).toString('base64');

/** The informer of @kubernetes/client-node. */
export async function informClientNode(server: string, tls: ClientTls): Promise<Inform> {
  const config = new KubeConfig();
  config.loadFromClusterAndUser(
    { name: 'bench', server, caData: base64(tls.ca), skipTLSVerify: false },
    { name: 'bench', certData: base64(tls.cert), keyData: base64(tls.key) },
  );
  const api = config.makeApiClient(CoreV1Api);
  await api.readNamespace({ name: 'default' });
  const list = () => api.listConfigMapForAllNamespaces();
  const informer = makeInformer(config, '/api/v1/configmaps', list);
  return async (onChange) => {
    await informer.start();
    informer.on('update', onChange);
  };
}
