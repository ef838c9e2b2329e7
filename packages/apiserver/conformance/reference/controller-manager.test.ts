// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isApiError } from './controller-manager.ts';

test('error lines of a controller manager about discovery, lists and watches are API errors', () => {
  const lines = [
    'E1115 19:20:16.1 1 reflector.go:204] "Failed to watch" err="failed to list *v1.CSINode: the server could not find the requested resource"',
    'E1115 19:20:16.1 1 resource_quota_controller.go:447] unable to retrieve the complete list of server APIs: apps/v1: not found',
    'E1115 19:20:16.1 1 garbagecollector.go:350] "Failed to discover preferred resources" err="timeout"',
  ];
  assert.deepEqual(lines.filter(isApiError), lines);
});

test('other lines of a controller manager are not', () => {
  const lines = [
    'I1115 19:20:16.1 1 shared_informer.go:349] "Waiting for caches to sync" controller="discovery"',
    'E1115 19:20:16.1 1 legacy_serviceaccount_token_cleaner.go:119] "Getting latest possible tracked_since time" err="configmaps not found"',
  ];
  assert.deepEqual(lines.filter(isApiError), []);
});
