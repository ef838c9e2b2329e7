// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CustomResourceDefinition, Namespace } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { Backup } from './objects.ts';
import { testServer, type TestServer } from './test-server.ts';

const definitionRef = { name: 'backups.example.com' };
const pathIn = (version: string, namespace = 'default') =>
  `/apis/example.com/${version}/namespaces/${namespace}/backups`;

/** Backups stored as v1 and also served as v1beta1, which names a field differently. */
function definition(more: Partial<CustomResourceDefinition['spec']> = {}): CustomResourceDefinition {
  const crd = crdOf(Backup);
  const [stored] = crd.spec.versions;
  assert.ok(stored !== undefined);
  const older = structuredClone(stored);
  const { spec } = older.schema?.openAPIV3Schema?.properties ?? {};
  spec!.properties = { schedule: { type: 'string' }, number: { type: 'integer' } };
  delete spec!.required;
  const versions = [{ ...older, name: 'v1beta1', storage: false }, stored];
  return { ...crd, spec: { ...crd.spec, versions, ...more } };
}

async function withBackups(more?: Partial<CustomResourceDefinition['spec']>): Promise<TestServer> {
  const running = await testServer();
  await running.api.create(CustomResourceDefinition, definition(more));
  return running;
}

/** A backup in the older version, as clients send it. */
async function post({ transport }: TestServer, namespace = 'default'): Promise<number> {
  const body = {
    apiVersion: 'example.com/v1beta1',
    kind: 'Backup',
    metadata: { name: 'nightly' },
    spec: { schedule: 'daily' },
  };
  return (await transport.request({ method: 'POST', path: pathIn('v1beta1', namespace), body })).status;
}

const webhookConversion = {
  strategy: 'Webhook',
  webhook: {
    clientConfig: { url: 'https://example.com/convert' },
    conversionReviewVersions: ['v1'],
  },
};

describe('a definition that serves several versions', () => {
  test('is in aggregated discovery with all of them, the preferred one first', async () => {
    const { get } = await withBackups();
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
    const { body } = await get('/apis', {}, { accept });
    const { items } = body as {
      items: { metadata: { name: string }; versions: { version: string; resources: { resource: string }[] }[] }[];
    };
    const group = items.find(({ metadata }) => metadata.name === 'example.com');
    assert.deepEqual(
      group?.versions.map(({ version, resources }) => [version, resources.map(({ resource }) => resource)]),
      [
        ['v1', ['backups']],
        ['v1beta1', ['backups']],
      ],
    );
  });

  test('has an OpenAPI document for each, with the schema of that version', async () => {
    const { get } = await withBackups();
    const { body: index } = await get('/openapi/v3');
    const { paths } = index as { paths: Record<string, { serverRelativeURL: string }> };
    const fields = async (version: string): Promise<string[]> => {
      assert.match(paths[`apis/example.com/${version}`]?.serverRelativeURL ?? '', /\?hash=/);
      const { body } = await get(`/openapi/v3/apis/example.com/${version}`);
      const { components } = body as {
        components: { schemas: Record<string, { properties: { spec: { properties: object } } }> };
      };
      return Object.keys(components.schemas[`com.example.${version}.Backup`]?.properties.spec.properties ?? {});
    };
    assert.deepEqual(await fields('v1beta1'), ['schedule', 'number']);
    assert.ok((await fields('v1')).includes('copies'));
  });

  test('has its objects deleted with their namespace, whatever version they were written in', async () => {
    const running = await withBackups();
    const { api, get, clock } = running;
    await api.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } });
    assert.equal(await post(running, 'other'), 201);
    await api.delete(Namespace, { name: 'other' });
    await clock.settle();
    assert.equal((await get('/api/v1/namespaces/other')).status, 404);
    const { body } = await get('/apis/example.com/v1/backups');
    assert.deepEqual((body as { items: unknown[] }).items, []);
  });

  test('keeps the objects of a version that is no longer served', async () => {
    const running = await withBackups();
    assert.equal(await post(running), 201);
    const { versions } = definition().spec;
    const [older, stored] = versions;
    assert.ok(older !== undefined && stored !== undefined);
    await running.api.patch(CustomResourceDefinition, definitionRef, 'merge', {
      spec: { versions: [older, { ...stored, served: false }] },
    });
    assert.equal((await running.get(`${pathIn('v1')}/nightly`)).status, 404);
    assert.equal((await running.get(`${pathIn('v1beta1')}/nightly`)).status, 200);
  });
});

describe('a definition with a conversion webhook', () => {
  test('is served in the storage version only, with a warning', async () => {
    const running = await testServer();
    const response = await running.server.handle({
      method: 'POST',
      path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      query: {},
      headers: {},
      user: { name: 'admin', groups: ['system:masters'] },
      body: definition({ conversion: webhookConversion }),
    });
    assert.equal(response.status, 201);
    assert.deepEqual(response.warnings, [
      'spec.conversion.strategy: conversion webhooks are not called by this server; it serves only the storage version v1',
    ]);
    assert.equal((await running.get(pathIn('v1'))).status, 200);
    assert.equal((await running.get(pathIn('v1beta1'))).status, 404);
  });

  test('is served without a warning when it has one version', async () => {
    const { spec } = definition();
    const running = await withBackups({ conversion: webhookConversion, versions: spec.versions.slice(1) });
    assert.equal((await running.get(pathIn('v1'))).status, 200);
  });
});
