// SPDX-License-Identifier: Apache-2.0
import type { EnvVar } from '@forge/kube/generated/types.ts';
import { executorVariables as variables } from '../../api/executor/executor-environment.ts';
import { namesOf } from '../../api/names.ts';
import type { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { acmeDomains } from '../config/listener-block.ts';
import type { BackupSpec } from './backup-spec.ts';
import { webIdentityTokenFile } from './backup-volumes.ts';

/** What the environment of a Job says besides the spec. */
interface EnvironmentInputs {
  /** How many servers there may be. */
  readonly replicas: number;
  readonly key: string;
  readonly filePrefix: string | undefined;
}

/** The environment of the executor: what to save, where to, and who it is. */
export function backupEnvironment(cluster: OpenBaoCluster, backup: BackupSpec, inputs: EnvironmentInputs): EnvVar[] {
  const { namespace = '', name } = cluster.metadata;
  const [serverName] = cluster.spec.tls.mode === 'ACME' ? acmeDomains(cluster) : [];
  const values: Readonly<Record<string, string | number | boolean | undefined>> = {
    [variables.clusterNamespace]: namespace,
    [variables.clusterName]: name,
    [variables.clusterReplicas]: inputs.replicas,
    [variables.statefulSet]: namesOf(cluster).statefulSet,
    [variables.tlsServerName]: serverName,
    ...targetVariables(backup),
    ...loginVariables(backup),
    [variables.filenamePrefix]: inputs.filePrefix,
    [variables.key]: inputs.key,
    [variables.retentionMaxCount]: backup.retention?.maxCount,
    [variables.retentionMaxAge]: backup.retention?.maxAge,
  };
  return Object.entries(values).flatMap(([variable, value]) =>
    value === undefined ? [] : [{ name: variable, value: String(value) }],
  );
}

function targetVariables({ target }: BackupSpec) {
  return {
    [variables.endpoint]: target.endpoint,
    [variables.bucket]: target.bucket,
    [variables.pathPrefix]: target.pathPrefix,
    [variables.region]: target.region,
    [variables.usePathStyle]: target.usePathStyle,
    [variables.partSize]: target.partSize,
    [variables.concurrency]: target.concurrency,
    [variables.roleArn]: target.roleArn,
    [variables.webIdentityTokenFile]: target.roleArn === undefined ? undefined : webIdentityTokenFile,
  };
}

/** Where both ways to log in are given, the role counts. */
function loginVariables({ jwtAuthRole }: BackupSpec) {
  return {
    [variables.authMethod]: jwtAuthRole === undefined ? 'token' : 'jwt',
    [variables.jwtAuthRole]: jwtAuthRole,
  };
}
