// SPDX-License-Identifier: Apache-2.0
import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Client } from '@forge/kube/client/client.ts';
import { SubjectAccessReview } from '@forge/kube/kinds/builtin.ts';

/** Why a request is rejected. */
export interface Refusal {
  status: number;
  message: string;
}

/**
 * Asks the API server whether the user of the request's certificate may access nodes/proxy of this node; undefined when
 * allowed.
 */
export async function authorize(
  client: Client,
  nodeName: string,
  { method = 'GET', socket }: IncomingMessage,
): Promise<Refusal | undefined> {
  const { CN = '', O = [] } = (socket as TLSSocket).getPeerCertificate().subject as Subject;
  const verb = method === 'POST' ? 'create' : 'get';
  const attributes = `(user=${CN}, verb=${verb}, resource=nodes, subresource(s)=[proxy])`;
  const resourceAttributes = {
    group: '',
    version: 'v1',
    resource: 'nodes',
    subresource: 'proxy',
    name: nodeName,
    verb,
  };
  try {
    const { status } = await client.create(SubjectAccessReview, {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      // A review has no name.
      metadata: {} as SubjectAccessReview['metadata'],
      spec: { user: CN, groups: [O, 'system:authenticated'].flat(), resourceAttributes },
    });
    return status?.allowed === true ? undefined : { status: 403, message: `Forbidden ${attributes}` };
  } catch (error) {
    return { status: 500, message: `Authorization error ${attributes}: ${(error as Error).message}` };
  }
}

interface Subject {
  CN?: string;
  O?: string | string[];
}
