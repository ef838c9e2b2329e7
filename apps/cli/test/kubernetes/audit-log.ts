// SPDX-License-Identifier: Apache-2.0
import { readFile } from 'node:fs/promises';

/** The fields of an audit log entry that tests read. */
export interface AuditEntry {
  auditID: string;
  stage: string;
  verb: string;
  requestURI: string;
  requestReceivedTimestamp: string;
  user: { username: string; extra?: Readonly<Record<string, readonly string[]>> };
  objectRef?: {
    resource: string;
    subresource?: string;
    apiGroup?: string;
    namespace?: string;
    name?: string;
  };
  responseStatus?: { code?: number; reason?: string; message?: string };
  annotations?: Readonly<Record<string, string>>;
}

/** The last entry of each request in an audit log. */
export async function readAuditLog(file: string): Promise<AuditEntry[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  const entries = new Map<string, AuditEntry>();
  for (const line of lines) {
    const entry = JSON.parse(line) as AuditEntry;
    entries.set(entry.auditID, entry);
  }
  return [...entries.values()];
}

/** The name of the ServiceAccount's pod that sent a request. */
export function podOf({ user }: AuditEntry): string | undefined {
  return user.extra?.['authentication.kubernetes.io/pod-name']?.[0];
}

/** Whether the request was refused because the user may not send it; nobody may create objects in a terminating namespace. */
export function isDenied({ responseStatus: { code, message } = {}, annotations }: AuditEntry): boolean {
  if (annotations?.['authorization.k8s.io/decision'] === 'forbid') return true;
  return code === 403 && message?.endsWith('because it is being terminated') !== true;
}

/** Whether the request changed something. */
export function isWrite({ verb, requestURI, responseStatus }: AuditEntry): boolean {
  if (!['create', 'update', 'patch', 'delete', 'deletecollection'].includes(verb)) return false;
  return (responseStatus?.code ?? 0) < 300 && !requestURI.includes('dryRun=');
}

/** A request in one line. */
export function describeEntry(entry: AuditEntry): string {
  const { objectRef: at, responseStatus, verb, requestReceivedTimestamp } = entry;
  const resource = [at?.resource, at?.subresource].filter(Boolean).join('/');
  const path = [at?.namespace, at?.name].filter(Boolean).join('/');
  return `${requestReceivedTimestamp} ${podOf(entry)} ${verb} ${resource} ${path} ${responseStatus?.code}`;
}
