// SPDX-License-Identifier: Apache-2.0
import { openbaoApi } from '@forge/openbao/clients/openbao-api.ts';
import { rememberedLogins } from '@forge/openbao/clients/remembered-logins.ts';
import { openbaoController } from '@forge/openbao/reconcile.ts';
import type { Controller } from '@forge/runtime/controller/controller.ts';
import type { HttpClient } from '@forge/runtime/http/http-client.ts';

const stream = () => Promise.reject(new Error('nothing streams here'));

/** The controllers of the openbao operator, with servers that answer its two calls at once. */
export function answeringOpenBao(): Controller[] {
  const initialized = new Set<string>();
  const send: HttpClient['send'] = async ({ method, url }) => {
    const { host } = new URL(url);
    if (method === 'PUT') initialized.add(host);
    const health = {
      initialized: initialized.has(host),
      sealed: !initialized.has(host),
      standby: false,
      version: '2.7.2',
    };
    const answer = method === 'PUT' ? { root_token: `s.${host}` } : health;
    return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(answer)) };
  };
  const openbao = openbaoApi(() => ({ send, stream }));
  return [
    openbaoController({
      reading: { openbao, logins: rememberedLogins({ monotonic: () => 0 }), ownNamespace: 'forge-system' },
      acting: { openbao },
    }),
  ];
}
