// SPDX-License-Identifier: Apache-2.0

/** Labels of every object of the cluster of the tests. */
export const labels = {
  'app.kubernetes.io/name': 'openbao',
  'app.kubernetes.io/instance': 'demo',
  'app.kubernetes.io/managed-by': 'openbao-operator',
  'openbao.org/cluster': 'demo',
};

/** Labels of the pods of its servers. */
export const serverLabels = { ...labels, 'openbao.org/component': 'server' };
