// SPDX-License-Identifier: Apache-2.0
import type { CustomResourceDefinition } from '@forge/kube/kinds/builtin.ts';
import { needsConversionWebhook } from '../resources/conversion-webhook.ts';
import type { Warn } from '../resources/warn.ts';

/** Warns of conversion webhooks, which this server does not call. */
export function definitionWarnings({ spec }: CustomResourceDefinition, warn: Warn): void {
  if (!needsConversionWebhook(spec)) return;
  const stored = spec.versions.find(({ storage }) => storage)?.name;
  warn(
    `spec.conversion.strategy: conversion webhooks are not called by this server; it serves only the storage version ${stored}`,
  );
}
