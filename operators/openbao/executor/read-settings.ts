// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '@forge/runtime/environment/clock.ts';
import type { Duration } from '@forge/runtime/environment/duration.ts';
import { parseDuration } from '@forge/runtime/environment/parse-duration.ts';
import type { Random } from '@forge/runtime/environment/random.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { executorPaths, executorVariables } from '../api/executor/executor-environment.ts';
import { snapshotKey, snapshotPrefix } from '../api/executor/snapshot-key.ts';
import { apiPort } from '../api/names.ts';
import type { OpenBaoServer } from '../clients/openbao-call.ts';
import type { BackupLogin, BackupSettings, StorageSettings } from './backup-settings.ts';
import { ExecutorFailure } from './executor-failure.ts';

type Variable = keyof typeof executorVariables;

/** What settings are read from. */
export interface SettingsSource {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The content of a file; undefined when it does not exist. */
  readonly readFile: (path: string) => Promise<string | undefined>;
  readonly clock: Clock;
  readonly random: Pick<Random, 'bytes'>;
}

const minPartSize = 5 * 1024 * 1024;
const defaultPartSize = 10 * 1024 * 1024;
const maxConcurrency = 10;
/** More servers than any cluster has. */
const maxReplicas = 1000;

/** The settings of a backup and its storage, from the environment and the files that it names; rejects with an ExecutorFailure. */
export async function readSettings(
  source: SettingsSource,
): Promise<{ backup: BackupSettings; storage: StorageSettings }> {
  const { environment, readFile, clock, random } = source;
  const optional = (variable: Variable) => environment[executorVariables[variable]]?.trim() || undefined;
  const required = (variable: Variable) => optional(variable) ?? wrong(`${executorVariables[variable]} is not set`);
  const whole = (variable: Variable, usual: number, [least, most]: readonly [number, number]) => {
    const text = optional(variable) ?? String(usual);
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    return wrong(`${executorVariables[variable]} is ${text}; it must be a whole number from ${least} to ${most}`);
  };
  const file = async (variable: keyof typeof executorPaths, name?: string) => {
    const path = optional(variable) ?? executorPaths[variable];
    const full = name === undefined ? path : `${path}/${name}`;
    return { path: full, text: (await readFile(full))?.trim() || undefined };
  };

  const owner = {
    namespace: required('clusterNamespace'),
    name: required('clusterName'),
    pathPrefix: optional('pathPrefix'),
  };

  function servers(ca: string | undefined, caPath: string): OpenBaoServer[] {
    const serverName = optional('tlsServerName');
    if (ca === undefined && serverName === undefined) return wrong(`the CA of the servers is missing: ${caPath}`);
    const set = optional('statefulSet') ?? owner.name;
    const suffix = optional('domainSuffix')?.replaceAll(/^\.+|\.+$/g, '');
    const domain = `${owner.name}.${owner.namespace}.svc${suffix === undefined ? '' : `.${suffix}`}`;
    return Array.from({ length: whole('clusterReplicas', 0, [1, maxReplicas]) }, (_, ordinal) => ({
      url: `https://${set}-${ordinal}.${domain}:${apiPort}`,
      ...(ca !== undefined && { ca }),
      ...(serverName !== undefined && { serverName }),
    }));
  }

  async function login(): Promise<BackupLogin> {
    const method = required('authMethod');
    if (method !== 'jwt' && method !== 'token') {
      return wrong(`${executorVariables.authMethod} is ${method}; it must be jwt or token`);
    }
    const { path, text } = await file(method === 'jwt' ? 'jwtPath' : 'tokenPath');
    if (text === undefined) throw new ExecutorFailure('auth', `there is no ${method} in ${path}`);
    const secret = new SecretValue(text);
    return method === 'jwt' ? { role: required('jwtAuthRole'), jwt: secret } : { token: secret };
  }

  async function credentials(): Promise<StorageSettings['credentials']> {
    if (optional('roleArn') !== undefined) return undefined;
    const [id, secret, session] = await Promise.all(
      ['accessKeyId', 'secretAccessKey', 'sessionToken'].map((name) => file('credentialsPath', name)),
    );
    const [accessKeyId, secretAccessKey] = [id?.text, secret?.text];
    if (accessKeyId === undefined && secretAccessKey === undefined) return undefined;
    if (accessKeyId === undefined || secretAccessKey === undefined) {
      const missing = accessKeyId === undefined ? id : secret;
      return wrong(`the credentials of the storage server are incomplete: there is no ${missing?.path}`);
    }
    return {
      accessKeyId,
      secretAccessKey: new SecretValue(secretAccessKey),
      ...(session?.text !== undefined && { sessionToken: new SecretValue(session.text) }),
    };
  }

  function maxAge(): Duration | undefined {
    const text = optional('retentionMaxAge');
    const age = text === undefined ? undefined : parseDuration(text);
    if (text === undefined || (age !== undefined && age > 0)) return age;
    return wrong(`${executorVariables.retentionMaxAge} is ${text}; it must be a duration such as 720h, greater than 0`);
  }

  function endpoint(): string {
    const text = required('endpoint');
    if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
    return wrong(`${executorVariables.endpoint} is ${text}; it must be an http or https URL`);
  }

  const [ca, storageCa, region] = await Promise.all([
    file('caPath'),
    file('credentialsPath', 'caCert'),
    file('credentialsPath', 'region'),
  ]);
  const id = Buffer.from(random.bytes(4)).toString('hex');
  const named = { time: new Date(clock.now()), id, filenamePrefix: optional('filenamePrefix') };
  return {
    backup: {
      servers: servers(ca.text, ca.path),
      login: await login(),
      key: optional('key') ?? snapshotKey(owner, named),
      prefix: snapshotPrefix(owner),
      retention: { maxCount: whole('retentionMaxCount', 0, [0, 2 ** 31 - 1]), maxAge: maxAge() },
    },
    storage: {
      endpoint: endpoint(),
      bucket: required('bucket'),
      region: region.text ?? optional('region') ?? 'us-east-1',
      usePathStyle: optional('usePathStyle') === 'true',
      partSize: whole('partSize', defaultPartSize, [minPartSize, Number.MAX_SAFE_INTEGER]),
      concurrency: whole('concurrency', 3, [1, maxConcurrency]),
      credentials: await credentials(),
      ca: storageCa.text,
    },
  };
}

function wrong(message: string): never {
  throw new ExecutorFailure('config', message);
}
