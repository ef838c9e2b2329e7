// SPDX-License-Identifier: Apache-2.0
import { configKeys } from '../../api/config-keys.ts';
import type { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { seals } from '../../api/seals.ts';
import { telemetryAttribute, telemetryFields } from '../../api/telemetry.ts';
import type { ParsedBody, ParsedValue } from './parse-hcl.ts';

type Block = ParsedBody['blocks'][number];

const block = (head: readonly string[], values: object, blocks: readonly Block[] = []): Block => ({
  head,
  attributes: given(values),
  blocks,
});

/** What has a value: neither undefined nor empty. */
const given = (values: object): Record<string, ParsedValue> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ''));

/** What config.hcl of an initialised cluster must mean, written down a second time. */
export function intendedTree({ spec }: OpenBaoCluster): ParsedBody {
  const isAcme = spec.tls.mode === 'ACME';
  const files = (prefix: string, [certificate, key, ca]: readonly [string, string, string]) =>
    isAcme
      ? {}
      : {
          [`${prefix}${certificate}`]: '/etc/bao/tls/tls.crt',
          [`${prefix}${key}`]: '/etc/bao/tls/tls.key',
          [`${prefix}${ca}`]: '/etc/bao/tls/ca.crt',
        };
  const leader = files('leader_', ['client_cert_file', 'client_key_file', 'ca_cert_file']);
  const { tls_acme_ca_root, ...settings } = settingsOf(spec.config ?? {});
  const { domains = [], directoryURL, email } = spec.tls.acme ?? {};
  const acme = {
    tls_acme_ca_directory: directoryURL,
    tls_acme_domains: domains,
    tls_acme_email: email,
    tls_acme_disable_http_challenge: true,
    tls_acme_cache_path: '/bao/data/acme',
  };
  return {
    attributes: { ui: true, cluster_name: 'demo', plugin_directory: '/openbao/plugins', ...settings },
    blocks: [
      block(['listener', 'tcp'], {
        address: '0.0.0.0:8200',
        cluster_address: '0.0.0.0:8201',
        tls_disable: 0,
        max_request_duration: '90s',
        ...files('tls_', ['cert_file', 'key_file', 'client_ca_file']),
        ...(isAcme && acme),
        tls_acme_ca_root,
      }),
      block(['seal', spec.unseal.type], sealOf(spec.unseal)),
      block(['storage', 'raft'], { path: '/bao/data' }, [
        block(['retry_join'], { leader_api_addr: 'https://demo-0.demo.default.svc:8200', ...leader }),
        block(['retry_join'], {
          auto_join: 'provider=k8s namespace=default label_selector="openbao.org/cluster=demo"',
          leader_tls_servername: isAcme ? domains[0] : 'openbao-cluster-demo.local',
          ...leader,
        }),
      ]),
      block(['service_registration', 'kubernetes'], {}),
      ...(spec.audit ?? []).map((device) =>
        block(['audit', device.type, device.path], { description: device.description, options: auditOptions(device) }),
      ),
      ...(spec.plugins ?? []).map(({ type, name, binaryName, ...rest }) =>
        block(['plugin', type, name], { ...rest, binary_name: binaryName }),
      ),
      ...(spec.telemetry === undefined ? [] : [block(['telemetry'], telemetryOf(spec.telemetry))]),
    ],
  };
}

function settingsOf(config: Readonly<Record<string, string>>): Record<string, ParsedValue> {
  const entries = Object.entries(config).map(([name, value]) => {
    const [text, type] = [value.trim(), configKeys[name]?.type];
    if (text === '') return [name, ''];
    return [name, type === 'bool' ? text === 'true' : type === 'int' ? Number(text) : text];
  });
  return given(Object.fromEntries(entries) as object);
}

function sealOf(unseal: OpenBaoCluster['spec']['unseal']): object {
  const { block: name, fields } = seals[unseal.type];
  const settings = unseal[name] ?? {};
  const entries = Object.entries(fields).map(([field, { attribute = '', default: preset, values }]) => {
    const value = settings[field] ?? preset;
    if (attribute === '' || value === undefined) return ['', ''];
    return [
      attribute,
      attribute === 'auth_type_api_key' && values !== undefined ? String(value === 'user_principal') : String(value),
    ];
  });
  return Object.fromEntries(entries) as object;
}

function auditOptions({ type, options = {}, ...device }: NonNullable<OpenBaoCluster['spec']['audit']>[number]): object {
  const settings: Readonly<Record<string, unknown>> | undefined = device[type];
  if (settings === undefined) return options;
  const snake = Object.entries(settings).map(([name, value]) => [
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    name === 'headers' ? sortedJson(value as object) : value,
  ]);
  return given(Object.fromEntries(snake) as object);
}

const sortedJson = (value: object) =>
  JSON.stringify(Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))));

function telemetryOf(telemetry: object): object {
  const values = Object.entries(telemetryFields).map(([name, field]) => {
    const value: unknown = (telemetry as Readonly<Record<string, unknown>>)[name];
    const isEmpty = (value === false && name !== 'filterDefault') || (Array.isArray(value) && value.length === 0);
    return [telemetryAttribute(name, field), isEmpty ? undefined : value];
  });
  return Object.fromEntries(values) as object;
}
