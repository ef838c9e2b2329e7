// SPDX-License-Identifier: Apache-2.0
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';

/** Discovery. */
export const discovery: readonly ConformanceCase[] = [
  testCase('a group tells its versions', async (api) => {
    await api.get('/apis/apps');
  }),

  testCase('a version tells its resources', async (api) => {
    await api.get('/apis/coordination.k8s.io/v1');
  }),

  testCase('a version tells the resources that come with others', async (api) => {
    await api.get('/apis/apiextensions.k8s.io/v1');
    await api.get('/apis/authentication.k8s.io/v1');
    await api.get('/apis/authorization.k8s.io/v1');
    await api.get('/apis/autoscaling/v2');
    await api.get('/apis/batch/v1');
    await api.get('/apis/policy/v1');
    await api.get('/apis/rbac.authorization.k8s.io/v1');
  }),

  testCase('all namespaces cannot be deleted at once', async (api) => {
    await api.delete('/api/v1/namespaces');
  }),

  testCase('the core group tells its versions', async (api) => {
    await api.get('/api');
  }),

  testCase('what is not served is told so', async (api) => {
    await api.get('/apis/example.com/v1');
    await api.get('/apis/apps/v9');
    await api.get('example.com/v1/widgets');
    await api.get('nothings');
    await api.get('/nothing');
  }),
];
