// SPDX-License-Identifier: Apache-2.0

/** A rule about Keystones: what breaks it, and what is said by the webhook and by the schema. */
export interface AdmissionRow {
  /** Completes "a Keystone with …". */
  name: string;
  /** Laid over the valid fixture as a merge patch. */
  change: object;
  /** Laid over it before, when the rule is about a change. */
  before?: object;
  /** The webhook's error: field, then message. */
  webhook: readonly [field: string, message: string];
  /** What the schema says: field, then part of the message. Undefined: it cannot say this rule. */
  schema: readonly [field: string, part: string] | undefined;
}

type Said = readonly [field: string, message: string];

const spec = (change: object) => ({ spec: change });

/** The same field and detail from both. */
function same(name: string, change: object, [field, message]: Said): AdmissionRow {
  const detail = message.replace(/^(?:Invalid value: .*?|Required value): /s, '');
  return { name, change, webhook: [field, message], schema: [field, detail] };
}

const invalid = (field: string, value: unknown, detail: string): Said => [
  field,
  `Invalid value: ${JSON.stringify(value)}: ${detail}`,
];

/** A number below its minimum. */
function tooSmall(field: string, value: number, minimum: number, detail: string): AdmissionRow {
  const change = path(field, value);
  const inBody = `${field} in body should be greater than or equal to ${minimum}`;
  return { name: `${field} of ${value}`, change, webhook: invalid(field, value, detail), schema: [field, inBody] };
}

/** The value in its place. */
function path(field: string, value: unknown): object {
  return field.split('.').reduceRight<unknown>((below, name) => ({ [name]: below }), value) as object;
}

/** A text that breaks the rule of its field. */
const text = (field: string, value: string, detail: string) =>
  same(`${field} "${value}"`, path(field, value), invalid(field, value, detail));

const name =
  'must be the name of an object: lower-case letters, digits, - and ., beginning and ending with a letter or digit';
const oneDatabase = 'exactly one of clusterRef or host must be set';
const oneCache = 'exactly one of clusterRef or servers must be set';
const clusterRef = { name: 'backing' };
const withHost = { host: 'db.example', database: 'keystone', secretRef: { name: 'keystone-db' } };
const withServers = { backend: 'oslo_cache.memcache_pool', servers: ['cache-0:11211', 'cache-1:11211'] };

const texts: readonly AdmissionRow[] = [
  text(
    'spec.image.repository',
    'c5c3/keystone:2025.2',
    'must be an image repository without tag or digest, for example c5c3/keystone or registry.example.com:5000/c5c3/keystone',
  ),
  text(
    'spec.image.tag',
    '',
    'must be an image tag, for example 2025.2: letters, digits, _, - and ., not beginning with - or .',
  ),
  text(
    'spec.image.tag',
    '2025 2',
    'must be an image tag, for example 2025.2: letters, digits, _, - and ., not beginning with - or .',
  ),
  text(
    'spec.database.host',
    'mysql://db.example:3306',
    'must be a host name or an IP address (IPv6 in brackets), without scheme and port, for example db.example.com',
  ),
  text(
    'spec.database.database',
    'a/b',
    'must be the name of a MariaDB database: letters, digits, _ and -, at most 64 of them',
  ),
  text('spec.database.secretRef.name', 'Keystone', name),
  text('spec.database.secretRef.key', 'pass word', 'must be a key of a Secret: letters, digits, -, _ and .'),
  text('spec.bootstrap.adminPasswordSecretRef.name', '', name),
  text('spec.priorityClassName', 'Very High', name),
  same(
    'a cache server without a port',
    spec({ cache: { servers: ['cache-0'] } }),
    invalid(
      'spec.cache.servers[0]',
      'cache-0',
      'must be host:port of a Memcached server, for example memcached.example.com:11211',
    ),
  ),
  {
    name: 'a name from which no CronJob can be named',
    change: { metadata: { name: 'k'.repeat(35) } },
    webhook: invalid('metadata.name', 'k'.repeat(35), nameMessage()),
    schema: ['<nil>', nameMessage()],
  },
  ...['keystone.example.com', 'ftp://keystone.example.com', 'https://', 'https://a b/v3', '/v3'].map((value) =>
    text(
      'spec.bootstrap.publicEndpoint',
      value,
      'must be an http or https URL with a host, for example https://keystone.example.com/v3',
    ),
  ),
];

