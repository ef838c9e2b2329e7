// SPDX-License-Identifier: Apache-2.0
import type { FailedRun } from '@forge/runtime/jobs/run-job.ts';
import type { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import type { Outcome } from '@forge/runtime/steps/outcome.ts';
import type { ContextWith } from '../../clients/services.ts';
import type { DatabaseJobInputs } from '../../objects/jobs/database-jobs.ts';
import type { UpgradePhase } from './release-decision.ts';

/** The context of the parts of the Database step. */
export type DatabaseContext = ContextWith<{
  readonly config: { configMap: string };
  readonly dbConnection: { secrets: SecretValue[]; digest: string };
}>;

/** The context of the parts that may delete Jobs; `keepsJobs` while one of them is still to be measured. */
export type ReleaseContext = DatabaseContext & { readonly keepsJobs: boolean };

/** What the step remembers in status. */
interface DatabaseStatus {
  installedRelease?: string | undefined;
  targetRelease?: string | undefined;
  upgradePhase?: UpgradePhase | undefined;
  expandedRelease?: string | undefined;
  expandJob?: string | undefined;
  contractedRelease?: string | undefined;
  syncedDatabase?: string | undefined;
  failedDatabaseJob?: FailedRun | undefined;
}

/** The output of the step: the image whose release fits the schema as it is now. */
interface Serving {
  image: string;
}

/** How a part of the step ends. */
export type DatabaseOutcome = Outcome<Serving, DatabaseStatus>;

/** The inputs of Jobs on the database. */
export function jobInputs({ needs: { config, dbConnection } }: DatabaseContext): DatabaseJobInputs {
  return { configMap: config.configMap, connectionDigest: dbConnection.digest };
}
