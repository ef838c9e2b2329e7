// SPDX-License-Identifier: Apache-2.0
import { ApiError, isApiError } from '@forge/kube/errors/api-error.ts';
import { ContentNotCached } from '../cache/content-not-cached.ts';
import { StaleCacheError } from '../queue/reconcile-error.ts';
import { KindNotInstalled } from './kind-not-installed.ts';
import { PlannedCall } from './planned-call.ts';
import { StepBug } from './step-bug.ts';

/** Errors that the engine handles itself. */
const handled = [StaleCacheError, ContentNotCached, PlannedCall, KindNotInstalled];
const bugs = [TypeError, RangeError, ReferenceError, StepBug];

/** Whether the error is not about the resource: it comes from the API, the network, the system or a plan, or is a bug. */
export function isFault(error: unknown): boolean {
  if (isApiError(error, 'Invalid', 'Forbidden', 'RequestEntityTooLarge')) return false;
  if (error instanceof ApiError || handled.some((each) => error instanceof each)) return true;
  if (!(error instanceof Error)) return false;
  return error.name === 'AbortError' || 'code' in error || bugs.some((bug) => error instanceof bug);
}