function nameMessage(): string {
  return (
    'metadata.name must have at most 34 characters, lower-case letters, digits and -, beginning with a letter and ending with ' +
    'a letter or digit: names of CronJobs are made from it'
  );
}

const backing: readonly AdmissionRow[] = [
  same(
    'no database',
    spec({ database: { host: null } }),
    invalid('spec.database', { ...withHost, host: undefined }, oneDatabase),
  ),
  same(
    'two databases',
    spec({ database: { clusterRef } }),
    invalid('spec.database', { ...withHost, clusterRef }, oneDatabase),
  ),
  {
    ...same(
      'a database that becomes managed',
      spec({ database: { host: null, clusterRef } }),
      invalid(
        'spec.database',
        { database: 'keystone', secretRef: { name: 'keystone-db' }, clusterRef },
        'database mode (managed clusterRef vs brownfield host) is immutable',
      ),
    ),
    before: {},
  },
  same('no cache', spec({ cache: { servers: [] } }), invalid('spec.cache', { ...withServers, servers: [] }, oneCache)),
  same('two caches', spec({ cache: { clusterRef } }), invalid('spec.cache', { ...withServers, clusterRef }, oneCache)),
];

const cronShape = 'invalid cron expression: write five fields';
const cronRemedy = 'use * or numbers from 0 to 23, as a list 1,2, a range 1-3 or with a step */2';

function schedules(field: string, missing: string): AdmissionRow[] {
  const zone = 'CronJobs take no time zone in a schedule; remove it and write the times in UTC';
  const hour = `schedule "0 24 * * *": hour "24": end of range (24) above maximum (23): 24; ${cronRemedy}`;
  const backwards = `schedule "0 5-3 * * *": hour "5-3": beginning of range (5) beyond end of range (3): 5-3; ${cronRemedy}`;
  return [
    {
      name: `no ${field}`,
      change: path(field, ''),
      webhook: [field, `Required value: ${missing}`],
      schema: [field, cronShape],
    },
    {
      name: `an hour in ${field} that no day has`,
      change: path(field, '0 24 * * *'),
      webhook: invalid(field, '0 24 * * *', `invalid cron expression: ${hour}`),
      schema: [field, cronShape],
    },
    {
      name: `a time zone in ${field}`,
      change: path(field, 'TZ=Europe/Berlin 0 0 * * *'),
      webhook: invalid(field, 'TZ=Europe/Berlin 0 0 * * *', `invalid cron expression: ${zone}`),
      schema: [field, cronShape],
    },
    {
      name: `a range in ${field} that ends before it begins`,
      change: path(field, '0 5-3 * * *'),
      webhook: invalid(field, '0 5-3 * * *', `invalid cron expression: ${backwards}`),
      schema: undefined,
    },
  ];
}

const dates = '--date takes a date as DD-MM-YYYY or YYYY-MM-DD, for example --date=31-12-2025';
const flush = (args: string[]) => spec({ trustFlush: { schedule: '0 * * * *', args } });

const rotation: readonly AdmissionRow[] = [
  ...['fernet', 'credentialKeys'].flatMap((keys) => [
    ...schedules(`spec.${keys}.rotationSchedule`, 'rotationSchedule must be set; default is "0 0 * * 0"'),
    tooSmall(`spec.${keys}.maxActiveKeys`, 2, 3, 'maxActiveKeys must be at least 3'),
  ]),
  ...schedules('spec.trustFlush.schedule', 'schedule must be set; default is "0 * * * *"'),
  {
    name: 'a word after --date',
    change: flush(['--date', 'soon']),
    webhook: invalid('spec.trustFlush.args[1]', 'soon', dates),
    schema: ['spec.trustFlush.args', dates],
  },
  {
    name: 'nothing after --date',
    change: flush(['--project-id', 'p', '--date']),
    webhook: invalid('spec.trustFlush.args[2]', '', dates),
    schema: ['spec.trustFlush.args', dates],
  },
  {
    name: 'a day after --date= that no calendar has',
    change: flush(['--date=30-02-2025']),
    webhook: invalid('spec.trustFlush.args[0]', '30-02-2025', dates),
    schema: undefined,
  },
];

const autoscaling = (change: object) => spec({ autoscaling: { maxReplicas: 5, targetCPUUtilization: 80, ...change } });
const noTarget = 'at least one of targetCPUUtilization or targetMemoryUtilization must be set';

