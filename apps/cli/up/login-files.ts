// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import type { Logger } from '@forge/runtime/observability/logger.ts';
import { stringify } from 'yaml';
import type { DataFolder } from '../data/data-folder.ts';
import { writePrivateFile } from '../data/write-private-file.ts';
import { credentialIn } from './application-credential.ts';
import type { Demo } from './demo.ts';
import { follow } from './follow.ts';
import { credentialLogin, passwordLogin, type Credential } from './identity.ts';

/** The entries of clouds.yaml. */
export const clouds = { password: 'forge', credential: 'forge-credential' };

/** Names of the files with login requests. */
export const loginFiles = { password: 'login.json', credential: 'login-credential.json' };

/** The sources of the files. */
interface LoginOptions {
  client: Client;
  demo: Demo;
  data: DataFolder;
  url: string;
  log: Logger;
  signal: AbortSignal;
}

/**
 * Writes login files, so that secrets appear neither on screen nor on a command line, and writes them again whenever
 * the Secrets change, until the signal aborts. Resolves with the admin password when they are written.
 */
export async function keepLoginFiles(options: LoginOptions): Promise<string> {
  const { client, demo, data, url, log, signal } = options;
  const secrets = new Map<string, Secret>();
  const first = Promise.withResolvers<string>();
  let written = '';
  let writing = Promise.resolve();

  function changed(): void {
    const encoded = secrets.get(demo.adminSecret)?.data?.['password'];
    const { cloudsYaml } = demo;
    const credential = cloudsYaml && credentialIn(secrets.get(cloudsYaml.secret), cloudsYaml.cloud);
    if (encoded === undefined || (cloudsYaml !== undefined && credential === undefined)) return;
    const password = Buffer.from(encoded, 'base64').toString();
    const content = JSON.stringify([password, credential]);
    if (content === written) return;
    written = content;
    writing = writing
      .then(() => writeLoginFiles(data, url, { password, ...(credential && { credential }) }))
      .then(() => first.resolve(password))
      .catch((error: unknown) => {
        first.reject(error);
        log.error('the files for logging in are not current', { error });
      });
  }

  const { namespace } = demo;
  follow(client, { kind: Secret, namespace, objects: secrets }, changed, signal).catch((error: unknown) => {
    first.reject(error);
    log.error('the files for logging in are not kept current', { error });
  });
  signal.addEventListener('abort', () => first.reject(signal.reason), { once: true });
  return await first.promise;
}

async function writeLoginFiles(
  data: DataFolder,
  url: string,
  { password, credential }: { password: string; credential?: Credential },
): Promise<void> {
  const byPassword = {
    auth_url: url,
    username: 'admin',
    password,
    project_name: 'admin',
    user_domain_id: 'default',
    project_domain_id: 'default',
  };
  const byCredential = credential && {
    auth_type: 'v3applicationcredential',
    auth: {
      auth_url: url,
      application_credential_id: credential.id,
      application_credential_secret: credential.secret,
    },
  };
  const entries = {
    [clouds.password]: cloud({ auth: byPassword }),
    ...(byCredential && { [clouds.credential]: cloud(byCredential) }),
  };
  const write = (name: string, text: string) => writePrivateFile(data.path(name), text);
  await write(loginFiles.password, `${JSON.stringify(passwordLogin(password))}\n`);
  if (credential) await write(loginFiles.credential, `${JSON.stringify(credentialLogin(credential))}\n`);
  await write('clouds.yaml', stringify({ clouds: entries }));
}

function cloud(login: { auth: object; auth_type?: string }) {
  return { ...login, region_name: 'RegionOne', identity_api_version: 3 };
}
