// SPDX-License-Identifier: Apache-2.0
import type { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { telemetryAttribute, telemetryFields } from '../../api/telemetry.ts';
import { attributes, type HclBlock, type HclValue } from './render-hcl.ts';

type Spec = OpenBaoCluster['spec'];
type AuditDevice = NonNullable<Spec['audit']>[number];

/** Audit devices. */
export const auditBlocks = (devices: readonly AuditDevice[]): HclBlock[] =>
  devices.map((device) => ({
    type: 'audit',
    labels: [device.type, device.path],
    body: attributes({ description: nonEmpty(device.description), options: optionsOf(device) }),
  }));

/** The options of a device: from the block of its type, else as they are given. */
function optionsOf(device: AuditDevice): Readonly<Record<string, string>> {
  const { file, http, syslog, socket, options = {} } = device;
  switch (device.type) {
    case 'file':
      return file === undefined ? options : given({ file_path: file.filePath, mode: file.mode });
    case 'http':
      return http === undefined
        ? options
        : given({ uri: http.uri, headers: http.headers && headersText(http.headers) });
    case 'syslog':
      return syslog === undefined ? options : given({ facility: syslog.facility, tag: syslog.tag });
    case 'socket':
      return socket === undefined
        ? options
        : given({ address: socket.address, socket_type: socket.socketType, write_timeout: socket.writeTimeout });
  }
}

/** Headers as the device reads them, in one order: equal specs give equal bytes. */
const headersText = (headers: Readonly<Record<string, readonly string[]>>) =>
  JSON.stringify(Object.fromEntries(Object.entries(headers).toSorted(([a], [b]) => (a < b ? -1 : 1))));

const nonEmpty = (value: string | undefined) => (value === '' ? undefined : value);

function given(values: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const kept = Object.entries(values).filter((entry): entry is [string, string] => nonEmpty(entry[1]) !== undefined);
  return Object.fromEntries(kept);
}

/** Plugins. */
export const pluginBlocks = (plugins: NonNullable<Spec['plugins']>): HclBlock[] =>
  plugins.map(({ type, name, image, command, version, binaryName, sha256sum, args, env }) => ({
    type: 'plugin',
    labels: [type, name],
    body: attributes({ image, command, version, binary_name: binaryName, sha256sum, args, env }),
  }));

/** Metrics; what is false or empty is left out, where the server takes that when it is absent. */
export function telemetryBlocks(telemetry: Spec['telemetry']): HclBlock[] {
  if (telemetry === undefined) return [];
  const values: Readonly<Record<string, unknown>> = telemetry;
  const body = Object.entries(telemetryFields).flatMap(([field, definition]) => {
    const value = values[field] as HclValue | undefined;
    const isEmpty =
      value === undefined ||
      value === '' ||
      (value === false && !('trueByDefault' in definition)) ||
      (Array.isArray(value) && value.length === 0);
    return isEmpty ? [] : [{ name: telemetryAttribute(field, definition), value }];
  });
  return [{ type: 'telemetry', body }];
}
