// SPDX-License-Identifier: Apache-2.0
import { int32, int64 } from '@forge/kube/schema/field.ts';
import { choice, conditions } from '@forge/kube/schema/schema-types.ts';
import { Type } from 'typebox';

const upgradePhases = ['Expanding', 'Migrating', 'RollingUpdate', 'Contracting'] as const;

const failedRun = (description: string) =>
  Type.Optional(
    Type.Object(
      {
        key: Type.String({ description: 'Key of the Job.' }),
        problem: Type.Optional(Type.String({ description: 'What went wrong in its pods, if they reported it.' })),
      },
      { description: `${description} It counts as failed also while it is tried again.` },
    ),
  );

/** What the operator observed and remembers. */
export const status = Type.Object(
  {
    conditions: conditions(),
    observedGeneration: Type.Optional(int64('Generation of the spec that was reconciled last.')),
    endpoint: Type.Optional(
      Type.String({
        description:
          'URL of the Keystone API: that of the gateway when there is one, else that of the Service inside the cluster.',
      }),
    ),
    replicas: Type.Optional(int32('Number of API pods that exist.', {})),
    rolledOutTemplate: Type.Optional(
      Type.String({
        description:
          'Digest of the pod template that all API pods had when they were last all available; absent during a rollout.',
      }),
    ),
    selector: Type.Optional(Type.String({ description: 'Labels of the API pods, for autoscalers and kubectl scale.' })),
    installedRelease: Type.Optional(
      Type.String({
        description: 'Release of the database schema and of the running pods; during an upgrade the one before it.',
      }),
    ),
    targetRelease: Type.Optional(Type.String({ description: 'Release that an upgrade under way leads to.' })),
    upgradePhase: Type.Optional(
      choice(upgradePhases, {
        description:
          'Phase of an upgrade under way: Expanding adds to the schema, Migrating moves data, RollingUpdate replaces the pods, ' +
          'Contracting removes from the schema what only the old release used.',
      }),
    ),
    expandedRelease: Type.Optional(
      Type.String({
        description: 'Release for which the schema was or may have been expanded, until that upgrade is complete.',
      }),
    ),
    expandJob: Type.Optional(
      Type.String({
        description:
          'Uid of the Job that expands the schema for the upgrade under way; "pending" before it is created. Only that Job can ' +
          'prove that it has never run.',
      }),
    ),
    contractedRelease: Type.Optional(
      Type.String({
        description:
          'Release for which the schema was or may have been contracted, until that upgrade is complete; it can no longer be aborted.',
      }),
    ),
    syncedDatabase: Type.Optional(
      Type.String({
        description:
          'Database on which the operator has begun to create the schema: host, port, name, and for a managed one the uids of its ' +
          'Database and of its MariaDB. Credential keys are never generated again from then on; another database is filled anew.',
      }),
    ),
    failedDatabaseJob: failedRun('The Job on the database that failed last, until one completes.'),
    completedPolicyValidation: Type.Optional(
      Type.String({
        description: 'Key of the last policy validation Job that completed: the same rules are not checked twice.',
      }),
    ),
    failedPolicyValidation: Type.Optional(
      Type.Object(
        {
          key: Type.String({ description: 'Key of the Job.' }),
          error: Type.Optional(Type.String({ description: 'What the validator said, if anything.' })),
        },
        { description: 'The policy validation that failed last, until another one completes.' },
      ),
    ),
    validatedConfig: Type.Optional(
      Type.Object(
        {
          configMap: Type.String({ description: 'Name of the ConfigMap.' }),
          image: Type.String({ description: 'Image whose release knows every policy rule in it.' }),
        },
        {
          description:
            'The last configuration that was valid: API pods run it while that of spec cannot be rendered or its policy is not valid.',
        },
      ),
    ),
    completedBootstrap: Type.Optional(
      Type.String({
        description: 'Key of the last bootstrap Job that completed: the same bootstrap does not run twice.',
      }),
    ),
    failedBootstrap: failedRun('The bootstrap that failed last, until one completes.'),
  },
  { description: 'State of the identity service as the operator last observed it.' },
);
