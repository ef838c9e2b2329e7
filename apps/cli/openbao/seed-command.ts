// SPDX-License-Identifier: Apache-2.0
import { readFile } from 'node:fs/promises';
import { vaultHttp } from '@forge/cluster/stand-ins/external-secrets/vault-http.ts';
import { httpClient } from '@forge/runtime/http/http-client.ts';
import { systemRandom } from '@forge/runtime/random/random.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { systemClock } from '@forge/runtime/time/clock.ts';
import { CliError } from '../terminal/cli-error.ts';
import { exitCodes } from '../terminal/exit-code.ts';
import { seed, type Seeded, type SeedTarget } from './seed.ts';

/** The options of `forge seed`. */
export interface SeedOptions {
  namespace: string;
  keystone?: string;
  controlPlane?: string;
  address?: string;
  caFile?: string;
  tokenFile?: string;
  mount: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Seeds the credentials of a Keystone in any OpenBao. The token comes from a file or the environment, never an argument. */
export async function seedCommand(options: SeedOptions, environment: Environment): Promise<Seeded[]> {
  const target = targetOf(options);
  const server = addressOf(options, environment);
  const caFile = options.caFile ?? environment['BAO_CACERT'];
  const token = await tokenOf(options, environment);
  const ca = caFile === undefined ? undefined : await readFile(caFile, 'utf8');
  const http = httpClient({ clock: systemClock, ...(ca !== undefined && { ca }) });
  return await seed(vaultHttp({ http, server, token }), target, { mount: options.mount, random: systemRandom });
}

function targetOf({ namespace, keystone, controlPlane }: SeedOptions): SeedTarget {
  if ((keystone === undefined) === (controlPlane === undefined)) {
    throw new CliError('Name either --keystone or --control-plane.', exitCodes.usage.code);
  }
  if (controlPlane !== undefined) return { namespace, keystone: `${controlPlane}-keystone`, controlPlane };
  return { namespace, keystone: keystone ?? '' };
}

function addressOf({ address }: SeedOptions, environment: Environment): string {
  const text = address ?? environment['BAO_ADDR'];
  if (text === undefined) {
    throw new CliError('Give the URL of OpenBao with --address or in $BAO_ADDR.', exitCodes.usage.code);
  }
  const url = URL.parse(text);
  const isLoopback = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback)) return text;
  throw new CliError(
    `${text} is not an https URL: the token and the passwords would be readable.`,
    exitCodes.usage.code,
  );
}

async function tokenOf({ tokenFile }: SeedOptions, environment: Environment): Promise<SecretValue> {
  const text = tokenFile === undefined ? environment['BAO_TOKEN'] : await readFile(tokenFile, 'utf8');
  const token = text?.trim() ?? '';
  if (token !== '') return new SecretValue(token);
  const place = tokenFile === undefined ? '$BAO_TOKEN is not set' : `${tokenFile} is empty`;
  throw new CliError(`${place}: give a token in $BAO_TOKEN or with --token-file.`, exitCodes.usage.code);
}
