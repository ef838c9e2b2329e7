// SPDX-License-Identifier: Apache-2.0
import { ApiError } from '@forge/kube/errors/api-error.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';

/**
 * The response to a write of this object. When the server rejects a Secret, its message may quote the content, which must
 * not reach a condition or a log: the error then carries only the reason and the names of the fields.
 */
export async function redactApiError<R>(object: KubeObject, request: Promise<R>): Promise<R> {
  try {
    return await request;
  } catch (error) {
    throw error instanceof ApiError && isSecret(object) ? redacted(object, error) : error;
  }
}

function isSecret({ apiVersion, kind }: KubeObject): boolean {
  return apiVersion === 'v1' && kind === 'Secret';
}

function redacted({ kind, metadata: { name } }: KubeObject, { status, code }: ApiError): ApiError {
  const { causes, ...details } = status.details ?? {};
  const fields = [...new Set(causes?.flatMap(({ field }) => field ?? []))];
  return new ApiError(
    {
      ...status,
      message: [status.reason ?? `HTTP ${code}`, ...(fields.length > 0 ? [fields.join(', ')] : [])].join(': '),
      details: { ...details, ...(causes !== undefined && { causes: fields.map((field) => ({ field })) }) },
    },
    `${kind} ${name}`,
  );
}
