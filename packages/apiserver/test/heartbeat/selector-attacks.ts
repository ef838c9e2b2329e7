// SPDX-License-Identifier: Apache-2.0
import { many, namespace, numbered, patch, post, type Attack } from './attack.ts';

const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';

/** A budget for pods. */
function budget(status: number, name: string, selector: () => string): Attack {
  const head = '{"kind":"PodDisruptionBudget","apiVersion":"policy/v1","metadata":{"generateName":"a"}';
  const body = () => `${head},"spec":{"minAvailable":1,"selector":{${selector()}}}}`;
  const path = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
  return post(status, `a budget with ${name}`, body, path, 'editor');
}

/** A role that gathers the rules of others; applied, so that it is the only one that is deleted afterwards. */
function aggregated(name: string, selectors: () => string): Attack {
  const head = '{"kind":"ClusterRole","apiVersion":"rbac.authorization.k8s.io/v1","metadata":{"name":"hostile"}';
  const body = () => `${head},"aggregationRule":{"clusterRoleSelectors":[${selectors()}]}}`;
  const attack = patch(201, `an aggregated role with ${name}`, 'apply-patch+yaml', `${roles}/hostile`, body);
  return { ...attack, by: 'definer' };
}

const absent = (index: number) => `{"key":"a${index}","operator":"DoesNotExist"}`;
/** Selectors that are stored in objects, and the controllers that use them. */
export const selectorAttacks: readonly Attack[] = [
  budget(422, 'as many requirements as fit', () => `"matchExpressions":[${numbered(absent)}]`),
  budget(201, 'as many requirements as may be', () => `"matchExpressions":[${many(1000, absent)}]`),
  budget(
    422,
    'as many values as fit',
    () => `"matchExpressions":[{"key":"a","operator":"NotIn","values":[${numbered((index) => `"${index}"`)}]}]`,
  ),
  post(
    422,
    'the selector of a Service',
    () =>
      `{"kind":"Service","apiVersion":"v1","metadata":{"generateName":"a"},"spec":{"ports":[{"port":1}],"selector":{${numbered((index) => `"a${index}":"a"`)}}}}`,
    `${namespace}/services`,
    'editor',
  ),
  aggregated('selectors of nothing', () => many(19_000, (index) => `{"matchLabels":{"a${index}":"a"}}`)),
  aggregated('selectors of everything', () => many(19_000, () => '{}')),
  aggregated('selectors with many requirements', () =>
    many(20, () => `{"matchExpressions":[${many(900, absent)},{"key":"b","operator":"Exists"}]}`),
  ),
];
