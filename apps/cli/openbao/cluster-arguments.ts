// SPDX-License-Identifier: Apache-2.0
import { readFile } from 'node:fs/promises';
import { dnsLabelProblem } from '@forge/apiserver/formats/names.ts';
import { CliError } from '../terminal/cli-error.ts';
import { exitCodes } from '../terminal/exit-code.ts';
import { publicKeysIn, type KeySource } from './jwt-trust.ts';
import { contentOf, refused, type SeedOptions } from './seed-arguments.ts';

/** The options of `forge seed` that only an OpenBaoCluster has. */
export interface ClusterOptions {
  openbaoCluster?: string;
  kubeconfig?: string;
  jwtKeys?: string;
  jwksUrl?: string;
  oidcDiscoveryUrl?: string;
  issuerCaFile?: string;
  replace?: true;
}

/** The OpenBaoCluster that is named; throws for an invalid name, and for options that belong to something else. */
export function clusterRefOf(options: SeedOptions & ClusterOptions): { namespace: string; name: string } {
  const { namespace, openbaoCluster: name = '', keystone, controlPlane, mount } = options;
  if (keystone !== undefined || controlPlane !== undefined) {
    const message = 'Name one of --keystone, --control-plane and --openbao-cluster.';
    throw new CliError(message, exitCodes.usage.code);
  }
  if (mount !== undefined) {
    const problem = 'it is the KV mount of a Keystone, and nothing is written into one for an OpenBaoCluster';
    throw refused('--mount', mount, problem, 'Leave it out');
  }
  const place = dnsLabelProblem(namespace);
  if (place !== undefined) throw refused('--namespace', namespace, place, 'Name the namespace of the resource');
  if (!/^[a-z]([-a-z0-9]{0,33}[a-z0-9])?$/.test(name)) {
    const problem =
      'a name has at most 35 lower-case letters, digits and -, begins with a letter and ends with a letter or digit';
    throw refused('--openbao-cluster', name, problem, 'No OpenBaoCluster can have this name: give that of yours');
  }
  return { namespace, name };
}

/** Throws when an option is given that only an OpenBaoCluster has. */
export function refuseClusterOptions(options: ClusterOptions): void {
  const flags: Readonly<Record<keyof ClusterOptions, string>> = {
    openbaoCluster: '--openbao-cluster',
    kubeconfig: '--kubeconfig',
    jwtKeys: '--jwt-keys',
    jwksUrl: '--jwks-url',
    oidcDiscoveryUrl: '--oidc-discovery-url',
    issuerCaFile: '--issuer-ca-file',
    replace: '--replace',
  };
  for (const [option, flag] of Object.entries(flags)) {
    if (options[option as keyof ClusterOptions] === undefined) continue;
    const message = `${flag} has no effect without --openbao-cluster. Leave it out.`;
    throw new CliError(message, exitCodes.usage.code);
  }
}

/** Where OpenBao shall get the keys from that sign tokens; undefined for the API server's own, as they are now. */
export async function keySourceOf(options: ClusterOptions): Promise<KeySource | undefined> {
  const { jwtKeys, jwksUrl, oidcDiscoveryUrl, issuerCaFile } = options;
  if ([jwtKeys, jwksUrl, oidcDiscoveryUrl].filter((each) => each !== undefined).length > 1) {
    const message = 'Name one of --jwt-keys, --jwks-url and --oidc-discovery-url: OpenBao reads keys in one way.';
    throw new CliError(message, exitCodes.usage.code);
  }
  if (jwtKeys !== undefined) return { jwt_validation_pubkeys: await keysIn(jwtKeys) };
  const url = jwksUrl ?? oidcDiscoveryUrl;
  if (url === undefined && issuerCaFile !== undefined) {
    const message = '--issuer-ca-file has no effect without --jwks-url or --oidc-discovery-url. Leave it out.';
    throw new CliError(message, exitCodes.usage.code);
  }
  if (url === undefined) return undefined;
  const flag = jwksUrl === undefined ? '--oidc-discovery-url' : '--jwks-url';
  if (URL.parse(url)?.protocol !== 'https:') {
    const problem = 'is not an https URL: whoever answers there decides who may log in';
    throw refused(flag, url, problem, 'Give the URL of the issuer of your cluster');
  }
  const ca = issuerCaFile === undefined ? undefined : await contentOf('--issuer-ca-file', issuerCaFile);
  return jwksUrl === undefined
    ? { oidc_discovery_url: url, ...(ca !== undefined && { oidc_discovery_ca_pem: ca }) }
    : { jwks_url: url, ...(ca !== undefined && { jwks_ca_pem: ca }) };
}

async function keysIn(file: string): Promise<string[]> {
  const text = await contentOf('--jwt-keys', file);
  try {
    return publicKeysIn(text);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    const remedy = 'Give public keys in PEM, or what kubectl get --raw /openid/v1/jwks prints';
    throw refused('--jwt-keys', file, problem, remedy);
  }
}

/** Reads a file of a kubeconfig. */
export const readText = (path: string) => readFile(path, 'utf8');
