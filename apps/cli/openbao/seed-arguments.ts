// SPDX-License-Identifier: Apache-2.0
import { readFile } from 'node:fs/promises';
import { dnsLabelProblem } from '@forge/apiserver/formats/names.ts';
import { resourceName as controlPlaneName } from '@forge/controlplane/api/spec.ts';
import { resourceName as keystoneName } from '@forge/keystone/api/spec.ts';
import type { TextRule } from '@forge/kube/schema/field.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { CliError } from '../terminal/cli-error.ts';
import { exitCodes } from '../terminal/exit-code.ts';
import type { SeedTarget } from './seed.ts';

/** The options of `forge seed`. */
export interface SeedOptions {
  namespace: string;
  keystone?: string;
  controlPlane?: string;
  address?: string;
  caFile?: string;
  tokenFile?: string;
  mount?: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The resource whose credentials are seeded; throws for invalid names. */
export function targetOf({ namespace, keystone, controlPlane }: SeedOptions): SeedTarget {
  const problem = dnsLabelProblem(namespace);
  if (problem !== undefined) throw refused('--namespace', namespace, problem, 'Name the namespace of the resource');
  if (keystone !== undefined && controlPlane === undefined) {
    requireName('--keystone', keystone, keystoneName);
    return { namespace, keystone };
  }
  if (controlPlane !== undefined && keystone === undefined) {
    requireName('--control-plane', controlPlane, controlPlaneName);
    return { namespace, keystone: `${controlPlane}-keystone`, controlPlane };
  }
  throw new CliError('Name either --keystone or --control-plane, or --openbao-cluster.', exitCodes.usage.code);
}

/** The KV mount, without trailing slashes, which OpenBao itself prints. */
export function mountOf({ mount = 'kv-v2' }: SeedOptions): string {
  const path = mount.replace(/\/+$/, '');
  if (/^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(path)) return path;
  const problem = 'a mount is a path such as kv-v2 or team/kv, without a slash in front';
  throw refused('--mount', mount, problem, 'bao secrets list shows the mounts');
}

export function addressOf({ address }: SeedOptions, environment: Environment): string {
  const [argument, text] = address === undefined ? ['$BAO_ADDR', environment['BAO_ADDR']] : ['--address', address];
  if (text === undefined || text === '') {
    throw new CliError('Give the URL of OpenBao with --address or in $BAO_ADDR.', exitCodes.usage.code);
  }
  const url = URL.parse(text);
  if (url !== null && (url.username || url.password || url.search || url.hash || /\/v1\/*$/.test(url.pathname))) {
    const problem = 'the URL has a user, a query or the path of the API';
    throw refused(argument, `${url.protocol}//${url.host}…`, problem, 'Give it as https://openbao.example.com:8200');
  }
  const isLoopback = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback)) return text;
  const problem = 'is not an https URL: the token and the passwords would be readable';
  throw refused(argument, text, problem, 'Give it as https://openbao.example.com:8200');
}

/** The authority of OpenBao's certificate; undefined for the authorities of the system. */
export async function authorityOf({ caFile }: SeedOptions, environment: Environment): Promise<string | undefined> {
  const [argument, file] = caFile === undefined ? ['$BAO_CACERT', environment['BAO_CACERT']] : ['--ca-file', caFile];
  if (file === undefined || (file === '' && caFile === undefined)) return undefined;
  const text = await contentOf(argument, file);
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  throw refused(argument, file, 'the file holds no certificate', 'Give the PEM of the authority');
}

/** Where the token comes from. */
export const tokenPlace = ({ tokenFile }: Pick<SeedOptions, 'tokenFile'>): string =>
  tokenFile === undefined ? '$BAO_TOKEN' : `--token-file ${tokenFile}`;

/** The token, from a file or the environment, never from an argument. */
export async function tokenOf(options: SeedOptions, environment: Environment): Promise<SecretValue> {
  const { tokenFile } = options;
  const text = tokenFile === undefined ? environment['BAO_TOKEN'] : await contentOf('--token-file', tokenFile);
  const token = text?.trim() ?? '';
  const place = tokenPlace(options);
  const remedy = 'give a token in $BAO_TOKEN or with --token-file.';
  if (token === '') {
    throw new CliError(`${place} is ${tokenFile === undefined ? 'not set' : 'empty'}: ${remedy}`, exitCodes.usage.code);
  }
  if (/^[\x21-\x7E]+$/.test(token)) return new SecretValue(token);
  throw new CliError(`${place} holds more than a token: ${remedy}`, exitCodes.usage.code);
}

/** The text of the file that an argument names; throws when it cannot be read. */
export async function contentOf(argument: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw refused(argument, file, `it cannot be read: ${why}`, 'Name a file that exists and is yours to read');
  }
}

function requireName(argument: string, name: string, { pattern, message }: TextRule): void {
  if (new RegExp(pattern).test(name)) return;
  throw refused(argument, name, message, 'No resource can have this name: give the one of yours');
}

/** The error of an argument: its value, what is wrong with it, and what to do. */
export function refused(argument: string, value: string, problem: string, remedy: string): CliError {
  return new CliError(`${argument} ${JSON.stringify(value)}: ${problem}. ${remedy}.`, exitCodes.usage.code);
}
