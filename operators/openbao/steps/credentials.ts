// SPDX-License-Identifier: Apache-2.0
// Calls that need a token use one of the least power: that of the user's role or Secret. The root token only asks a leader to
// step down, and only where the user has named nothing else. Configured credentials that do not work are reported, not replaced.
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { minutes } from '@forge/runtime/environment/duration.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { jwtAudience, namesOf } from '../api/names.ts';
import type { OpenBaoCluster } from '../api/openbao-cluster.ts';
import { isProblem, type Credential, type CredentialProblem } from '../clients/credential.ts';
import type { OpenBaoServer } from '../clients/openbao-call.ts';
import { OpenBaoError } from '../clients/openbao-error.ts';
import type { ContextWith, Services } from '../clients/services.ts';

/** The Secrets with the credentials that users name, for the `reads` of a step that uses them; its `modifies` has `tokens`. */
export const credentialSecrets = reads<OpenBaoCluster, Services, Secret>(Secret, ({ spec }) => [
  ...secretsOf(spec.upgrade),
  ...secretsOf(spec.backup),
]);

/** The Secret with the root token, for the step that asks leaders to step down; it is in no cache. */
export const rootToken = reads<OpenBaoCluster, Services, Secret>(
  Secret,
  (cluster) => [namesOf(cluster).rootTokenSecret],
  { live: true },
);

/** Who may do what: a role to log in with goes before a token. */
type Account = Pick<NonNullable<OpenBaoCluster['spec']['upgrade']>, 'jwtAuthRole' | 'tokenSecretRef'>;

const secretsOf = (account: Account | undefined) =>
  account?.tokenSecretRef === undefined ? [] : [account.tokenSecretRef.name];

const isNamed = (account: Account | undefined) =>
  account?.jwtAuthRole !== undefined || account?.tokenSecretRef !== undefined;

/** Whether the spec names a credential for upgrades, and one that may read the state of Raft. */
export const namedCredentials = ({ spec }: OpenBaoCluster) => ({
  forUpgrades: isNamed(spec.upgrade),
  forReading: isNamed(spec.upgrade) || isNamed(spec.backup),
});

/** The shortest life of a token that an API server issues; a login takes a moment. */
const jwtLife = minutes(10);

/** A token for upgrades, by a login at this server, which need not lead; undefined when none is configured. */
export async function upgradeCredential(
  context: ContextWith,
  server: OpenBaoServer,
): Promise<Credential | CredentialProblem | undefined> {
  const { spec } = context.object;
  return await credentialOf(spec.upgrade, namesOf(context.object).upgradeServiceAccount, server, context);
}

/** A token that may read the state of Raft: that for upgrades, or else for backups; never the root token. */
export async function readingCredential(
  context: ContextWith,
  server: OpenBaoServer,
): Promise<Credential | CredentialProblem | undefined> {
  const { spec } = context.object;
  const found = await upgradeCredential(context, server);
  return found ?? (await credentialOf(spec.backup, namesOf(context.object).backupServiceAccount, server, context));
}

/** A token that may ask a leader to step down: that for upgrades, or as the last resort the root token. */
export async function stepDownCredential(
  context: ContextWith,
  server: OpenBaoServer,
): Promise<Credential | CredentialProblem> {
  const found = await upgradeCredential(context, server);
  if (found !== undefined) return found;
  const name = namesOf(context.object).rootTokenSecret;
  const root = tokenIn(name, await context.fetch(Secret, name));
  if (!isProblem(root)) return root;
  return { problem: 'no upgrade token configured: set spec.upgrade.jwtAuthRole or spec.upgrade.tokenSecretRef' };
}

/**
 * The result of a call with the credential; when the server denies it, why. `needs` names what the policy of the token must
 * allow: `update on sys/storage/raft/remove-peer`.
 */
export async function calledWith<R>(
  { token, from, forget }: Credential,
  { server, needs, context }: { server: OpenBaoServer; needs: string; context: ContextWith },
  call: (token: SecretValue) => Promise<R>,
): Promise<R | CredentialProblem> {
  try {
    return await call(token);
  } catch (error) {
    if (!(error instanceof OpenBaoError) || error.failure !== 'denied') throw error;
    forget();
    const isKnown = await context.services.openbao.knowsToken(server, token, context.signal);
    return { problem: isKnown ? `the token of ${from} needs ${needs}` : `the token of ${from} is not valid any more` };
  }
}

async function credentialOf(
  account: Account | undefined,
  serviceAccount: string,
  server: OpenBaoServer,
  context: ContextWith,
): Promise<Credential | CredentialProblem | undefined> {
  const { jwtAuthRole: role, tokenSecretRef } = account ?? {};
  if (role !== undefined) return await loggedIn({ role, serviceAccount, server }, context);
  return tokenSecretRef && tokenIn(tokenSecretRef.name, context.get(Secret, tokenSecretRef.name));
}

function tokenIn(name: string, secret: Secret | undefined): Credential | CredentialProblem {
  const token = secret?.data?.['token'] ?? '';
  if (token === '') return { problem: `Secret ${name} with the key "token" is missing` };
  // Tools write a line end, which no token has.
  const value = new SecretValue(SecretValue.fromBase64(token).reveal().trim());
  return { token: value, from: `Secret ${name}`, forget: () => {} };
}

interface JwtLogin {
  readonly role: string;
  readonly serviceAccount: string;
  readonly server: OpenBaoServer;
}

async function loggedIn(
  { role, serviceAccount, server }: JwtLogin,
  context: ContextWith,
): Promise<Credential | CredentialProblem> {
  const { object: cluster, services, actUnlessPlanned, requestToken, signal } = context;
  const key = JSON.stringify([cluster.metadata.uid, serviceAccount, role]);
  const logIn = () =>
    actUnlessPlanned(`log in to OpenBao with role ${role}`, async ({ openbao }) => {
      const { token: jwt } = await requestToken(serviceAccount, { audiences: [jwtAudience], validFor: jwtLife });
      return await openbao.logIn(server, { role, jwt }, signal);
    });
  try {
    const token = await services.logins.tokenOf(key, logIn);
    if (token === undefined) return { problem: 'a plan does not log in' };
    return { token, from: `role ${role}`, forget: () => services.logins.forget(key) };
  } catch (error) {
    if (error instanceof OpenBaoError) return { problem: `cannot log in with role ${role}: ${error.message}` };
    throw error;
  }
}