const scale: readonly AdmissionRow[] = [
  tooSmall('spec.replicas', -1, 1, 'replicas must be at least 1'),
  {
    ...tooSmall('spec.autoscaling.maxReplicas', 0, 1, 'maxReplicas must be at least 1'),
    change: autoscaling({ maxReplicas: 0 }),
  },
  {
    ...tooSmall('spec.autoscaling.minReplicas', 0, 1, 'minReplicas must be at least 1'),
    change: autoscaling({ minReplicas: 0 }),
  },
  same(
    'more pods at least than at most',
    autoscaling({ minReplicas: 6 }),
    invalid('spec.autoscaling.minReplicas', 6, 'minReplicas must not exceed maxReplicas'),
  ),
  same(
    'more replicas than autoscaling allows',
    autoscaling({ maxReplicas: 2 }),
    invalid(
      'spec.autoscaling.maxReplicas',
      2,
      'maxReplicas must be >= spec.replicas (3) when minReplicas is not set, because minReplicas defaults to spec.replicas',
    ),
  ),
  ...['targetCPUUtilization', 'targetMemoryUtilization'].map((target): AdmissionRow => ({
    name: `${target} above all`,
    change: autoscaling({ [target]: 101 }),
    webhook: invalid(`spec.autoscaling.${target}`, 101, `${target} must be between 1 and 100`),
    schema: [`spec.autoscaling.${target}`, 'should be less than or equal to 100'],
  })),
  same('nothing to scale by', autoscaling({ targetCPUUtilization: null }), [
    'spec.autoscaling',
    `Required value: ${noTarget}`,
  ]),
];

const selector = { 'app.kubernetes.io/name': 'keystone', 'app.kubernetes.io/instance': 'identity' };
const constraint = {
  maxSkew: 1,
  topologyKey: 'zone',
  whenUnsatisfiable: 'DoNotSchedule',
  labelSelector: { matchLabels: selector },
};
const spread = (change: object) => spec({ topologySpreadConstraints: [{ ...constraint, ...change }] });
const spreadField = 'spec.topologySpreadConstraints[0]';
const expressions = [{ key: 'a', operator: 'Exists' }];
const foreign = { matchLabels: { ...selector, 'app.kubernetes.io/instance': 'other' } };
const spreadLabels =
  'labelSelector.matchLabels must equal the Deployment selector labels app.kubernetes.io/name=keystone and app.kubernetes.io/instance={metadata.name}';

