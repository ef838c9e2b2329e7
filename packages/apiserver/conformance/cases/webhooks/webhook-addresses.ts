// SPDX-License-Identifier: Apache-2.0
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { selected, selecting } from '../../conversation/hooks.ts';
import { configMap } from '../../objects/objects.ts';

/** Triggers a call of a webhook at each of these paths below the case's own, by an object that only it selects. */
async function callAt(api: Conversation, paths: Readonly<Record<string, string>>): Promise<void> {
  const { url, caBundle } = await api.hooks.at('allow');
  const root = url.slice(0, -`/${api.namespace}/allow`.length);
  await api.hooks.create(
    'validating',
    'v',
    ...Object.entries(paths).map(([label, path]) => ({
      answer: 'allow' as const,
      name: `${label}.v.example.com`,
      clientConfig: { url: `${root}${path}`, caBundle },
      ...selecting(label),
    })),
  );
  for (const label of Object.keys(paths)) await api.post('configmaps', configMap(label, {}, selected(label)));
  await api.hooks.received();
}

/** A Service for the webhook server on this host. */
async function createService(api: Conversation, name: string): Promise<void> {
  await api.post('services', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { type: 'ExternalName', externalName: 'localhost' },
  });
}

/** A Service named hook that redirects to this path. */
async function redirectingService(api: Conversation, path: string) {
  const { caBundle } = await api.hooks.at('allow');
  const port = await api.hooks.port();
  const from = `/${api.namespace}/redirect/307${path}`;
  return { service: { namespace: api.namespace, name: 'hook', port, path: from }, caBundle };
}

/** Addresses of webhooks: certificates, paths, redirects. */
export const webhookAddresses: readonly ConformanceCase[] = [
  testCase("a webhook's own certificate is authority enough", async (api) => {
    const { url } = await api.hooks.at('deny');
    const caBundle = await api.hooks.servingBundle();
    await api.hooks.create('validating', 'v', { answer: 'deny', clientConfig: { url, caBundle } });
    await api.post('configmaps', configMap('a'));
  }),

  testCase('a certificate that signed itself is believed as it is, for the name it has', async (api) => {
    const port = await api.hooks.port();
    const caBundle = await api.hooks.selfSignedBundle(`self-signed.${api.namespace}.svc`);
    const path = `/${api.namespace}/deny`;
    const through = (name: string, bundle: string) => ({
      service: { namespace: api.namespace, name, port, path },
      caBundle: bundle,
    });
    for (const name of ['self-signed', 'self-signed-other']) await createService(api, name);
    const { caBundle: authority } = await api.hooks.at('deny');
    await api.hooks.create(
      'validating',
      'v',
      { answer: 'deny', clientConfig: through('self-signed', caBundle), ...selecting('named') },
      { answer: 'warn', clientConfig: through('self-signed-other', caBundle), ...selecting('other') },
      { answer: 'allow', clientConfig: through('self-signed', authority), ...selecting('foreign') },
    );
    for (const each of ['named', 'other', 'foreign']) await api.post('configmaps', configMap('a', {}, selected(each)));
  }),

  testCase('the path of a webhook is cleaned', async (api) => {
    const own = `/${api.namespace}`;
    await callAt(api, {
      doubled: `/${own}//allow`,
      ending: `${own}/allow/`,
      dots: `${own}/x/../y/./../allow`,
      escaped: `${own}/allow%2Fa%20b%2F..%2F%21%27%28*%3F`,
      none: '',
    });
  }),

  testCase('the path of a webhook behind a service is cleaned', async (api) => {
    const port = await api.hooks.port();
    const { caBundle } = await api.hooks.at('allow');
    await createService(api, 'hook');
    const path = `/${api.namespace}/deny/`;
    const service = { namespace: api.namespace, name: 'hook', port, path };
    await api.hooks.create('validating', 'v', { answer: 'deny', clientConfig: { service, caBundle } });
    await api.post('configmaps', configMap('a'));
    await api.hooks.received();
  }),

  testCase('a webhook that redirects is asked where it points', async (api) => {
    const own = `/${api.namespace}/redirect`;
    await callAt(api, {
      temporary: `${own}/307/deny-with-message`,
      permanent: `${own}/308/warn`,
      relative: `${own}/307/relative/deny`,
      twice: `${own}/307/redirect/308/deny`,
    });
  }),

  testCase('a webhook that redirects otherwise is read where it points', async (api) => {
    const own = `/${api.namespace}/redirect`;
    await callAt(api, {
      moved: `${own}/301/allow`,
      found: `${own}/302/allow`,
      other: `${own}/303/allow`,
      later: `${own}/302/redirect/307/allow`,
      multiple: `${own}/300/allow`,
      unchanged: `${own}/304/allow`,
    });
  }),

  testCase('a redirect that leads nowhere fails', async (api) => {
    const own = `/${api.namespace}/redirect`;
    await callAt(api, {
      nowhere: `${own}/307/`,
      endless: `${own}/307/without-end`,
      missing: `${own}/307/nothing-here`,
    });
  }),

  testCase('a service that redirects is asked where it points', async (api) => {
    await createService(api, 'hook');
    await api.hooks.create('validating', 'v', {
      answer: 'deny',
      clientConfig: await redirectingService(api, '/deny'),
    });
    await api.post('configmaps', configMap('a'));
    await api.hooks.received();
  }),

  testCase('a webhook that redirects elsewhere is asked there', async (api) => {
    const own = `/${api.namespace}/redirect`;
    await createService(api, 'hook');
    await api.hooks.create('validating', 'w', {
      answer: 'warn',
      clientConfig: await redirectingService(api, '/localhost/deny-with-message'),
      ...selecting('service'),
    });
    await api.post('configmaps', configMap('service', {}, selected('service')));
    await callAt(api, { localhost: `${own}/307/localhost/deny`, unencrypted: `${own}/307/unencrypted` });
  }),
];
