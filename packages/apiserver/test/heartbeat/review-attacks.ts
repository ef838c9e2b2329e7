// SPDX-License-Identifier: Apache-2.0
import { filled, namespace, numbered, post, storedSize, type Attack } from './attack.ts';

/** Reviews of access and tokens. */
export const reviewAttacks: readonly Attack[] = [
  post(
    201,
    'a review of many groups',
    () =>
      `{"kind":"SelfSubjectAccessReview","apiVersion":"authorization.k8s.io/v1","spec":{"resourceAttributes":{"labelSelector":{"requirements":[${numbered((index) => `{"key":"a${index}","operator":"In","values":["b"]}`)}]}}}}`,
  ),
  post(
    201,
    'a review with a long selector',
    () =>
      `{"kind":"SelfSubjectAccessReview","apiVersion":"authorization.k8s.io/v1","spec":{"resourceAttributes":{"labelSelector":{"rawSelector":"${numbered((index) => `a${index}=b`)}"}}}}`,
  ),
  post(
    201,
    'a token review',
    () =>
      `{"kind":"TokenReview","apiVersion":"authentication.k8s.io/v1","spec":{"token":"${filled('a.', storedSize)}","audiences":[]}}`,
    '/apis/authentication.k8s.io/v1/tokenreviews',
    'definer',
  ),
  post(
    201,
    'audiences of a token',
    () =>
      `{"kind":"TokenRequest","apiVersion":"authentication.k8s.io/v1","spec":{"audiences":[${numbered((index) => `"a${index}"`)}]}}`,
    `${namespace}/serviceaccounts/default/token`,
    'editor',
  ),
  post(
    201,
    'a subject review of many groups',
    () =>
      `{"kind":"SubjectAccessReview","apiVersion":"authorization.k8s.io/v1","spec":{"user":"a","groups":[${numbered((index) => `"g${index}"`)}],"resourceAttributes":{"verb":"get","resource":"pods"}}}`,
    '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    'definer',
  ),
];
