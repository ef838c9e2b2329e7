// SPDX-License-Identifier: Apache-2.0
import { account, tokenOf, whoAmI, withToken } from '../../conversation/callers.ts';
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { pod } from '../../objects/objects.ts';

const apiVersion = 'authentication.k8s.io/v1';
const reviews = `/apis/${apiVersion}/tokenreviews`;

function secret(name: string) {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name } };
}

function reviewToken(api: Conversation, token: string, more: object = {}) {
  return api.post(reviews, { apiVersion, kind: 'TokenReview', spec: { token, ...more } });
}

/** ServiceAccount tokens and token reviews. */
export const accountTokens: readonly ConformanceCase[] = [
  testCase('a token of an account is issued as it is asked for', async (api) => {
    await api.post('serviceaccounts', account('robot'));
    await tokenOf(api, 'robot');
    await tokenOf(api, 'robot', { expirationSeconds: 600, audiences: ['a', 'b'] });
    await tokenOf(api, 'robot', { expirationSeconds: 6000 });
    const metadata = { name: 'robot', namespace: api.namespace };
    await api.post('serviceaccounts/robot/token', { apiVersion, kind: 'TokenRequest', metadata, spec: {} });
    await api.post('serviceaccounts/robot/token', {});
  }),

  testCase('a token that cannot be is refused', async (api) => {
    await api.post('serviceaccounts', account('robot'));
    const ask = (more: object, name = 'robot') =>
      api.post(`serviceaccounts/${name}/token`, { apiVersion, kind: 'TokenRequest', spec: {}, ...more });
    await ask({}, 'missing');
    await ask({ spec: { expirationSeconds: 599 } });
    await ask({ spec: { expirationSeconds: 2 ** 32 + 1 } });
    await ask({ metadata: { name: 'other' } });
    await ask({ spec: { boundObjectRef: { apiVersion: 'v1', kind: 'ConfigMap', name: 'a' } } });
    await ask({ spec: { boundObjectRef: { apiVersion: 'apps/v1', kind: 'Pod', name: 'a' } } });
    await ask({ spec: { boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 'missing' } } });
    await api.post('pods', pod('a'));
    await ask({ spec: { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'a' } } });
    await api.post('secrets', secret('a'));
    await ask({ spec: { boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 'a', uid: '1234' } } });
    await ask({ metadata: { uid: '1234' } });
    await api.get('serviceaccounts/robot/token');
  }),

  testCase('who shows the token of an account is that account', async (api) => {
    await api.post('serviceaccounts', account('robot'));
    const robot = withToken(await tokenOf(api, 'robot'));
    await whoAmI(api, robot);
    await api.get('configmaps', {}, robot);
    await api.post('serviceaccounts/robot/token', { spec: {} }, {}, robot);
    await api.get('configmaps', {}, withToken(await tokenOf(api, 'robot', { audiences: ['elsewhere'] })));
  }),

  testCase('a token that somebody has changed is worth nothing', async (api) => {
    await api.post('serviceaccounts', account('robot'));
    const [head, , signature] = (await tokenOf(api, 'robot')).split('.');
    const [, claims] = (await tokenOf(api, 'robot', { expirationSeconds: 6000 })).split('.');
    await api.get('configmaps', {}, withToken(`${head}.${claims}.${signature}`));
    await api.get('configmaps', {}, withToken(`${head}.${claims}.`));
  }),

  testCase('a token is worth nothing without its account', async (api) => {
    await api.post('serviceaccounts', account('robot'));
    const first = await tokenOf(api, 'robot');
    const second = await tokenOf(api, 'robot');
    await api.delete('serviceaccounts/robot');
    await api.catchUp();
    await reviewToken(api, first);
    await api.get('configmaps', {}, withToken(first));
    await api.post('serviceaccounts', account('robot'));
    await api.catchUp();
    await reviewToken(api, second);
  }),

  testCase('a token is worth nothing without the secret it is bound to', async (api) => {
    await api.post('serviceaccounts', account('robot'));
    await api.post('secrets', secret('a'));
    const spec = { boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 'a' } };
    await whoAmI(api, withToken(await tokenOf(api, 'robot', spec)));
    const second = await tokenOf(api, 'robot', spec);
    const third = await tokenOf(api, 'robot', spec);
    await api.delete('secrets/a');
    await api.catchUp();
    await reviewToken(api, second);
    await api.post('secrets', secret('a'));
    await api.catchUp();
    await reviewToken(api, third);
  }),

  testCase('a token that is bound to a pod tells of it and of its node', async (api) => {
    await api.post('serviceaccounts', account('robot'));
    await api.post('pods', pod('a', { serviceAccountName: 'robot', nodeName: 'nowhere' }));
    const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: 'a' };
    await whoAmI(api, withToken(await tokenOf(api, 'robot', { boundObjectRef })));
    await tokenOf(api, 'robot', { boundObjectRef, expirationSeconds: 3607 });
    const last = await tokenOf(api, 'robot', { boundObjectRef });
    await api.delete('pods/a', { gracePeriodSeconds: 0 });
    await api.catchUp();
    await reviewToken(api, last);
  }),

  testCase('whose a token is can be asked', async (api) => {
    await api.post('serviceaccounts', account('robot'));
    await reviewToken(api, 'contract');
    await reviewToken(api, 'nonsense');
    await reviewToken(api, '');
    await api.post(reviews, {});
    await reviewToken(api, 'contract', { audiences: ['elsewhere'] });
    const token = await tokenOf(api, 'robot', { audiences: ['here', 'there'] });
    await reviewToken(api, token);
    await reviewToken(api, token, { audiences: ['there', 'elsewhere'] });
  }),
];
