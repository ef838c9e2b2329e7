// SPDX-License-Identifier: Apache-2.0
import type { MutatingWebhook } from '@forge/kube/generated/types.ts';
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '@forge/kube/kinds/builtin.ts';
import { type Kind, resourceName } from '@forge/kube/kinds/kind.ts';
import { compileMatchCondition, type AdmissionExpression } from '../../cel/rules/admission-expression.ts';
import { LazyExpressions } from '../../cel/rules/lazy-expressions.ts';
import type { Store } from '../../storage/store.ts';
import type { StoredObject } from '../../storage/stored-object.ts';
import { expressionsOfWebhook } from '../../validation/admission/expression-limits.ts';

/** A registered webhook; a validating one has no further fields. */
export interface Webhook extends MutatingWebhook {
  readonly conditions: LazyExpressions<readonly AdmissionExpression[]>;
}

/** The webhooks of all configurations, sorted by configuration name. */
export interface WebhookIndex {
  mutating(): readonly Webhook[];
  validating(): readonly Webhook[];
  /** Whether there are no webhooks at all. */
  isEmpty(): boolean;
}

/** Caches the webhooks until a configuration changes; those of a configuration are compiled once. */
export function webhookIndex(store: Store): WebhookIndex {
  const listing = (kind: Kind): (() => readonly Webhook[]) => {
    const resource = resourceName(kind);
    const byConfiguration = new WeakMap<StoredObject, Webhook[]>();
    let known: readonly Webhook[] | undefined;
    const webhooksOf = (stored: StoredObject): Webhook[] => {
      const webhooks = byConfiguration.get(stored) ?? lazyWebhooks(stored);
      byConfiguration.set(stored, webhooks);
      return webhooks;
    };
    store.subscribe(resource, () => {
      known = undefined;
    });
    return () => {
      known ??= [...store.current.objects.withPrefix(`${resource}/`)].flatMap(webhooksOf);
      return known;
    };
  };
  const mutating = listing(MutatingWebhookConfiguration);
  const validating = listing(ValidatingWebhookConfiguration);
  return { mutating, validating, isEmpty: () => mutating().length + validating().length === 0 };
}

function lazyWebhooks({ value }: StoredObject): Webhook[] {
  const { webhooks = [] } = value as MutatingWebhookConfiguration;
  return webhooks.map((webhook) => {
    const expressions = expressionsOfWebhook(webhook);
    const compile = () => expressions.map((expression) => compileMatchCondition(expression));
    return { ...webhook, conditions: new LazyExpressions(expressions, compile) };
  });
}
