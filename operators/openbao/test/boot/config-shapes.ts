// SPDX-License-Identifier: Apache-2.0
import { configKeys } from '../../api/config-keys.ts';
import type { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import type { ConfigInputs } from '../../objects/config/config-hcl.ts';

type Spec = Partial<OpenBaoCluster['spec']>;

/** A shape of config.hcl that a real server must accept. */
interface ConfigShape {
  readonly spec: Spec;
  readonly inputs: ConfigInputs;
  /** Whether the server answers its health without further ado; with ACME it first orders a certificate. */
  readonly answers: boolean;
}

const fresh: ConfigInputs = { joins: { with: 'first-pod', pod: 'demo-0' }, audit: false };
const initialised: ConfigInputs = { joins: { with: 'any-pod', pod: 'demo-0' }, audit: true };
const green: ConfigInputs = { joins: { with: 'blue', revision: 'abc' }, audit: true };

const shape = (spec: Spec, inputs = fresh): ConfigShape => ({ spec, inputs, answers: true });

const samples = { bool: 'false', int: '1048576', duration: '1h30m', permissions: '0755' } as const;

/** A value for every key that users may set. */
const everySetting = Object.fromEntries(
  Object.entries(configKeys).map(([name, { type, values }]) => [
    name,
    values?.[0] ?? (type === 'text' ? texts(name) : samples[type]),
  ]),
);

function texts(name: string): string {
  const known: Readonly<Record<string, string>> = {
    log_file: '/tmp/bao.log',
    pid_file: '/tmp/bao.pid',
    plugin_directory: '/tmp',
    detect_deadlocks: 'statelock',
    tls_acme_ca_root: '/etc/bao/tls/ca.crt',
  };
  return known[name] ?? 'other';
}

const hostile = 'a"b\\c${d}\n# e é 🔑 \u{2028}';
const acme = { directoryURL: 'https://acme.invalid/dir', domains: ['bao.example.com'], email: 'a@example.com' };

const audit: Spec['audit'] = [
  { type: 'file', path: 'main', description: hostile, file: { filePath: 'stdout', mode: '0600' } },
  { type: 'http', path: 'out', http: { uri: 'https://log.invalid', headers: { 'X-A': ['b', hostile] } } },
  { type: 'syslog', path: 'sys', syslog: { facility: 'AUTH', tag: 'bao' } },
  { type: 'socket', path: 'sock', socket: { address: 'log.invalid:9', socketType: 'udp', writeTimeout: '2s' } },
  { type: 'file', path: 'raw', options: { file_path: 'stdout', log_raw: 'false' } },
];

const plugins: Spec['plugins'] = [
  {
    type: 'secret',
    name: 'nomad',
    command: 'nomad',
    version: 'v0.1.0',
    sha256sum: 'e'.repeat(64),
    args: ['-v'],
    env: ['A=b'],
  },
  {
    type: 'auth',
    name: 'ldap',
    image: 'plugins.invalid/ldap',
    version: 'v1.0.0',
    binaryName: 'ldap',
    sha256sum: 'e'.repeat(64),
  },
];

/** Every field that opens no connection to somebody who is not there: without circonusSubmissionURL, too. */
const telemetry: Spec['telemetry'] = {
  usageGaugePeriod: '5m',
  maximumGaugeCardinality: 100,
  disableHostname: true,
  enableHostnameLabel: true,
  metricsPrefix: 'bao',
  leaseMetricsEpsilon: '1h',
  numLeaseMetricsBuckets: 24,
  addLeaseMetricsNamespaceLabels: true,
  filterDefault: false,
  prefixFilter: ['+vault.token', '-vault.expire'],
  prometheusRetentionTime: '24h',
  statsdAddress: '127.0.0.1:8125',
  dogStatsdAddress: '127.0.0.1:8125',
  dogStatsdTags: ['a:b'],
  circonusAPIApp: 'app',
  circonusAPIURL: 'https://circonus.invalid',
  circonusSubmissionInterval: '10s',
  circonusCheckID: '1',
  circonusCheckForceMetricActivation: 'false',
  circonusCheckInstanceID: 'i',
  circonusCheckSearchTag: 's:t',
  circonusCheckDisplayName: 'd',
  circonusCheckTags: 'a:b',
  circonusBrokerID: '1',
  circonusBrokerSelectTag: 's:t',
  stackdriverLocation: 'eu',
  stackdriverNamespace: 'n',
  stackdriverDebugLogs: true,
};

/** The shapes, by the names of their pods. */
export const configShapes: Readonly<Record<string, ConfigShape>> = {
  fresh: shape({}),
  initialised: shape({}, initialised),
  green: shape({}, green),
  external: shape({ tls: { enabled: true, mode: 'External' } }, initialised),
  acme: { ...shape({ tls: { enabled: true, mode: 'ACME', acme } }, initialised), answers: false },
  key: shape({ unseal: { type: 'static', static: { currentKey: 'file:///etc/bao/unseal/key', currentKeyID: 'two' } } }),
  variable: shape({ unseal: { type: 'static', static: { currentKey: 'env://UNSEAL_KEY', currentKeyID: 'three' } } }),
  settings: shape({ config: everySetting }),
  audit: shape({ audit }, initialised),
  plugins: shape({ plugins }),
  telemetry: shape({ telemetry }),
  everything: shape(
    { config: everySetting, audit, plugins, telemetry: { ...telemetry, metricsPrefix: hostile } },
    green,
  ),
};
