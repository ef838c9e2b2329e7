// SPDX-License-Identifier: Apache-2.0
import { isApiError, type ApiError } from '@forge/kube/errors/api-error.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { conditionTemplate, type Statement } from '../../conditions/cases.ts';
import { applyRejected } from '../../conditions/engine-cases.ts';
import { redactApiError } from '../../secrets/redact-api-error.ts';
import { KindNotInstalled } from '../../steps/kind-not-installed.ts';

const rejected = conditionTemplate(applyRejected);

/** A write was rejected; retrying it is of no use until something changes. */
export class WriteRejected extends Error {
  override readonly name = 'WriteRejected';
  readonly statement: Statement;

  constructor({ kind, metadata: { name } }: KubeObject, error: string, options?: ErrorOptions) {
    const statement = rejected({ kind, name, error });
    super(statement.message, options);
    this.statement = statement;
  }
}

/** The response to a write of the object; rejections are thrown as WriteRejected or KindNotInstalled. */
export async function checkAccepted<R>(kind: Kind, object: KubeObject, request: Promise<R>): Promise<R> {
  try {
    return await redactApiError(object, request);
  } catch (error) {
    if (isMissingKind(error)) throw new KindNotInstalled(kind, object, { cause: error });
    if (!isApiError(error, 'Invalid', 'Forbidden', 'RequestEntityTooLarge')) throw error;
    throw new WriteRejected(object, error.status.message ?? error.message, { cause: error });
  }
}

/** Whether the resource type was not found; for a missing object or namespace the details have a name. */
function isMissingKind(error: unknown): error is ApiError {
  return isApiError(error, 'NotFound') && error.status.details?.name === undefined;
}
