// SPDX-License-Identifier: Apache-2.0
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** A package, what it may import, and its rooms. */
interface Layer {
  /** One line for the picture in docs/design.md. */
  description: string;
  /** The packages that it may import. */
  imports: readonly string[];
  /** The operators of which it may import the kinds: their rooms `api`. */
  importsKindsOf?: readonly string[];
  /** Its folders, from top to bottom: each may import those after it; `.` is the package's own folder. */
  rooms?: readonly string[];
  /** Folders within a room are parts of it. */
  nested?: true;
  /** For development and tests: operators must not import it, any test may. */
  development?: true;
}

/** The rooms of operators, from top to bottom; each operator has those that it needs. */
const operatorRooms = ['.', 'executor', 'admission', 'steps', 'clients', 'conditions', 'objects', 'api'];

/** The operators: all are equal, but for the description and the dependencies in their package.json. */
function operatorLayers(): Record<string, Layer> {
  const entries = globSync('operators/*/package.json')
    .toSorted()
    .map((file): [string, Layer] => {
      const folder = dirname(file);
      const { description, dependencies } = JSON.parse(readFileSync(file, 'utf8')) as {
        description: string;
        dependencies: Readonly<Record<string, string>>;
      };
      const used = Object.keys(dependencies).map((name) => name.replace('@forge/', 'operators/'));
      return [
        folder,
        {
          description,
          imports: ['packages/kube', 'packages/runtime', 'packages/openstack', 'packages/pki', 'packages/cron'],
          importsKindsOf: used.filter((name) => existsSync(name)),
          rooms: operatorRooms.filter((room) => existsSync(`${folder}/${room}`)),
          nested: true,
        },
      ];
    });
  return Object.fromEntries(entries);
}

/** The room of each stand-in. */
const standInRooms = globSync('packages/cluster/stand-ins/*/README.md')
  .map((file) => dirname(file).replace('packages/cluster/', ''))
  .filter((room) => room !== 'stand-ins/register')
  .toSorted();

/** Every package, from top to bottom: what stands higher may import what stands lower, never the other way round. */
export const layers: Readonly<Record<string, Layer>> = {
  'apps/cli': {
    description: 'the programs: forge up, status, down and seed, forge-apiserver; it may import everything',
    imports: [],
    rooms: ['.', 'status', 'check', 'up', 'openbao', 'credentials', 'data', 'terminal'],
  },
  'operators/operators.ts': {
    description: 'the register of operators, for all that lists them; it may import everything',
    imports: [],
  },
  ...operatorLayers(),
  'packages/openstack': {
    description:
      'what operators share about OpenStack: oslo INI, releases, schemas, the secret store, a client of the identity API',
    imports: ['packages/kube', 'packages/runtime'],
    rooms: ['.', 'schema'],
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
      'certificates',
      'apply',
      'controller',
      'conditions',
      'election',
      'events',
      'cache',
      'queue',
      'observability',
      'http',
      'secrets',
      'objects',
      'collections',
      'environment',
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
    rooms: ['run', 'fields', 'world', 'openbao/exchanges', 'openbao', 'process', 'scenario', 'faults', 'outcome'],
    development: true,
  },
  'packages/testing': {
    description:
      'the test harness: a cluster on a virtual clock, operators started in it, bugs seeded into the sources',
    imports: ['packages/kube', 'packages/runtime', 'packages/pki', 'packages/apiserver', 'packages/cluster'],
    rooms: ['.', 'bugs', 'programs'],
    development: true,
  },
  'packages/cluster': {
    description: 'workload controllers, the node and its images',
    imports: ['packages/kube', 'packages/runtime', 'packages/pki', 'packages/cron'],
    rooms: [
      'support',
      'controllers',
      'controllers/deployment',
      'controllers/replica-set',
      'controllers/stateful-set',
      'controllers/cron-job',
      'controllers/job',
      'controllers/disruption',
      'controllers/autoscaler',
      'controllers/endpoints',
      'controllers/scheduler',
      'controllers/volumes',
      'controllers/nodes',
      'controllers/ownership',
      'stand-ins/register',
      ...standInRooms,
      'stand-ins',
      'fake-node',
      'node',
      'node/api',
      'node/streaming',
      'node/pods',
      'node/probes',
      'node/containers',
      'node/exec',
      'node/confinement',
      'node/logs',
      'node/volumes',
      'node/mounts',
      'node/references',
      'node/policies',
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
    rooms: [
      'conformance',
      'conformance/bugs',
      'conformance/reference',
      'conformance/cases/access',
      'conformance/cases/custom-resources',
      'conformance/cases/kinds',
      'conformance/cases/policies',
      'conformance/cases/requests',
      'conformance/cases/webhooks',
      'conformance/objects',
      'conformance/conversation',
      'conformance/wires',
      'conformance/servers',
      '.',
      'controllers',
      'faults',
      'wire',
      'handler',
      'discovery',
      'routing',
      'subresources',
      'reviews',
      'verbs',
      'views',
      'pipeline',
      'webhooks',
      'policies',
      'matching',
      'admission',
      'admission/node-restriction',
      'admission/pod-security',
      'request',
      'policies/compiled',
      'webhooks/calls',
      'kubelet',
      'registry',
      'registry/strategies',
      'registry/defaults',
      'registry/allocation',
      'access',
      'table',
      'warnings',
      'validation/admission',
      'validation/kinds',
      'validation/pods',
      'validation',
      'encoding',
      'resources',
      'cel/rules',
      'cel/evaluate',
      'cel/check',
      'cel/library',
      'cel/syntax',
      'cel/values',
      'storage',
      'messages',
      'formats',
    ],
    development: true,
  },
  'examples/websites': {
    description: 'an operator to learn from',
    imports: ['packages/kube', 'packages/runtime'],
    development: true,
  },
};
