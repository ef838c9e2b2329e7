// SPDX-License-Identifier: Apache-2.0
import { spec, type AdmissionCase } from './admission-case.ts';

const audit = (...devices: object[]) => spec({ audit: devices });
const file = { type: 'file', path: 'main', file: { filePath: 'stdout' } };
/** A block for every type of device. */
const settings = {
  file: { filePath: 'stdout' },
  http: { uri: 'https://log.example.com' },
  syslog: { tag: 't' },
  socket: { address: 'log.example.com:9' },
};
const plugin = { type: 'secret', name: 'nomad', sha256sum: 'e'.repeat(64) };
const plugins = (change: object) => spec({ plugins: [{ ...plugin, ...change }] });
const image = { image: 'registry:5000/nomad', version: 'v1', binaryName: 'nomad' };

/** Audit devices and plugins. */
export const extensionCases: readonly AdmissionCase[] = [
  {
    name: 'an audit device of a type that nobody knows',
    change: audit({ type: 'kafka', path: 'main', options: {} }),
    corrected: audit(file),
    schema: ['spec.audit[0].type', 'Unsupported value: "kafka"'],
  },
  {
    name: 'two audit devices at one path',
    change: audit(file, file),
    corrected: audit(file, { ...file, path: 'second' }),
    schema: ['spec.audit[1]', 'Duplicate value'],
  },
  ...Object.entries(settings).map(([type, block]): AdmissionCase => ({
    name: `an audit device of another type with the settings of ${type}`,
    change: audit({ type: type === 'file' ? 'syslog' : 'file', path: 'main', options: {}, [type]: block }),
    corrected: audit({ type, path: 'main', [type]: block }),
    schema: [`spec.audit[0].${type}`, `${type} can be given only when type is ${type}: remove it, or change type`],
  })),
  ...Object.entries({ file: 'file_path', http: 'uri', socket: 'address' }).map(([type, option]): AdmissionCase => ({
    name: `an audit device of type ${type} without settings`,
    change: audit({ type, path: 'main' }),
    corrected: audit({ type, path: 'main', options: { [option]: 'stdout' } }),
    schema: [`spec.audit[0].${type}`, `${type} is required when type is ${type}, unless options are given`],
  })),
  {
    name: 'a plugin from nowhere',
    change: plugins({}),
    corrected: plugins({ command: 'nomad' }),
    schema: ['spec.plugins[0].image', 'a plugin needs exactly one of image and command'],
  },
  {
    name: 'a plugin from two places',
    change: plugins({ ...image, command: 'nomad' }),
    corrected: plugins(image),
    schema: ['spec.plugins[0].image', 'a plugin needs exactly one of image and command'],
  },
  {
    name: 'a plugin image without a version',
    change: plugins({ ...image, version: null }),
    corrected: plugins(image),
    schema: ['spec.plugins[0].version', 'a plugin with an image needs version and binaryName: set both'],
  },
  {
    name: 'a plugin image without the name of its file',
    change: plugins({ ...image, binaryName: null }),
    corrected: plugins(image),
    schema: ['spec.plugins[0].version', 'a plugin with an image needs version and binaryName: set both'],
  },
  {
    name: 'a plugin image with a tag',
    change: plugins({ ...image, image: 'registry:5000/nomad:v1' }),
    corrected: plugins(image),
    schema: ['spec.plugins[0].image', 'image must not have a tag or digest: put the tag into version'],
  },
  {
    name: 'a plugin with half a hash',
    change: plugins({ command: 'nomad', sha256sum: 'e'.repeat(32) }),
    corrected: plugins({ command: 'nomad' }),
    schema: ['spec.plugins[0].sha256sum', 'must be the SHA-256 of the plugin: 64 hexadecimal digits'],
  },
  ...['vault.expire', ''].map((filter) => ({
    name: `the filter of metrics "${filter}"`,
    change: spec({ telemetry: { prefixFilter: [filter] } }),
    corrected: spec({ telemetry: { prefixFilter: [`-${filter}`] } }),
    schema: ['spec.telemetry.prefixFilter[0]', 'must begin with + or -'] as const,
  })),
];
