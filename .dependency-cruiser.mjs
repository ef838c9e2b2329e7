// SPDX-License-Identifier: Apache-2.0
// Imports point down only; docs/design.md draws the layers.
const above = (layer, ...upper) => ({
  name: `${layer}-imports-down`,
  severity: 'error',
  from: { path: `^packages/${layer}/` },
  to: { path: `^(apps|operators|packages/(${upper.join('|')}))/` },
});

export default {
  forbidden: [
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    { name: 'not-resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'operators-apart',
      severity: 'error',
      from: { path: '^operators/([^/]+)/' },
      to: { path: '^operators/', pathNot: '^operators/$1/' },
    },
    {
      name: 'development-only',
      severity: 'error',
      from: { path: '^operators/', pathNot: '(\\.test\\.ts$|/test/)' },
      to: { path: '^packages/(apiserver|cluster|simulation)/' },
    },
    above('pki', 'kube', 'runtime', 'openstack', 'apiserver', 'cluster', 'simulation'),
    above('kube', 'runtime', 'openstack', 'apiserver', 'cluster', 'simulation'),
    above('runtime', 'openstack', 'apiserver', 'cluster', 'simulation'),
    above('openstack', 'apiserver', 'cluster', 'simulation'),
    above('apiserver', 'openstack', 'cluster', 'simulation'),
    above('cluster', 'openstack', 'simulation'),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)node_modules/' },
    parser: 'swc',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['node', 'import', 'default'],
      extensions: ['.ts'],
    },
  },
};