const pods: readonly AdmissionRow[] = [
  tooSmall('spec.uwsgi.processes', -1, 1, 'processes must be at least 1'),
  tooSmall('spec.uwsgi.threads', -1, 1, 'threads must be at least 1'),
  tooSmall('spec.uwsgi.harakiri', 0, 1, 'harakiri must be at least 1'),
  {
    ...tooSmall('spec.uwsgi.httpKeepAliveTimeout', 0, 1, 'httpKeepAliveTimeout must be at least 1'),
    change: spec({ uwsgi: { httpKeepAlive: true, httpKeepAliveTimeout: 0 } }),
  },
  same(
    'a timeout of connections that are not kept',
    spec({ uwsgi: { httpKeepAlive: false, httpKeepAliveTimeout: 5 } }),
    invalid('spec.uwsgi.httpKeepAliveTimeout', 5, 'httpKeepAliveTimeout may only be set when httpKeepAlive is true'),
  ),
  same(
    'requests that may outlive the pod',
    spec({ uwsgi: { harakiri: 25 } }),
    invalid(
      'spec.uwsgi.harakiri',
      25,
      'harakiri (25) must be strictly less than terminationGracePeriodSeconds - preStopSleepSeconds (25)',
    ),
  ),
  tooSmall('spec.terminationGracePeriodSeconds', 9, 10, 'terminationGracePeriodSeconds must be at least 10'),
  tooSmall('spec.preStopSleepSeconds', -1, 0, 'preStopSleepSeconds must be non-negative'),
  same(
    'a sleep that takes the whole grace period',
    spec({ preStopSleepSeconds: 30 }),
    invalid(
      'spec.preStopSleepSeconds',
      30,
      'preStopSleepSeconds (30) must be strictly less than terminationGracePeriodSeconds (30)',
    ),
  ),
  same(
    'a rolling update that recreates',
    spec({ strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } }),
    invalid(
      'spec.strategy.rollingUpdate',
      { maxSurge: 1 },
      'rollingUpdate must not be set when strategy.type is Recreate',
    ),
  ),
  {
    name: 'two constraints of one topology',
    change: spec({ topologySpreadConstraints: [constraint, constraint] }),
    webhook: [
      'spec.topologySpreadConstraints[1]',
      'Duplicate value: {"topologyKey":"zone","whenUnsatisfiable":"DoNotSchedule"}',
    ],
    schema: [
      'spec.topologySpreadConstraints[1]',
      'Duplicate value: {"topologyKey":"zone","whenUnsatisfiable":"DoNotSchedule"}',
    ],
  },
  ...['maxSurge', 'maxUnavailable'].map((field): AdmissionRow => ({
    name: `a ${field} that is neither number nor percentage`,
    change: spec({ strategy: { rollingUpdate: { [field]: 'many' } } }),
    webhook: invalid(
      `spec.strategy.rollingUpdate.${field}`,
      'many',
      'must be a whole number, or a percentage, for example 1 or 25%',
    ),
    schema: [`spec.strategy.rollingUpdate.${field}`, "should match '^[0-9]+%$'"],
  })),
  {
    name: 'a request above its limit',
    change: spec({ resources: { requests: { cpu: '1000m' }, limits: { cpu: '500m' } } }),
    webhook: invalid('spec.resources.requests.cpu', '1000m', 'cpu request must not exceed limit (500m)'),
    schema: ['spec.resources.requests', 'cpu request must not exceed limit (500m)'],
  },
  {
    name: 'a request above its limit, one of them a number',
    change: spec({ resources: { requests: { memory: 2000 }, limits: { memory: '1Ki' } } }),
    webhook: invalid('spec.resources.requests.memory', 2000, 'memory request must not exceed limit (1Ki)'),
    schema: ['spec.resources.requests', 'memory request must not exceed limit (1Ki)'],
  },
  {
    name: 'a request of another resource above its limit',
    change: spec({ resources: { requests: { 'ephemeral-storage': '2Gi' }, limits: { 'ephemeral-storage': '1Gi' } } }),
    webhook: invalid(
      'spec.resources.requests.ephemeral-storage',
      '2Gi',
      'ephemeral-storage request must not exceed limit (1Gi)',
    ),
    schema: undefined,
  },
  {
    name: 'a quantity that is none',
    change: spec({ resources: { requests: { cpu: 'much' } } }),
    webhook: invalid('spec.resources.requests.cpu', 'much', 'must be a quantity, for example 100m or 256Mi'),
    schema: ['spec.resources.requests.cpu', 'should match'],
  },
  same('a spread of no pods', spread({ labelSelector: undefined }), [
    `${spreadField}.labelSelector`,
    'Required value: labelSelector is required on each TopologySpreadConstraint',
  ]),
  {
    name: "a spread of another Keystone's pods",
    change: spread({ labelSelector: foreign }),
    webhook: invalid(`${spreadField}.labelSelector`, foreign, spreadLabels),
    schema: ['spec.topologySpreadConstraints', spreadLabels],
  },
  same(
    'a spread by expressions',
    spread({ labelSelector: { matchLabels: selector, matchExpressions: expressions } }),
    invalid(
      `${spreadField}.labelSelector.matchExpressions`,
      expressions,
      'matchExpressions are not allowed; labelSelector must use matchLabels only',
    ),
  ),
  same(
    'a spread without skew',
    spread({ maxSkew: 0 }),
    invalid(`${spreadField}.maxSkew`, 0, 'maxSkew must be at least 1'),
  ),
];

const plugin = { name: 'p', configSection: 'keycloak' };
const filter = { name: 'audit', filterFactory: 'audit:factory', position: 'before' };
const levels = '"DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"';

