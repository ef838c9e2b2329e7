// SPDX-License-Identifier: Apache-2.0
import { client } from '@forge/kube/client/client.ts';
import type { Transport } from '@forge/kube/client/transport.ts';
import { ApiError, type Status } from '@forge/kube/errors/api-error.ts';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { isObject, type JsonObject } from '@forge/kube/objects/json.ts';
import { namesOf } from '@forge/openbao/api/names.ts';
import { OpenBaoCluster } from '@forge/openbao/api/openbao-cluster.ts';
import { CliError } from '../terminal/cli-error.ts';
import { publicKeysIn, type JwtTrust, type KeySource } from './jwt-trust.ts';
import { refused } from './seed-arguments.ts';

/** An OpenBaoCluster by its name. */
export interface ClusterRef {
  readonly namespace: string;
  readonly name: string;
}

/** The OpenBaoCluster; throws when there is none of this name. */
export async function clusterAt(transport: Transport, ref: ClusterRef): Promise<OpenBaoCluster> {
  const found = await client(transport).find(OpenBaoCluster, ref);
  if (found !== undefined) return found;
  const problem = `there is no OpenBaoCluster of this name in the namespace ${JSON.stringify(ref.namespace)}`;
  throw refused('--openbao-cluster', ref.name, problem, 'kubectl get openbaoclusters -A lists those that there are');
}

/** PEM of the authority of its servers; undefined when the cluster keeps none, and they use a well-known one. */
export async function authorityIn(transport: Transport, cluster: OpenBaoCluster): Promise<string | undefined> {
  const { caSecret: name } = namesOf(cluster);
  const { namespace = '' } = cluster.metadata;
  const secret = await client(transport).find(Secret, { namespace, name });
  const encoded = secret?.data?.['ca.crt'];
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString();
}

/** Whom OpenBao shall trust: the API server, whose keys are those that it publishes now, unless `source` says otherwise. */
export async function trustOf(transport: Transport, source: KeySource | undefined): Promise<JwtTrust> {
  const { issuer } = await published(transport, '/.well-known/openid-configuration');
  if (typeof issuer !== 'string' || issuer === '') {
    throw new CliError(
      'The API server names no issuer of ServiceAccount tokens. See its flag --service-account-issuer.',
    );
  }
  if (source !== undefined) return { bound_issuer: issuer, ...source };
  const keys = publicKeysIn(JSON.stringify(await published(transport, '/openid/v1/jwks')));
  return { bound_issuer: issuer, jwt_validation_pubkeys: keys };
}

async function published(transport: Transport, path: string): Promise<JsonObject> {
  const { status, body } = await transport.request({ method: 'GET', path });
  if (status >= 400) throw new ApiError(body as Status, `GET ${path}`);
  const value = typeof body === 'string' ? (JSON.parse(body) as unknown) : body;
  return isObject(value) ? value : {};
}
