// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { sealTypes } from '../../api/seals.ts';
import { completeSeals } from '../../test/complete-seals.ts';
import { openbaoFixture } from '../../test/openbao-fixture.ts';
import { configHash, configHcl } from './config-hcl.ts';

const joins = { with: 'any-pod', pod: 'demo-0' } as const;
const rendered = (spec: Partial<OpenBaoCluster['spec']>, inputs = {}) =>
  configHcl(openbaoFixture(spec), { joins, audit: true, ...inputs });

/** The block of this head, with its lines. */
const block = (text: string, head: string) =>
  text.slice(text.indexOf(`\n${head} {\n`) + 1).split(/(?<=^\}\n)/m)[0] ?? '';

/** The configuration with certificates of an ACME server for these names. */
const ordered = (names: { domain: string } | { domains: string[] }) =>
  rendered({ tls: { enabled: true, mode: 'ACME', acme: { directoryURL: 'https://acme/dir', ...names } } });

describe('config.hcl', () => {
  test('has the shape of the specification, to the byte', () => {
    const cluster = openbaoFixture({ config: { log_level: 'debug' } });
    const text = configHcl({ ...cluster, metadata: { name: 'demo', namespace: 'ops' } }, { joins, audit: true });
    assert.equal(
      text,
      `ui               = true
cluster_name     = "demo"
plugin_directory = "/openbao/plugins"
listener "tcp" {
  address              = "0.0.0.0:8200"
  cluster_address      = "0.0.0.0:8201"
  tls_disable          = 0
  max_request_duration = "90s"
  tls_cert_file        = "/etc/bao/tls/tls.crt"
  tls_key_file         = "/etc/bao/tls/tls.key"
  tls_client_ca_file   = "/etc/bao/tls/ca.crt"
}
seal "static" {
  current_key    = "file:///etc/bao/unseal/key"
  current_key_id = "operator-generated-v1"
}
storage "raft" {
  path = "/bao/data"
  retry_join {
    leader_api_addr         = "https://demo-0.demo.ops.svc:8200"
    leader_ca_cert_file     = "/etc/bao/tls/ca.crt"
    leader_client_cert_file = "/etc/bao/tls/tls.crt"
    leader_client_key_file  = "/etc/bao/tls/tls.key"
  }
  retry_join {
    auto_join               = "provider=k8s namespace=ops label_selector=\\"openbao.org/cluster=demo\\""
    leader_tls_servername   = "openbao-cluster-demo.local"
    leader_ca_cert_file     = "/etc/bao/tls/ca.crt"
    leader_client_cert_file = "/etc/bao/tls/tls.crt"
    leader_client_key_file  = "/etc/bao/tls/tls.key"
  }
}
service_registration "kubernetes" {
}
log_level = "debug"
`,
    );
  });

  test('lets a pod join only pod 0 before initialisation, and pods of a new revision the old one without a vote', () => {
    const first = block(rendered({}, { joins: { with: 'first-pod', pod: 'demo-0' } }), 'storage "raft"');
    assert.equal(first.match(/retry_join \{/g)?.length, 1);
    assert.match(first, /leader_api_addr {9}= "https:\/\/demo-0\.demo\.default\.svc:8200"/);
    const green = block(rendered({}, { joins: { with: 'blue', revision: 'abc' } }), 'storage "raft"');
    assert.match(green, /^ {2}path += "\/bao\/data"\n {2}retry_join_as_non_voter = true\n {2}retry_join \{/m);
    assert.match(green, /label_selector=\\"openbao.org\/cluster=demo,openbao.org\/revision=abc\\"/);
    assert.doesNotMatch(green, /leader_api_addr/);
  });

  test('orders a certificate in mode ACME, and names no files then', () => {
    const acme = { directoryURL: 'https://acme/dir', domains: ['bao.example.com', 'b'], email: 'a@example.com' };
    const text = rendered({ tls: { enabled: true, mode: 'ACME', acme }, config: { tls_acme_ca_root: '/ca.pem' } });
    assert.doesNotMatch(text, /_file/);
    assert.match(text, /leader_tls_servername = "bao.example.com"/);
    assert.equal(
      block(text, 'listener "tcp"'),
      `listener "tcp" {
  address                         = "0.0.0.0:8200"
  cluster_address                 = "0.0.0.0:8201"
  tls_disable                     = 0
  max_request_duration            = "90s"
  tls_acme_ca_directory           = "https://acme/dir"
  tls_acme_domains                = ["bao.example.com", "b"]
  tls_acme_email                  = "a@example.com"
  tls_acme_disable_http_challenge = true
  tls_acme_cache_path             = "/bao/data/acme"
  tls_acme_ca_root                = "/ca.pem"
}
`,
    );
  });

  test('orders for the one name of an ACME certificate as for the first of several', () => {
    assert.equal(ordered({ domain: 'bao.example.com' }), ordered({ domains: ['bao.example.com'] }));
  });

  test('types the settings, sorts them, trims them, and replaces those of its own in place', () => {
    const config = {
      max_lease_ttl: ' 768h ',
      ui: 'false',
      cluster_name: 'other',
      cache_size: '10',
      disable_cache: 'true',
      pid_file: '  ',
    };
    const text = rendered({ config });
    assert.match(text, /^ui += false\ncluster_name += "other"\nplugin_directory = /);
    assert.match(text, /\n\}\ncache_size {4}= 10\ndisable_cache = true\nmax_lease_ttl = "768h"\n$/);
  });

  test('writes the replacement character for half a character, which no file can hold', () => {
    assert.match(rendered({ config: { log_file: 'a\uD83Db' } }), /log_file = "a\uFFFDb"/);
  });

  test('never writes a setting that is not in the table, whatever is stored', () => {
    assert.doesNotMatch(
      rendered({ config: { listener: 'x', api_addr: 'y', disable_clustering: 'true' } }),
      /api_addr = "y"|disable_c/,
    );
  });

  for (const type of sealTypes) {
    test(`writes the attributes that the server knows: ${type}`, () => {
      const { unseal, stanza } = completeSeals[type];
      assert.equal(block(rendered({ unseal: { type, ...unseal } }), `seal "${type}"`), stanza);
    });
  }

  test('writes audit devices once the cluster is initialised, each with the options of its type', () => {
    const audit: OpenBaoCluster['spec']['audit'] = [
      { type: 'file', path: 'main', description: 'The log', file: { filePath: 'stdout', mode: '' } },
      { type: 'http', path: 'out', http: { uri: 'https://log', headers: { A: ['b'] } } },
      { type: 'syslog', path: 'sys', syslog: { tag: 't' } },
      { type: 'socket', path: 'sock', socket: { address: 'log:9', socketType: 'tcp', writeTimeout: '2s' } },
      { type: 'file', path: 'raw', options: { file_path: '/a', 'odd key': 'x' } },
    ];
    assert.doesNotMatch(rendered({ audit }, { audit: false }), /audit/);
    const text = rendered({ audit });
    assert.equal(
      text.slice(text.indexOf('audit')),
      `audit "file" "main" {
  description = "The log"
  options = {
    file_path = "stdout"
  }
}
audit "http" "out" {
  options = {
    headers = "{\\"A\\":[\\"b\\"]}"
    uri     = "https://log"
  }
}
audit "syslog" "sys" {
  options = {
    tag = "t"
  }
}
audit "socket" "sock" {
  options = {
    address       = "log:9"
    socket_type   = "tcp"
    write_timeout = "2s"
  }
}
audit "file" "raw" {
  options = {
    file_path = "/a"
    "odd key" = "x"
  }
}
`,
    );
  });

  test('writes plugins and telemetry by the names of the server, and leaves out what is empty', () => {
    const sha256sum = 'e'.repeat(64);
    const text = rendered({
      plugins: [
        {
          type: 'kms',
          name: 'azure',
          image: 'example/azure',
          version: 'v1',
          binaryName: 'azure',
          sha256sum,
          args: ['-v'],
        },
      ],
      telemetry: {
        dogStatsdAddress: 'dog:8125',
        dogStatsdTags: ['a:b'],
        circonusAPIKey: 'key',
        disableHostname: true,
        enableHostnameLabel: false,
        metricsPrefix: '',
        usageGaugePeriod: '5m',
        maximumGaugeCardinality: 0,
        stackdriverProjectID: 'p',
        filterDefault: false,
        prefixFilter: ['+vault.token'],
        stackdriverDebugLogs: false,
      },
    });
    assert.equal(
      text.slice(text.indexOf('plugin "')),
      `plugin "kms" "azure" {
  image       = "example/azure"
  version     = "v1"
  binary_name = "azure"
  sha256sum   = "${sha256sum}"
  args        = ["-v"]
}
telemetry {
  usage_gauge_period        = "5m"
  maximum_gauge_cardinality = 0
  disable_hostname          = true
  filter_default            = false
  prefix_filter             = ["+vault.token"]
  dogstatsd_addr            = "dog:8125"
  dogstatsd_tags            = ["a:b"]
  circonus_api_token        = "key"
  stackdriver_project_id    = "p"
}
`,
    );
  });
});

const hash = (spec: Partial<OpenBaoCluster['spec']> = {}, audit = true) => configHash(openbaoFixture(spec), { audit });

describe('the hash of the configuration', () => {
  test('does not depend on whom a pod joins, so that initialisation and scaling restart nothing', () => {
    assert.equal(hash({}, false), hash({}, true));
    assert.equal(hash({ replicas: 5 }), hash());
    assert.match(hash(), /^[0-9a-f]{64}$/);
  });

  test('changes with everything that a server reads at its start', () => {
    assert.notEqual(hash({ config: { log_level: 'debug' } }), hash());
    assert.notEqual(hash({ telemetry: { disableHostname: true } }), hash());
    const audit: OpenBaoCluster['spec']['audit'] = [{ type: 'file', path: 'main', file: { filePath: 'stdout' } }];
    assert.notEqual(hash({ audit }), hash());
    // Devices are written once the cluster is initialised.
    assert.equal(hash({ audit }, false), hash());
  });
});