const configuration: readonly AdmissionRow[] = [
  {
    name: 'two plugins for one section',
    change: spec({ plugins: [plugin, { ...plugin, name: 'q' }] }),
    webhook: ['spec.plugins[1].configSection', 'Duplicate value: "keycloak"'],
    schema: ['spec.plugins[1]', 'Duplicate value: {"configSection":"keycloak"}'],
  },
  {
    name: 'two filters of one name',
    change: spec({ middleware: [filter, filter] }),
    webhook: ['spec.middleware[1].name', 'Duplicate value: "audit"'],
    schema: ['spec.middleware[1]', 'Duplicate value: {"name":"audit"}'],
  },
  same('no source of policies', spec({ policyOverrides: {} }), [
    'spec.policyOverrides',
    'Required value: at least one of rules or configMapRef must be set',
  ]),
  {
    name: 'a policy without a name',
    change: spec({ policyOverrides: { rules: { '': 'role:admin' } } }),
    webhook: invalid('spec.policyOverrides.rules', '', 'policy rule name must not be empty'),
    schema: ['spec.policyOverrides', 'policy rule name must not be empty'],
  },
  {
    name: 'a policy without a rule',
    change: spec({ policyOverrides: { rules: { a: '' } } }),
    webhook: invalid(
      'spec.policyOverrides.rules[a]',
      '',
      'policy rule must not be empty; use "@" to allow everybody and "!" to allow nobody',
    ),
    schema: ['spec.policyOverrides', 'policy rule must not be empty'],
  },
  {
    name: 'a layout of logs that nobody knows',
    change: spec({ logging: { format: 'xml' } }),
    webhook: ['spec.logging.format', 'Unsupported value: "xml": supported values: "text", "json"'],
    schema: ['spec.logging.format', 'Unsupported value: "xml": supported values: "text", "json"'],
  },
  {
    name: 'a level that nobody knows',
    change: spec({ logging: { level: 'LOUD' } }),
    webhook: ['spec.logging.level', `Unsupported value: "LOUD": supported values: ${levels}`],
    schema: ['spec.logging.level', `Unsupported value: "LOUD": supported values: ${levels}`],
  },
  {
    name: 'a level for no logger',
    change: spec({ logging: { perLoggerLevels: { '': 'INFO' } } }),
    webhook: invalid('spec.logging.perLoggerLevels', '', 'logger name must not be empty'),
    schema: ['spec.logging.perLoggerLevels', 'logger name must not be empty'],
  },
  {
    name: 'a level of a logger that nobody knows',
    change: spec({ logging: { perLoggerLevels: { sql: 'LOUD' } } }),
    webhook: invalid(
      'spec.logging.perLoggerLevels[sql]',
      'LOUD',
      'level must be one of DEBUG, INFO, WARNING, ERROR, CRITICAL',
    ),
    schema: ['spec.logging.perLoggerLevels.sql', `Unsupported value: "LOUD": supported values: ${levels}`],
  },
];

const gateway = { parentRef: { name: 'public' }, hostname: 'keystone.example.com' };

const exposure: readonly AdmissionRow[] = [
  {
    name: 'a policy that lets nobody in',
    change: spec({ networkPolicy: { ingress: [] } }),
    webhook: ['spec.networkPolicy.ingress', 'Required value: at least one ingress source must be specified'],
    schema: ['spec.networkPolicy', 'at least one ingress source must be specified'],
  },
  {
    name: 'a route without a host',
    change: spec({ gateway: { ...gateway, hostname: '' } }),
    webhook: ['spec.gateway.hostname', 'Required value: hostname must be set when spec.gateway is configured'],
    schema: ['spec.gateway.hostname', 'must be a host name in lower case without scheme'],
  },
  {
    name: 'a route without a Gateway',
    change: spec({ gateway: { ...gateway, parentRef: { name: '' } } }),
    webhook: [
      'spec.gateway.parentRef.name',
      'Required value: parentRef.name must be set when spec.gateway is configured',
    ],
    schema: ['spec.gateway.parentRef.name', name],
  },
  {
    ...text(
      'spec.gateway.hostname',
      'https://keystone.example.com',
      'must be a host name in lower case without scheme, port and path, for example keystone.example.com',
    ),
    change: spec({ gateway: { ...gateway, hostname: 'https://keystone.example.com' } }),
  },
  {
    ...text(
      'spec.gateway.parentRef.namespace',
      'my.namespace',
      'must be the name of a namespace: at most 63 lower-case letters, digits and -, beginning and ending with a letter or digit',
    ),
    change: spec({ gateway: { ...gateway, parentRef: { name: 'public', namespace: 'my.namespace' } } }),
  },
  {
    ...text(
      'spec.gateway.path',
      '/my path',
      'must be the path of a URL, for example /identity: no spaces, other characters percent-encoded',
    ),
    change: spec({ gateway: { ...gateway, path: '/my path' } }),
  },
];

/** Every rule that one Keystone can break by itself. */
export const admissionRows: readonly AdmissionRow[] = [
  ...texts,
  ...backing,
  ...rotation,
  ...scale,
  ...pods,
  ...configuration,
  ...exposure,
];
