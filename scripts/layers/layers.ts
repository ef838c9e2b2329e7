// SPDX-License-Identifier: Apache-2.0

/** A package, what it may import, and its rooms. */
interface Layer {
  /** One line for the picture in docs/design.md. */
  description: string;
  /** The packages that it may import. */
  imports: readonly string[];
  /** Its folders, from top to bottom: each may import those after it; `.` is the package's own folder. */
  rooms?: readonly string[];
  /** For development and tests: operators must not import it, any test may. */
  development?: true;
}

/** Every package, from top to bottom: what stands higher may import what stands lower, never the other way round. */
export const layers: Readonly<Record<string, Layer>> = {
  'apps/cli': {
    description: 'the programs: forge up, forge down, forge-apiserver; it may import everything',
    imports: [],
    rooms: ['.', 'apiserver', 'up', 'credentials', 'data', 'terminal'],
  },
  'operators/keystone': {
    description: 'one operator; operators never import each other',
    imports: ['packages/kube', 'packages/runtime', 'packages/openstack', 'packages/cron'],
  },
  'packages/openstack': {
    description: 'what operators share about OpenStack: oslo INI, releases',
    imports: ['packages/kube', 'packages/runtime'],
  },
  'packages/runtime': {
    description: 'controllers: cache, queue, steps, conditions, events, webhooks, plans, the operator process, clock',
    imports: ['packages/kube', 'packages/pki'],
    rooms: [
      'manifests',
      'process',
      'plan',
      'jobs',
      'engine',
      'engine/context',
      'steps',
      'webhook',
      'apply',
      'controller',
      'contract',
      'election',
      'events',
      'cache',
      'queue',
      'metrics',
      'tracing',
      'logging',
      'http',
      'secrets',
      'objects',
      'collections',
      'testing',
      'time',
      'random',
    ],
  },
  'packages/kube': {
    description: 'API machinery: kinds, schemas, client, transports, patches, selectors',
    imports: [],
    rooms: [
      'generate',
      'third-party',
      'client',
      'protobuf',
      'patch',
      'selectors',
      'kinds',
      'generated',
      'schema',
      'errors',
      'regex',
      'objects',
    ],
  },
  'packages/pki': {
    description: 'certificates',
    imports: [],
  },
  'packages/cron': {
    description: 'cron expressions and their next times, as robfig/cron computes them',
    imports: [],
  },
  'packages/simulation': {
    description: 'whole clusters on a virtual clock, with faults from a seed',
    imports: ['packages/kube', 'packages/runtime', 'packages/pki', 'packages/apiserver', 'packages/cluster'],
    rooms: ['world', 'run', 'process', 'scenario', 'faults', 'outcome', 'scheduler'],
    development: true,
  },
  'packages/cluster': {
    description: 'workload controllers, the node and its images',
    imports: ['packages/kube', 'packages/runtime', 'packages/pki'],
    rooms: [
      'controllers',
      'controllers/deployment',
      'controllers/replica-set',
      'controllers/job',
      'controllers/endpoint-slice',
      'controllers/scheduler',
      'controllers/volumes',
      'controllers/nodes',
      'controllers/ownership',
      'stand-ins/external-secrets',
      'stand-ins/gateway',
      'stand-ins/mariadb',
      'stand-ins/memcached',
      'stand-ins',
      'fake-node',
      'node',
      'node/api',
      'node/streaming',
      'node/pods',
      'node/probes',
      'node/containers',
      'node/exec',
      'node/logs',
      'node/volumes',
      'node/mounts',
      'node/references',
      'node/network',
      'images',
      'host',
      'objects',
    ],
    development: true,
  },
  'packages/apiserver': {
    description: 'a Kubernetes API server, embedded',
    imports: ['packages/kube', 'packages/runtime', 'packages/pki', 'packages/cron'],
    development: true,
  },
  'examples/websites': {
    description: 'an operator to learn from',
    imports: ['packages/kube', 'packages/runtime'],
    development: true,
  },
};
